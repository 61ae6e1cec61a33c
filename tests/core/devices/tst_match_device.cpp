// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/devices/known_devices.h"
#include "core/devices/match_device.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_match_device {

using namespace roofwalk;

namespace {

std::string match(std::string_view name, const Device* hint = nullptr) {
    const Device* device = find_known_device(name, hint);
    return device ? device->name : "none";
}

Device with_memory(double gib) {
    Device device;
    device.memory_size = Bytes(gib * 1073741824);
    return device;
}

}  // namespace

class TestMatchDevice : public QObject {
    Q_OBJECT

  private slots:
    void memory_is_called_as_the_card_has_it() {
        const auto of = [](std::string name, std::optional<ComputeCapability> capability = {}) {
            Device device;
            device.name = std::move(name);
            device.compute_capability = capability;
            return memory_of(device);
        };
        QCOMPARE(of("NVIDIA A100-SXM4-40GB"), MemoryName::hbm);
        QCOMPARE(of("NVIDIA GeForce RTX 4090"), MemoryName::dram);
        QCOMPARE(of("Jetson AGX Orin 64 GB"), MemoryName::dram);
        QCOMPARE(of("a machine"), MemoryName::dram);
        QCOMPARE(of("", ComputeCapability{9, 0}), MemoryName::hbm);
        QCOMPARE(of("", ComputeCapability{8, 6}), MemoryName::dram);
        QCOMPARE(memory_of(std::vector{*find_known_device("A100"), *find_known_device("H200")}),
                 MemoryName::hbm);
        QCOMPARE(memory_of(std::vector{*find_known_device("A100"), *find_known_device("T4")}),
                 MemoryName::dram);
        QCOMPARE(memory_of(std::vector<Device>{}), MemoryName::dram);
    }
    void every_row_tells_its_memory_as_its_chip_does() {
        for (const KnownDevice& row : known_device_rows()) {
            QVERIFY2(!row.memory_type.empty(), row.device.name.c_str());
            QVERIFY2(row.memory() == memory_of(row.device), row.device.name.c_str());
        }
    }
    void names_as_drivers_spell_them_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("row");
        const char* const rows[][2] = {
            {"Tesla V100-SXM2-16GB", "Tesla V100 SXM2 16 GB"},
            {"Tesla V100-SXM2-32GB", "Tesla V100 SXM2 32 GB"},
            {"Tesla V100-SXM3-32GB", "Tesla V100 SXM3 32 GB"},
            {"NVIDIA TITAN V", "TITAN V"},
            {"Tesla P40", "Tesla P40"},
            {"Tesla P4", "Tesla P4"},
            {"NVIDIA TITAN X (Pascal)", "TITAN X (Pascal)"},
            {"NVIDIA TITAN Xp", "TITAN Xp"},
            {"GeForce GTX 1060 6GB", "GeForce GTX 1060 6 GB"},
            {"GeForce GTX 1060 3GB", "GeForce GTX 1060 3 GB"},
            {"NVIDIA GeForce GTX 1650", "GeForce GTX 1650"},
            {"NVIDIA GeForce GTX 1660", "GeForce GTX 1660"},
            {"NVIDIA GeForce GTX 1660 Ti", "GeForce GTX 1660 Ti"},
            {"NVIDIA GeForce RTX 2060", "GeForce RTX 2060"},
            {"Quadro RTX 6000", "Quadro RTX 6000"},
            {"Quadro RTX 8000", "Quadro RTX 8000"},
            {"NVIDIA A800 40GB Active", "A800 PCIe 40 GB"},
            {"NVIDIA A16", "A16"},
            {"NVIDIA RTX A1000", "RTX A1000"},
            {"NVIDIA L20", "L20"},
            {"NVIDIA RTX 2000 Ada Generation", "RTX 2000 Ada"},
            {"NVIDIA RTX 4000 Ada Generation", "RTX 4000 Ada"},
            {"NVIDIA RTX 4000 SFF Ada Generation", "RTX 4000 SFF Ada"},
            {"NVIDIA RTX 5000 Ada Generation", "RTX 5000 Ada"},
            {"NVIDIA GeForce RTX 4090 D", "GeForce RTX 4090 D"},
            {"NVIDIA GeForce RTX 5050", "GeForce RTX 5050"},
            {"NVIDIA H800 PCIe", "H800 PCIe"},
            {"NVIDIA H20-3e", "H20 141 GB"},
            {"NVIDIA T400", "T400 2 GB"},
            {"NVIDIA T400 4GB", "T400 4 GB"},
            {"NVIDIA T600", "T600"},
            {"NVIDIA RTX PRO 4000 Blackwell", "RTX PRO 4000 Blackwell"},
            {"NVIDIA RTX PRO 4000 Blackwell SFF Edition", "RTX PRO 4000 Blackwell SFF"},
            {"NVIDIA RTX PRO 4500 Blackwell", "RTX PRO 4500 Blackwell"},
            {"NVIDIA RTX PRO 5000 Blackwell", "RTX PRO 5000 Blackwell 48 GB"},
            {"NVIDIA RTX PRO 5000 72GB Blackwell", "RTX PRO 5000 Blackwell 72 GB"},
            {"NVIDIA RTX PRO 6000 Blackwell Server Edition", "RTX PRO 6000 Blackwell Server Edition"},
            {"NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition", "RTX PRO 6000 Blackwell Max-Q"},
            {"NVIDIA GB10", "GB10"},
            {"NVIDIA Jetson Orin NX 16GB", "Jetson Orin NX 16 GB"},
            {"NVIDIA Jetson Orin Nano 4GB", "Jetson Orin Nano 4 GB"},
            {"Tesla V100-PCIE-16GB", "Tesla V100 PCIe 16 GB"},
            {"Tesla V100S-PCIE-32GB", "Tesla V100S PCIe"},
            {"Tesla T4", "Tesla T4"},
            {"A100-PCIE-40GB", "A100 PCIe 40 GB"},
            {"NVIDIA A100-PCIE-40GB", "A100 PCIe 40 GB"},
            {"NVIDIA A100-SXM4-40GB", "A100 SXM 40 GB"},
            {"NVIDIA A100-SXM4-80GB", "A100 SXM 80 GB"},
            {"NVIDIA A100-PG509-200", "A100 SXM 40 GB"},
            {"NVIDIA PG509-210", "A100 SXM 80 GB"},
            {"NVIDIA A100 80GB PCIe", "A100 PCIe 80 GB"},
            {"NVIDIA A30", "A30"},
            {"NVIDIA A10", "A10"},
            {"NVIDIA A40", "A40"},
            {"NVIDIA A10G", "A10G"},
            {"NVIDIA T4G", "T4G"},
            {"NVIDIA A2", "A2"},
            {"Tesla P100-SXM2-16GB", "Tesla P100 SXM2 16 GB"},
            {"Tesla P100-PCIE-12GB", "Tesla P100 PCIe 12 GB"},
            {"GeForce GTX 1080 Ti", "GeForce GTX 1080 Ti"},
            {"NVIDIA GeForce GTX 1660 SUPER", "GeForce GTX 1660 SUPER"},
            {"NVIDIA GeForce RTX 2070", "GeForce RTX 2070"},
            {"NVIDIA GeForce RTX 2070 SUPER", "GeForce RTX 2070 SUPER"},
            {"GeForce RTX 2080 Ti", "GeForce RTX 2080 Ti"},
            {"NVIDIA TITAN RTX", "TITAN RTX"},
            {"NVIDIA RTX A4000", "RTX A4000"},
            {"NVIDIA RTX A2000 12GB", "RTX A2000 12 GB"},
            {"NVIDIA GeForce RTX 3060", "GeForce RTX 3060 12 GB"},
            {"NVIDIA GeForce RTX 3070 Ti", "GeForce RTX 3070 Ti"},
            {"NVIDIA GeForce RTX 3090 Ti", "GeForce RTX 3090 Ti"},
            {"NVIDIA GeForce RTX 4070", "GeForce RTX 4070"},
            {"NVIDIA GeForce RTX 4070 Ti SUPER", "GeForce RTX 4070 Ti SUPER"},
            {"NVIDIA GeForce RTX 5060 Ti", "GeForce RTX 5060 Ti 8 GB"},
            {"NVIDIA GeForce RTX 5070 Ti", "GeForce RTX 5070 Ti"},
            {"NVIDIA RTX A6000", "RTX A6000"},
            {"NVIDIA GeForce RTX 3090", "GeForce RTX 3090"},
            {"NVIDIA L4", "L4"},
            {"NVIDIA L40", "L40"},
            {"NVIDIA L40S", "L40S"},
            {"NVIDIA RTX 6000 Ada Generation", "RTX 6000 Ada"},
            {"NVIDIA GeForce RTX 4090", "GeForce RTX 4090"},
            {"NVIDIA H100 80GB HBM3", "H100 SXM"},
            {"NVIDIA H100 PCIe", "H100 PCIe"},
            {"NVIDIA H100 NVL", "H100 NVL"},
            {"NVIDIA H200", "H200 SXM"},
            {"NVIDIA H200 NVL", "H200 NVL"},
            {"NVIDIA GH200 480GB", "GH200 96 GB"},
            {"NVIDIA GH200 120GB", "GH200 96 GB"},
            {"NVIDIA GH200 144G HBM3e", "GH200 144 GB"},
            {"NVIDIA B200", "B200"},
            {"NVIDIA B300", "B300"},
            {"NVIDIA B300 SXM6 AC", "B300"},
            {"NVIDIA GB300", "GB300"},
            {"NVIDIA H800", "H800 SXM"},
            {"NVIDIA H20", "H20 96 GB"},
            {"Orin", "Jetson AGX Orin 64 GB"},
            {"NVIDIA Jetson AGX Orin 32GB", "Jetson AGX Orin 32 GB"},
            {"NVIDIA Thor", "Jetson AGX Thor T5000"},
            {"NVIDIA A800-SXM4-80GB", "A800 SXM 80 GB"},
            {"NVIDIA GeForce RTX 3080", "GeForce RTX 3080"},
            {"NVIDIA GeForce RTX 4080", "GeForce RTX 4080"},
            {"NVIDIA GeForce RTX 5080", "GeForce RTX 5080"},
            {"NVIDIA GB200", "GB200"},
            {"NVIDIA GeForce RTX 5090", "GeForce RTX 5090"},
            {"NVIDIA GeForce RTX 4060 Laptop GPU", "GeForce RTX 4060 Laptop GPU"},
            {"NVIDIA RTX PRO 6000 Blackwell Workstation Edition", "RTX PRO 6000 Blackwell"}};
        for (const auto& row : rows)
            QTest::newRow(row[0]) << row[0] << row[1];
    }
    void names_as_drivers_spell_them() {
        QFETCH(QString, name);
        QTEST(QString::fromStdString(match(name.toStdString())), "row");
    }
    void names_as_people_type_them() {
        QCOMPARE(match("A100 80GB SXM"), std::string("A100 SXM 80 GB"));
        QCOMPARE(match("a100 sxm"), std::string("A100 SXM 80 GB"));
        QCOMPARE(match("H100"), std::string("H100 SXM"));
        QCOMPARE(match("H100 SXM5"), std::string("H100 SXM"));
        QCOMPARE(match("v100"), std::string("Tesla V100 SXM2 16 GB"));
        QCOMPARE(match("rtx 4090"), std::string("GeForce RTX 4090"));
    }
    void every_name_of_the_table_finds_its_own_row() {
        for (const Device& device : known_devices())
            QCOMPARE(match(device.name), device.name);
    }
    void neighbours_are_not_taken_for_each_other() {
        for (const char* name : {"NVIDIA A10M",
                                 "NVIDIA GeForce RTX 5090 D",
                                 "NVIDIA GeForce RTX 3070 Laptop GPU",
                                 "NVIDIA H800 NVL",
                                 "NVIDIA H200 PCIe",
                                 "NVIDIA H200 80GB",
                                 "NVIDIA H200-SXM3",
                                 "NVIDIA Jetson Xavier NX",
                                 "NVIDIA GeForce RTX 5090 Laptop GPU",
                                 "NVIDIA RTX 5000 Ada Generation Laptop GPU",
                                 "NVIDIA A100-SXM4-40GB MIG 1g.5gb",
                                 "NVIDIA A100-SXM-64GB",
                                 "NVIDIA H100 96GB HBM3",
                                 "NVIDIA RTX PRO 4500 Blackwell Server Edition",
                                 "NVIDIA T600 Laptop GPU",
                                 "NVIDIA T400E",
                                 "NVIDIA L20X",
                                 "NVIDIA T4 Server",
                                 "Tesla V100-DGXS-32GB",
                                 "GeForce GTX 1060 5GB",
                                 "GeForce GTX 1060 with Max-Q Design",
                                 "GTX 1050",
                                 ""})
            QCOMPARE(match(name), std::string("none"));
    }
    void a_part_of_a_name_is_enough_where_it_fits_one_model_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QStringList>("devices");
        QTest::addColumn<bool>("one_model");
        const auto row = [](const char* name, const QStringList& devices, bool one_model) {
            QTest::newRow(name) << QString(name) << devices << one_model;
        };
        row("4090", {"GeForce RTX 4090"}, true);
        row("nvidia 5090", {"GeForce RTX 5090"}, true);
        row("6000 ada", {"RTX 6000 Ada"}, true);
        row("RTX 4090", {"GeForce RTX 4090"}, true);
        row("A100", {"A100 SXM 80 GB", "A100 SXM 40 GB", "A100 PCIe 40 GB", "A100 PCIe 80 GB"}, true);
        row("A100 40GB", {"A100 SXM 40 GB", "A100 PCIe 40 GB"}, true);
        row("H100", {"H100 SXM", "H100 PCIe", "H100 NVL"}, true);
        row("6000", {"Quadro RTX 6000", "RTX 6000 Ada", "RTX PRO 6000 Blackwell"}, false);
        row("rtx a6000", {"RTX A6000"}, true);
        row("RTX A6000", {"RTX A6000"}, true);
        row("a6000", {"RTX A6000"}, true);
        row("ada 6000", {"RTX 6000 Ada"}, true);
        row("pro 6000", {"RTX PRO 6000 Blackwell"}, true);
        row("pro 6000 server", {"RTX PRO 6000 Blackwell Server Edition"}, true);
        row("rtx 6000 96 GB", {"RTX PRO 6000 Blackwell"}, true);
        row("gh200", {"GH200 96 GB", "GH200 144 GB"}, true);
        row("GH200 144GB", {"GH200 144 GB"}, true);
        row("gb200", {"GB200"}, true);
        row("b200", {"B200"}, true);
        row("h100 pcie", {"H100 PCIe"}, true);
        row("h100 nvl", {"H100 NVL"}, true);
        row("l4", {"L4"}, true);
        row("l40s", {"L40S"}, true);
        row("t4", {"Tesla T4"}, true);
        row("v100s", {"Tesla V100S PCIe"}, true);
        row("V100 32 GB", {"Tesla V100 SXM2 32 GB", "Tesla V100 SXM3 32 GB", "Tesla V100 PCIe 32 GB"}, true);
        row("h20 3e", {"H20 141 GB"}, true);
        row("4090 D", {"GeForce RTX 4090 D"}, true);
        row("4070", {"GeForce RTX 4070"}, true);
        row("4070 ti", {"GeForce RTX 4070 Ti"}, true);
        row("3080", {"GeForce RTX 3080", "GeForce RTX 3080 12 GB"}, true);
        row("B200 192GB", {"B200"}, true);
        row("4060 Ti", {"GeForce RTX 4060 Ti 8 GB", "GeForce RTX 4060 Ti 16 GB"}, true);
        row("4090 Ti", {}, false);
        row("RTX 5000",
            {"Quadro RTX 5000", "RTX 5000 Ada", "RTX PRO 5000 Blackwell 48 GB",
             "RTX PRO 5000 Blackwell 72 GB"},
            false);
        row("RTX 5100", {}, false);
        row("40 GB", {}, false);
        row("SXM", {}, false);
        for (const char* family : {"ada", "rtx", "pro", "rtx pro", "RTX 96 GB", "rtx 24GB", "GeForce RTX",
                                   "ada 48 GB", "blackwell", "nvidia", "NVIDIA RTX Ada Generation"})
            row(family, {}, false);
        row("", {}, false);
    }
    void a_part_of_a_name_is_enough_where_it_fits_one_model() {
        QFETCH(QString, name);
        const MeantDevices meant = devices_meant(name.toStdString());
        QStringList devices;
        for (const Device* device : meant.devices)
            devices.append(QString::fromStdString(device->name));
        QTEST(devices, "devices");
        QTEST(meant.one_model, "one_model");
    }
    void the_memory_tells_variants_apart_where_the_name_does_not() {
        const Device forty = with_memory(39.4);
        const Device eighty = with_memory(79.3);
        QCOMPARE(match("NVIDIA A100-SXM4", &forty), std::string("A100 SXM 40 GB"));
        QCOMPARE(match("NVIDIA A100-SXM4", &eighty), std::string("A100 SXM 80 GB"));
        const Device twelve = with_memory(11.8);
        const Device eight = with_memory(7.8);
        QCOMPARE(match("NVIDIA GeForce RTX 3060", &twelve), std::string("GeForce RTX 3060 12 GB"));
        QCOMPARE(match("NVIDIA GeForce RTX 3060", &eight), std::string("GeForce RTX 3060 8 GB"));
        QCOMPARE(match("NVIDIA GeForce RTX 3080", &twelve), std::string("GeForce RTX 3080 12 GB"));
        const Device sixty_four = with_memory(63.3);
        QCOMPARE(match("NVIDIA H100", &sixty_four), std::string("none"));
        const Device gh200 = with_memory(141);
        QCOMPARE(match("NVIDIA GH200 480GB", &gh200), std::string("GH200 144 GB"));
    }
    void a_name_without_its_maker_is_the_same_model() {
        Device full;
        full.name = "NVIDIA A100-SXM4-40GB";
        Device bare;
        bare.name = "A100-SXM4-40GB";
        QVERIFY(may_be_one_model(full, bare));
        QVERIFY(may_be_one_model(bare, full));
        bare.sm_count = 108;
        full.sm_count = 42;
        QVERIFY(!may_be_one_model(full, bare));
        Device turing;
        turing.compute_capability = ComputeCapability{7, 5};
        Device ampere;
        ampere.compute_capability = ComputeCapability{8, 6};
        QVERIFY(!may_be_one_model(turing, ampere));  // none of them has a name
        QVERIFY(may_be_one_model(turing, turing) && may_be_one_model(turing, Device()));
        bare = {};
        bare.name = "A100-SXM4-80GB";
        QVERIFY(!may_be_one_model(full, bare));
    }
    void another_number_of_sms_is_another_product() {
        Device hint;
        hint.sm_count = 114;
        QCOMPARE(match("NVIDIA H100", &hint), std::string("H100 PCIe"));
        hint = {};
        hint.sm_count = 132;
        hint.memory_size = Bytes(101'997'215'744);  // 96 GB: a board of its own
        QCOMPARE(match("NVIDIA H100", &hint), std::string("none"));
        QCOMPARE(match("NVIDIA H100 NVL", &hint), std::string("H100 NVL"));
        hint = {};
        hint.sm_count = 124;
        QCOMPARE(match("NVIDIA A100-SXM-64GB", &hint), std::string("none"));
        hint.sm_count = 14;
        QCOMPARE(match("Orin", &hint), std::string("Jetson AGX Orin 32 GB"));
        hint.sm_count = 8;
        QCOMPARE(match("Orin", &hint), std::string("none"));
    }
};

}  // namespace tst_match_device

ROOFWALK_TEST(tst_match_device, TestMatchDevice, NoApplication)
#include "tst_match_device.moc"

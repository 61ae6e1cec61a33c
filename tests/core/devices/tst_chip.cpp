// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/devices/chip.h"

#include <QTest>
#include <set>

#include "core/devices/known_devices.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_chip {

using namespace roofwalk;

class TestChip : public QObject {
    Q_OBJECT

  private slots:
    void every_name_stands_once() {
        std::set<std::string_view> names;
        for (const Chip& chip : planned_chips())
            QVERIFY(names.insert(chip.name).second);
        QCOMPARE(names.size(), std::size_t{29});
    }

    void a_chip_is_found_by_its_whole_name() {
        QVERIFY(find_chip("GH100") != nullptr);
        QVERIFY(find_chip("GH100")->family == ChipFamily::hopper);
        QVERIFY(!counts_dram(*find_chip("GB20B")));
        QVERIFY(find_chip("GH10") == nullptr);
        QVERIFY(find_chip("") == nullptr);
        QVERIFY(find_chip("GP104") == nullptr);  // without plans
    }

    void the_l1_roof_of_turing_is_told_as_half_of_that_of_ncu() {
        Device device;
        device.name = "Tesla T4";
        device.compute_capability = ComputeCapability{7, 5};
        const std::string told = l1_beside_ncu(device);
        QVERIFY(told.find("64 B") != std::string::npos && told.find("Tesla T4") != std::string::npos);
        for (const ComputeCapability same : {ComputeCapability{7, 0}, {8, 0}, {9, 0}}) {
            device.compute_capability = same;
            QVERIFY(l1_beside_ncu(device).empty());
        }
    }
    void a_number_names_one_chip() {
        std::set<int> pci;
        std::set<int> ncu;
        for (const Chip& chip : planned_chips()) {
            QVERIFY(chip.pci_block == 0 || pci.insert(chip.pci_block).second);
            QVERIFY(chip.ncu_number == 0 || ncu.insert(chip.ncu_number).second);
            QCOMPARE(chip.pci_block % 128, 0);
        }
        QCOMPARE(chip_of_ncu_number(384), find_chip("GH100"));
        QCOMPARE(chip_of_ncu_number(308)->name, std::string_view("GP104"));
        QVERIFY(chip_of_ncu_number(0) == nullptr && chip_of_ncu_number(999) == nullptr);
    }

    void every_chip_is_of_an_architecture_that_is_known() {
        for (const Chip& chip : planned_chips())
            QVERIFY(architecture_of(chip.capability) != nullptr);
        for (const KnownDevice& row : known_device_rows()) {
            QVERIFY(architecture_of(row.device.compute_capability) != nullptr);
            QCOMPARE(find_chip(row.device.chip) == nullptr, row.device.compute_capability->major < 7);
        }
        QVERIFY(architecture_of(std::nullopt) == nullptr);
        QVERIFY(architecture_of(ComputeCapability{5, 2}) == nullptr);
    }

    void boards_have_the_chip_of_their_number_data() {
        QTest::addColumn<int>("device");
        QTest::addColumn<QString>("chip");
        const auto row = [](const char* board, int device, const char* chip) {
            QTest::newRow(board) << device << chip;
        };
        row("V100 SXM2 32 GB", 0x1db5, "GV100");
        row("T4", 0x1eb8, "TU104");
        row("A100 SXM4 80 GB", 0x20b2, "GA100");
        row("A10", 0x2236, "GA102");
        row("RTX 3070", 0x2484, "GA104");
        row("RTX 3060", 0x2503, "GA106");
        row("L4", 0x27b8, "AD104");
        row("RTX 4090", 0x2684, "AD102");
        row("RTX 4060", 0x2882, "AD107");
        row("H100 SXM5", 0x2330, "GH100");
        row("B200", 0x2901, "GB100");
        row("RTX 5090", 0x2b85, "GB202");
        row("none of ours", 0x1234, "");
        row("not known", 0, "");
    }
    void boards_have_the_chip_of_their_number() {
        QFETCH(const int, device);
        QFETCH(const QString, chip);
        const Chip* found = chip_of_pci_device(static_cast<std::uint16_t>(device));
        QCOMPARE(found ? QString::fromUtf8(found->name.data(), qsizetype(found->name.size())) : QString(),
                 chip);
    }
};

}  // namespace tst_chip

ROOFWALK_TEST(tst_chip, TestChip, NoApplication)
#include "tst_chip.moc"

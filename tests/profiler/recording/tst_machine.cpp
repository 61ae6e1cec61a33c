// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/machine.h"

#include <QTest>

#include "tests/profiler/recording/made_root.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_machine {

using namespace roofwalk;
using roofwalk::test::MadeRoot;

class TestMachine : public QObject {
    Q_OBJECT

  private slots:
    void an_empty_root_tells_nothing() {
        const MadeRoot root;
        const Machine machine = read_machine(root.path());
        QVERIFY(!machine.driver_version);
        QVERIFY(machine.gpus.empty());
        QVERIFY(!machine.device_node);
        QVERIFY(!machine.counters_are_restricted);
        QVERIFY(!machine.may_read_restricted_counters());
        QVERIFY(machine.container == ContainerKind::none && !machine.own_users && !machine.windows_subsystem);
        QVERIFY(!machine.multi_process_service && !machine.multi_instance);
    }

    void the_driver_version_is_read_from_either_module_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("version");
        QTest::newRow("proprietary")
            << QByteArray(
                   "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 01:15:15 UTC")
            << QByteArray("535.104.05");
        QTest::newRow("open") << QByteArray(
                                     "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  "
                                     "Release Build  (root@host)")
                              << QByteArray("580.65.06");
    }
    void the_driver_version_is_read_from_either_module() {
        QFETCH(const QByteArray, line);
        QFETCH(const QByteArray, version);
        const MadeRoot root;
        root.write("proc/driver/nvidia/version", line.toStdString() + "\nGCC version:  gcc version 12.2.0\n");
        QCOMPARE(read_machine(root.path()).driver_version.value_or(""), version.toStdString());
    }

    void gpus_are_listed_by_bus_address() {
        const MadeRoot root;
        root.write("proc/driver/nvidia/gpus/0000:c1:00.0/information", "Model: \t\t NVIDIA L4\nIRQ: 5\n");
        root.write("proc/driver/nvidia/gpus/0000:01:00.0/information", "Model: \t\t NVIDIA H100 PCIe\n");
        const Machine machine = read_machine(root.path());
        QCOMPARE(machine.gpus.size(), std::size_t(2));
        QCOMPARE(machine.gpus[0], std::string("NVIDIA H100 PCIe"));
        QCOMPARE(machine.gpus[1], std::string("NVIDIA L4"));
    }

    void shares_of_a_gpu_are_known_by_their_names() {
        const auto is_share = [](const std::string& model) {
            const MadeRoot root;
            root.write("proc/driver/nvidia/gpus/0000:01:00.0/information", "Model: \t " + model + "\n");
            return read_machine(root.path()).virtual_gpu;
        };
        for (const char* model : {"GRID V100D-8Q", "NVIDIA A40-48Q", "NVIDIA A100-1-5C", "NVIDIA L4-24Q"})
            QVERIFY2(is_share(model), model);
        for (const char* model : {"NVIDIA A100-SXM4-80GB", "Tesla V100-PCIE-16GB", "NVIDIA H100 PCIe",
                                  "NVIDIA A10", "NVIDIA-Q", "Quadro RTX 6000"})
            QVERIFY2(!is_share(model), model);
    }

    void the_restriction_of_counters_is_a_parameter_of_the_module() {
        const MadeRoot root;
        root.write("proc/driver/nvidia/params", "ResmanDebugLevel: 4294967295\nRmProfilingAdminOnly: 1\n");
        QCOMPARE(read_machine(root.path()).counters_are_restricted, std::optional(true));
        root.write("proc/driver/nvidia/params", "RmProfilingAdminOnly: 0\n");
        QCOMPARE(read_machine(root.path()).counters_are_restricted, std::optional(false));
    }

    void two_capabilities_lift_the_restriction_data() {
        QTest::addColumn<QByteArray>("bits");
        QTest::addColumn<bool>("may");
        QTest::newRow("none") << QByteArray("0000000000000000") << false;
        QTest::newRow("all") << QByteArray("000001ffffffffff") << true;
        QTest::newRow("CAP_SYS_ADMIN") << QByteArray("0000000000200000") << true;
        QTest::newRow("CAP_PERFMON") << QByteArray("0000004000000000") << true;
        QTest::newRow("what Docker gives root") << QByteArray("00000000a80425fb") << false;
    }
    void two_capabilities_lift_the_restriction() {
        QFETCH(const QByteArray, bits);
        QFETCH(const bool, may);
        const MadeRoot root;
        root.write("proc/self/status", "Name:\tx\nCapPrm:\t000001ffffffffff\nCapEff:\t" + bits.toStdString() +
                                           "\nCapBnd:\t000001ffffffffff\n");
        QCOMPARE(read_machine(root.path()).may_read_restricted_counters(), may);
    }

    void root_of_a_user_namespace_has_no_right_to_counters() {
        const MadeRoot root;
        root.write("proc/self/status", "CapEff:\t000001ffffffffff\nCapBnd:\t000001ffffffffff\n");
        root.write("proc/self/uid_map", "         0          0 4294967295\n");
        QVERIFY(read_machine(root.path()).may_read_restricted_counters());
        root.write("proc/self/uid_map", "         0       1000          1\n");
        const Machine machine = read_machine(root.path());
        QVERIFY(machine.own_users && !machine.may_read_restricted_counters());
    }

    void an_old_driver_does_not_heed_cap_perfmon() {
        const MadeRoot root;
        root.write("proc/self/status", "CapEff:\t0000004000000000\n");
        const auto may_with = [&](const std::string& version) {
            root.write("proc/driver/nvidia/version",
                       "NVRM version: NVIDIA UNIX x86_64 Kernel Module  " + version + "  x\n");
            return read_machine(root.path()).may_read_restricted_counters();
        };
        QVERIFY(!may_with("550.54.15"));
        QVERIFY(may_with("565.57.01"));
    }

    void what_a_container_grants_its_root_is_known() {
        const MadeRoot root;
        root.write("run/.containerenv", "engine=\"podman-4.9.3\"\n");
        root.write("proc/self/status", "CapEff:\t0000000000000000\nCapBnd:\t00000000a82425fb\n");
        const Machine machine = read_machine(root.path());
        QVERIFY(machine.container == ContainerKind::podman && machine.lacks_root_only());
        root.write("proc/self/status", "CapEff:\t0000000000000000\nCapBnd:\t00000000a80425fb\n");
        QVERIFY(!read_machine(root.path()).lacks_root_only());
    }

    void chips_are_told_by_pci_numbers() {
        const MadeRoot root;
        for (const char* gpu : {"0000:01:00.0", "0000:c1:00.0"})
            root.write("proc/driver/nvidia/gpus/" + std::string(gpu) + "/information",
                       "Model: \t\t NVIDIA X\n");
        root.write("sys/bus/pci/devices/0000:c1:00.0/device", "0x2330\n");
        QVERIFY((read_machine(root.path()).chips == std::vector<std::string>{"", "GH100"}));
    }

    void situations_are_seen() {
        const MadeRoot root;
        root.write("proc/sys/kernel/osrelease", "5.15.153.1-microsoft-standard-WSL2\n");
        root.write("proc/77/comm", "nvidia-cuda-mps\n");
        root.write("proc/driver/nvidia/capabilities/gpu0/mig/gi1/access", "DeviceFileMinor: 12\n");
        root.write("dev/nvidiactl", "");
        const Machine machine = read_machine(root.path());
        QVERIFY(machine.windows_subsystem);
        QVERIFY(machine.multi_process_service);
        QVERIFY(machine.multi_instance);
        QVERIFY(machine.device_node);
    }
};

}  // namespace tst_machine

ROOFWALK_TEST(tst_machine, TestMachine, NoApplication)
#include "tst_machine.moc"

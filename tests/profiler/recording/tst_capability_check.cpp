// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/capability_check.h"

#include <QTest>
#include <algorithm>

#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_capability_check {

using namespace roofwalk;

namespace {

Machine workstation() {
    Machine machine;
    machine.driver_version = "580.65.06";
    machine.gpus = {"NVIDIA H100 PCIe"};
    machine.device_node = true;
    machine.counters_are_restricted = false;
    return machine;
}

const NvidiaSoftware everything{13000,
                                "/opt/nvidia/nsight-compute/2025.3.0/ncu",
                                {"/usr/local/cuda-13.0/lib64/libcupti.so.13", 130001, {}}};

/// The finding on a subject, or one that fails every comparison.
CapabilityFinding on(const std::string& subject, const Machine& machine,
                     const NvidiaSoftware& software = everything) {
    const auto findings = check_capabilities(machine, software);
    const auto found = std::ranges::find(findings, subject, &CapabilityFinding::subject);
    return found == findings.end() ? CapabilityFinding{"absent", {}, "", ""} : *found;
}

bool says(const std::string& text, const char* words) {
    return text.find(words) != std::string::npos;
}

}  // namespace

class TestCapabilityCheck : public QObject {
    Q_OBJECT

  private slots:
    void a_workstation_is_ready() {
        const auto findings = check_capabilities(workstation(), everything);
        QCOMPARE(findings.size(), std::size_t(5));
        for (const CapabilityFinding& finding : findings)
            QVERIFY2(finding.readiness == Readiness::ready, finding.what.c_str());
        QCOMPARE(findings[0].what, std::string("Driver 580.65.06, CUDA 13.0."));
        QCOMPARE(findings[1].what, std::string("NVIDIA H100 PCIe."));
        QVERIFY(says(findings[3].hint, "profile --ncu"));
    }

    void without_a_driver_the_rest_is_not_guessed() {
        const auto findings = check_capabilities(Machine{}, everything);
        QCOMPARE(findings.size(), std::size_t(3));
        QCOMPARE(findings[0].readiness, Readiness::missing);
        QVERIFY(says(findings[0].hint, "modprobe nvidia"));
        Machine inside;
        inside.container = ContainerKind::docker;
        QVERIFY(says(on("driver", inside).hint, "host of this container"));
    }

    void the_driver_needs_its_library() {
        const CapabilityFinding finding = on("driver", workstation(), {std::nullopt, "/usr/bin/ncu", {}});
        QCOMPARE(finding.readiness, Readiness::missing);
        QVERIFY(says(finding.what, "libcuda.so.1"));
    }

    void restricted_counters_need_a_capability_or_a_module_option() {
        Machine machine = workstation();
        machine.counters_are_restricted = true;
        CapabilityFinding finding = on("counters", machine);
        QCOMPARE(finding.readiness, Readiness::missing);
        QVERIFY(says(finding.hint, "NVreg_RestrictProfilingToAdminUsers=0"));
        machine.container = ContainerKind::docker;
        QVERIFY(says(on("counters", machine).hint, "--cap-add=SYS_ADMIN"));
        machine.container = ContainerKind::kubernetes;
        QVERIFY(says(on("counters", machine).hint, "securityContext"));
        machine.bounding = 1ULL << 21;
        QVERIFY(says(on("counters", machine).hint, "run as root inside of it"));
        machine.own_users = true;
        QVERIFY(says(on("counters", machine).hint, "hostUsers"));
        machine.capabilities = 1ULL << 21;
        QCOMPARE(on("counters", machine).readiness, Readiness::missing);
        machine.own_users = false;
        machine.capabilities = 1ULL << 38;
        QCOMPARE(on("counters", machine).readiness, Readiness::ready);
    }

    void a_driver_that_does_not_tell_is_no_promise() {
        Machine machine = workstation();
        machine.counters_are_restricted.reset();
        QCOMPARE(on("counters", machine).readiness, Readiness::limited);
    }

    void hidden_gpus_are_named() {
        Machine machine = workstation();
        machine.device_node = false;
        QVERIFY(says(on("GPU", machine).what, "H100 PCIe, but /dev/nvidiactl"));
        machine.gpus.clear();
        QCOMPARE(on("GPU", machine).readiness, Readiness::missing);
    }

    void windows_lends_its_driver() {
        Machine machine;
        machine.windows_subsystem = true;
        QCOMPARE(on("driver", machine).readiness, Readiness::ready);
        QVERIFY(says(on("counters", machine).hint, "NVIDIA Control Panel"));
        QCOMPARE(on("driver", machine, {}).readiness, Readiness::missing);
    }

    void nsight_compute_may_be_missing() {
        QCOMPARE(on("Nsight Compute", workstation(), {13000, std::nullopt, {}}).readiness,
                 Readiness::missing);
    }

    void without_cupti_passes_are_not_counted() {
        const CapabilityFinding finding = on("CUPTI", workstation(), {13000, "/usr/bin/ncu", {}});
        QCOMPARE(finding.readiness, Readiness::limited);
        QVERIFY(says(finding.hint, "CUDA_HOME"));
    }

    void the_cupti_that_plans_is_named_and_those_that_do_not() {
        NvidiaSoftware software = everything;
        QVERIFY(says(on("CUPTI", workstation()).what, "libcupti.so.13 (CUDA 13.0)"));
        software.cupti.passed_over.push_back(
            {ErrorCode::unsupported_version, "It dies", "/new/libcupti.so.13", "Take another."});
        CapabilityFinding finding = on("CUPTI", workstation(), software);
        QCOMPARE(finding.readiness, Readiness::ready);
        QVERIFY2(says(finding.what, "(CUDA 13.0)") && says(finding.what, "/new/libcupti.so.13: It dies"),
                 finding.what.c_str());
        software.cupti.library.clear();
        finding = on("CUPTI", workstation(), software);
        QCOMPARE(finding.readiness, Readiness::limited);
        QVERIFY2(says(finding.what, "/new/libcupti.so.13: It dies"), finding.what.c_str());
        QCOMPARE(finding.hint, std::string("Take another."));
    }

    void a_driver_before_cuda_13_has_cupti_12() {
        CapabilityFinding finding =
            on("CUPTI", workstation(), {12040, "/usr/bin/ncu", {"/x/libcupti.so.12", 28, {}}});
        QCOMPARE(finding.readiness, Readiness::ready);
        QVERIFY2(says(finding.what, "CUDA 12.9"), finding.what.c_str());
        finding = on("CUPTI", workstation(), {11080, "/usr/bin/ncu", {"/x/libcupti.so.12", 28, {}}});
        QCOMPARE(finding.readiness, Readiness::missing);
        QVERIFY2(says(finding.what, "CUDA 11.8"), finding.what.c_str());
        QVERIFY(says(finding.hint, "525") && says(finding.hint, "Nsight Compute"));
    }

    void a_gpu_of_no_table_is_told_what_is_known_of_it() {
        Machine machine = workstation();
        machine.gpus = {"NVIDIA H100 PCIe", "NVIDIA Z9000", "NVIDIA Z9000"};
        CapabilityFinding finding = on("chip", machine);
        QCOMPARE(finding.readiness, Readiness::limited);
        QVERIFY2(finding.what.starts_with("NVIDIA Z9000 is in no table"), finding.what.c_str());
        QVERIFY(says(finding.what, "shows when recording starts") && says(finding.hint, "--chip all"));
        QVERIFY(!says(finding.what, "newer than CUPTI"));
        const auto findings = check_capabilities(machine, everything);
        QCOMPARE(std::ranges::count(findings, "chip", &CapabilityFinding::subject), 1);

        machine.chips = {"GH100", "GB202", "GB202"};
        QVERIFY(says(on("chip", machine).what, "without CUPTI"));
        NvidiaSoftware asked = everything;
        asked.cupti.chips = {"GH100", "GB202"};
        finding = on("chip", machine, asked);
        QCOMPARE(finding.readiness, Readiness::ready);
        QVERIFY2(says(finding.what, "CUPTI counts on its chip, GB202"), finding.what.c_str());
        asked.cupti.chips = {"GH100"};
        finding = on("chip", machine, asked);
        QCOMPARE(finding.readiness, Readiness::limited);
        QVERIFY(says(finding.what, "does not count on its chip, GB202") && says(finding.hint, "newer"));
    }

    void a_share_of_a_gpu_may_have_no_counters() {
        Machine machine = workstation();
        machine.gpus = {"NVIDIA A40-48Q"};
        machine.virtual_gpu = true;
        QVERIFY(says(on("vGPU", machine).hint, "enable_profiling"));
        QCOMPARE(on("chip", machine).subject, std::string("absent"));
    }

    void services_that_limit_are_named() {
        Machine machine = workstation();
        machine.multi_process_service = true;
        machine.multi_instance = true;
        QCOMPARE(on("MPS", machine).readiness, Readiness::limited);
        QCOMPARE(on("MIG", machine).readiness, Readiness::limited);
    }
};

}  // namespace tst_capability_check

ROOFWALK_TEST(tst_capability_check, TestCapabilityCheck, NoApplication)
#include "tst_capability_check.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/import/open_profile.h"
#include "core/roofline/unit_throughput.h"
#include "tests/core/import/fake_ncu_metrics.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/support/samples.h"

namespace tst_ncu_metrics_samples {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr std::array levels{Boundary::hbm_dram_rw, Boundary::l2_sm_sectors, Boundary::smem_wavefronts};
constexpr const char* no_samples = "samples are not beside this checkout";

Profile profile_of(std::string_view prefix) {
    const auto report = sample(prefix);
    if (report.empty()) return {};
    auto profile = open_profile(report);
    return profile ? std::move(*profile) : Profile{};
}

bool has_contradiction(const Profile& profile, std::size_t launch) {
    return std::ranges::any_of(profile.warnings, [&](const Warning& warning) {
        return warning.message.code == ErrorCode::contradiction &&
               std::ranges::binary_search(warning.launches, static_cast<LaunchIndex>(launch));
    });
}

std::size_t index_in(const Profile& profile, const Launch& launch) {
    return static_cast<std::size_t>(&launch - profile.launches.data());
}

/// The share of the peak that the busiest part of L1 reached, of the elapsed cycles.
std::optional<double> l1_throughput(const Profile& profile, const Launch& launch) {
    const std::array one{static_cast<LaunchIndex>(index_in(profile, launch))};
    return StoredThroughput(profile).of(one)[HardwareUnit::l1tex];
}

double share(const Launch& launch, Boundary boundary) {
    return launch.find(boundary)->total.value() / launch.duration->value() /
           launch.ceilings->find(boundary)->rate.value();
}

double sectors(const Launch& launch, const std::optional<Bytes> TrafficSample::*part) {
    const TrafficSample* traffic = launch.find(Boundary::l2_sm_sectors);
    return traffic && traffic->*part ? (traffic->*part)->value() / 32 : -1;
}

double wavefronts(const Launch& launch) {
    const TrafficSample* traffic = launch.find(Boundary::smem_wavefronts);
    return traffic ? traffic->total.value() / 128 : -1;
}

double work(const Launch& launch, Pipe pipe) {
    const WorkSample* sample = launch.find(pipe);
    return sample ? sample->work.value() : -1;
}

}  // namespace

/// What the metrics of real reports come to.
class TestNcuMetricsSamples : public QObject {
    Q_OBJECT

  private slots:
    void every_full_report_has_three_levels_and_their_ceilings() {
        int launches = 0;
        for (const auto& report : sample_reports()) {
            if (report.filename().string().find("_full") == std::string::npos) continue;
            const auto profile = open_profile(report);
            QVERIFY2(profile.has_value(), report.c_str());
            for (const Launch& launch : profile->launches) {
                if (launch.failed) continue;
                ++launches;
                for (const Boundary boundary : levels) {
                    const bool refused = boundary == Boundary::smem_wavefronts &&
                                         has_contradiction(*profile, index_in(*profile, launch));
                    QVERIFY2(launch.find(boundary) || refused, report.c_str());
                    QVERIFY2(launch.ceilings && launch.ceilings->find(boundary), report.c_str());
                }
                QVERIFY2(!launch.work.empty() || has_contradiction(*profile, index_in(*profile, launch)),
                         report.c_str());
            }
        }
        if (launches == 0) QSKIP(no_samples);
        QVERIFY(launches > 90);
    }

    void nothing_is_above_its_ceiling_unless_counters_contradict_each_other() {
        constexpr double tolerance = 1.02;
        int compared = 0;
        for (const auto& report : sample_reports()) {
            const auto profile = open_profile(report);
            QVERIFY2(profile.has_value(), report.c_str());
            for (std::size_t i = 0; i < profile->launches.size(); ++i) {
                const Launch& launch = profile->launches[i];
                if (!launch.ceilings || !launch.duration || has_contradiction(*profile, i)) continue;
                for (const BandwidthCeiling& ceiling : launch.ceilings->bandwidth)
                    if (const TrafficSample* traffic = launch.find(ceiling.boundary)) {
                        QVERIFY2(traffic->total / *launch.duration <= ceiling.rate * tolerance,
                                 report.c_str());
                        ++compared;
                    }
                for (const ComputeCeiling& ceiling : launch.ceilings->compute)
                    if (const WorkSample* done = launch.find(ceiling.pipe)) {
                        QVERIFY2(done->work / *launch.duration <= ceiling.rate * tolerance, report.c_str());
                        ++compared;
                    }
            }
        }
        if (compared == 0) QSKIP(no_samples);
        QVERIFY(compared > 1000);
    }

    void the_share_of_l1_on_turing_is_what_the_profiler_says_where_wavefronts_keep_it_busy() {
        struct Busy {
            const char* report;
            std::size_t launch;
            double share;
        };
        for (const Busy& busy : {Busy{"2025.1.1_t4", 2, 0.9993}, Busy{"2025.1.1_t4", 0, 0.3994},
                                 Busy{"2024.1.1_gtx1660s", 0, 0.0315}, Busy{"2024.1.1_gtx1660s", 1, 0.8110},
                                 Busy{"2023.2.0_rtx5000-turing_wmma_3kernels_set-roofline", 1, 0.8363},
                                 Busy{"2023.2.0_rtx5000-turing_wmma_3kernels_set-roofline", 2, 0.9518}}) {
            const Profile profile = profile_of(busy.report);
            if (profile.launches.empty()) QSKIP(no_samples);
            const Launch& launch = profile.launches[busy.launch];
            const double of_l1 = share(launch, Boundary::l1_unified);
            QVERIFY2(std::abs(of_l1 / busy.share - 1) < 0.001, qPrintable(QString::number(of_l1)));
            const auto stored = l1_throughput(profile, launch);
            QVERIFY(stored.has_value());
            QVERIFY2(std::abs(of_l1 / *stored - 1) < 0.02, busy.report);
        }
    }

    void the_throughput_of_l1tex_by_elapsed_cycles_is_that_of_its_busiest_part() {
        struct Busy {
            const char* report;
            std::size_t launch;
            double share;
        };
        // As the report states it by active cycles where the part that counts twice is the busiest (2070
        // SUPER to V100), by elapsed cycles where it states that (T4, 1660 SUPER), else the busiest part
        // (A100, GTX 1650).
        for (const Busy& busy :
             {Busy{"2023.3.1_rtx2070s", 0, 0.92855}, Busy{"2022.1.1_a40", 0, 0.33033},
              Busy{"2022.3.0_rtx3070_nvtx", 0, 0.36867}, Busy{"2023.3.0_v100", 0, 0.24494},
              Busy{"2023.2.0_rtx5000-turing_wmma_3kernels_set-roofline", 1, 0.83631},
              Busy{"2025.1.1_t4", 0, 0.39945}, Busy{"2024.1.1_gtx1660s", 1, 0.81099},
              Busy{"2021.2.2_a100_154", 0, 0.46459}, Busy{"2021.2.2_a100_154", 4, 0.0014351},
              Busy{"2021.3.1_gtx1650", 40, 0.0057101}}) {
            const Profile profile = profile_of(busy.report);
            if (profile.launches.empty()) QSKIP(no_samples);
            const auto found = l1_throughput(profile, profile.launches[busy.launch]);
            QVERIFY2(found && std::abs(*found / busy.share - 1) < 1e-4, busy.report);
        }
    }

    void the_throughput_of_l1tex_lies_between_that_by_active_cycles_and_it_scaled() {
        constexpr double rounding = 1.02;
        constexpr double passes = 1.12;  // those of launches of 2 us differ by a tenth in active cycles
        int compared = 0;
        for (const auto& report : sample_reports()) {
            const auto profile = open_profile(report);
            QVERIFY2(profile.has_value(), report.c_str());
            for (const Launch& launch : profile->launches) {
                const auto while_active =
                    profile->metric(launch, "l1tex__throughput.avg.pct_of_peak_sustained_active");
                const auto active = profile->metric(launch, "sm__cycles_active.avg");
                const auto elapsed = profile->metric(launch, "gpc__cycles_elapsed.max");
                const auto share = l1_throughput(*profile, launch);
                if (launch.failed || !while_active || !active || !elapsed || !share) continue;
                ++compared;
                QVERIFY2(*share * 100 <= *while_active * rounding, report.c_str());
                QVERIFY2(*share * 100 * passes >= *while_active * *active / *elapsed, report.c_str());
                QVERIFY2(profile->metric(launch, l1tex_share_of_parts) ||
                             profile->metric(launch, metric_of(HardwareUnit::l1tex)),
                         report.c_str());
            }
        }
        if (compared == 0) QSKIP(no_samples);
        QVERIFY2(compared > 550, qPrintable(QString::number(compared)));
    }

    void parts_of_l1tex_tell_its_throughput_only_where_they_explain_it() {
        // Those of a T4, whose report states 39.9452 % by elapsed cycles.
        const auto name = [](std::string_view part) {
            return "l1tex__" + std::string(part) + ".avg.pct_of_peak_sustained_elapsed";
        };
        FakeNcuMetrics metrics;
        metrics.values = {{"l1tex__throughput.avg.pct_of_peak_sustained_active", 40.361079419920344},
                          {"sm__cycles_active.avg", 129899.4},
                          {"gpc__cycles_elapsed.max", 131344},
                          {name("lsuin_requests"), 39.93911868352533},
                          {name("data_pipe_lsu_wavefronts"), 19.969559341762665},
                          {name("m_l1tex2xbar_req_cycles_active"), 19.97260645469934}};
        const auto of_parts = [&](const Device& device) {
            const AppliedLaunch applied = apply(metrics, device);
            return applied.profile.metric(applied.launch, l1tex_share_of_parts).value_or(-1);
        };
        QVERIFY(std::abs(of_parts(device_of(7, 5, 40)) - 39.94521290939868) < 1e-9);
        QVERIFY(std::abs(of_parts(device_of(9, 0, 40)) - 39.93911868352533) < 1e-9);
        // Of a chip that nothing is known of, the figure tells what counts twice.
        metrics.values["l1tex__throughput.avg.pct_of_peak_sustained_active"] = 2 * 19.97260645469934;
        QVERIFY(std::abs(of_parts(device_of(12, 0, 40)) - 39.94521290939868) < 1e-9);
        metrics.values["l1tex__throughput.avg.pct_of_peak_sustained_active"] = 60;
        QCOMPARE(of_parts(device_of(7, 5, 40)), -1.0);
        metrics.values["l1tex__throughput.avg.pct_of_peak_sustained_elapsed"] = 59;
        metrics.values["l1tex__throughput.avg.pct_of_peak_sustained_active"] = 40.361079419920344;
        QCOMPARE(of_parts(device_of(7, 5, 40)), -1.0);
    }

    void no_kernel_of_a_turing_report_is_above_a_roof_of_l1_or_shared_memory() {
        int compared = 0;
        for (const auto& report : sample_reports()) {
            const auto profile = open_profile(report);
            QVERIFY2(profile.has_value(), report.c_str());
            for (const Launch& launch : profile->launches) {
                if (launch.failed || !launch.duration || !launch.ceilings ||
                    profile->device_of(launch).compute_capability != ComputeCapability{7, 5})
                    continue;
                for (const Boundary boundary : {Boundary::l1_unified, Boundary::l1_writeback,
                                                Boundary::l1_tag, Boundary::smem_wavefronts})
                    if (launch.find(boundary) && !has_contradiction(*profile, index_in(*profile, launch))) {
                        ++compared;
                        QVERIFY2(share(launch, boundary) <= 1, report.c_str());
                    }
            }
        }
        if (compared == 0) QSKIP(no_samples);
        QVERIFY2(compared > 250, qPrintable(QString::number(compared)));
    }

    void shared_memory_wavefronts_of_turing_are_those_of_the_instructions() {
        const Profile profile = profile_of("2024.1.1_gtx1660s");
        if (profile.launches.empty()) QSKIP(no_samples);
        // 102,400 loads and 81,920 stores of 32 words each, without a conflict: 128 bytes an instruction.
        QCOMPARE(wavefronts(profile.launches[1]), 102400.0 + 81920.0);
    }

    void l2_sectors_of_rms_norm_on_h100() {
        const Profile profile = profile_of("2025.1.0_h100");
        if (profile.launches.empty()) QSKIP(no_samples);
        QCOMPARE(sectors(profile.launches[0], &TrafficSample::read), 16555924.0);
        QCOMPARE(sectors(profile.launches[0], &TrafficSample::write), 8388608.0);
    }

    void shared_memory_of_julia_on_a40() {
        const Profile profile = profile_of("2022.1.1_a40");
        if (profile.launches.empty()) QSKIP(no_samples);
        QCOMPARE(wavefronts(profile.launches[0]), 0.0);
        QCOMPARE(wavefronts(profile.launches[1]), 209190912.0);
        QCOMPARE(work(profile.launches[1], {PipeKind::tensor_int8}), 528482304.0 * 2048);
    }

    void silu_and_kripke_use_no_shared_memory() {
        const Profile silu = profile_of("2025.1.0_a100");
        const Profile kripke = profile_of("2023.3.0_v100");
        if (silu.launches.empty() || kripke.launches.empty()) QSKIP(no_samples);
        QCOMPARE(wavefronts(silu.launches[0]), 0.0);
        QCOMPARE(wavefronts(kripke.launches[0]), 0.0);
    }

    void matrix_product_on_rtx_3080() {
        const Profile profile = profile_of("2023.2.0_rtx3080");
        if (profile.launches.empty()) QSKIP(no_samples);
        QCOMPARE(wavefronts(profile.launches[0]), 11272192.0);
        QCOMPARE(work(profile.launches[0], {PipeKind::fp32}), 2.0 * 1024 * 1024 * 1024);
    }

    void matrix_product_on_t4() {
        const Profile profile = profile_of("2025.1.1_t4");
        if (profile.launches.empty()) QSKIP(no_samples);
        QCOMPARE(work(profile.launches[2], {PipeKind::tensor_fp16}), 2.0 * 4096 * 4096 * 4096);
    }

    void tensor_kernel_of_cutlass_does_the_work_of_its_reference() {
        const Profile profile = profile_of("2024.1.1_a100");
        if (profile.launches.empty()) QSKIP(no_samples);
        QCOMPARE(work(profile.launches[0], {PipeKind::tensor_int8}), 113246208.0);
        QCOMPARE(work(profile.launches[1], {PipeKind::fp32}), 113246208.0);
    }

    void tensor_kernel_without_operation_counters_is_near_its_peak() {
        const Profile profile = profile_of("2023.3.1_a100");
        if (profile.launches.empty()) QSKIP(no_samples);
        const Launch& launch = profile.launches[0];
        QCOMPARE(work(launch, {PipeKind::tensor_fp16}), 17280000000.0 * 4096);
        const double peak = launch.ceilings->find(Pipe{PipeKind::tensor_fp16})->rate.value();
        const double expected = 2048.0 * 108 * 1387563103.2408936;
        QVERIFY(std::abs(peak / expected - 1) < 1e-6);
    }

    void mixed_counters_of_application_replay_are_told() {
        const Profile profile = profile_of("2023.2.0_rtx5000-turing_wmma_3kernels_full");
        if (profile.launches.empty()) QSKIP(no_samples);
        for (const std::size_t kernel : {0U, 1U, 2U})
            QVERIFY(has_contradiction(profile, kernel));
        // Time and DRAM bytes are those of another launch: no rate is made of them and of what this one did.
        const Launch& mixed = profile.launches[2];
        QVERIFY(!mixed.find(Boundary::smem_wavefronts));
        QVERIFY(mixed.work.empty());
        QVERIFY(mixed.find(Boundary::hbm_dram_rw) && mixed.find(Boundary::l2_sm_sectors));
        QVERIFY(profile.launches[0].find(Boundary::smem_wavefronts));
    }

    void same_kernel_counted_by_pipe_and_by_opcode_agrees() {
        const Profile by_pipe = profile_of("2023.2.0_rtx5000-turing_wmma_3kernels_set-roofline");
        if (by_pipe.launches.empty()) QSKIP(no_samples);
        // 2048 * HMMA.1688.F32 of the report of the same program by opcode.
        QCOMPARE(work(by_pipe.launches[2], {PipeKind::tensor_any}), 2199023255552.0);
        QCOMPARE(by_pipe.launches[2].find(Pipe{PipeKind::tensor_any})->origin, Origin::estimated);
    }
};

}  // namespace tst_ncu_metrics_samples

ROOFWALK_TEST(tst_ncu_metrics_samples, TestNcuMetricsSamples, NoApplication)
#include "tst_ncu_metrics_samples.moc"

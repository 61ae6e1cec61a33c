// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/import/ncu/ncu_metric_set.h"
#include "core/import/open_profile.h"
#include "core/roofline/analysis.h"
#include "core/roofline/utilisation.h"
#include "tests/core/import/fake_ncu_metrics.h"
#include "tests/core/import/ncu_oracle.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/support/samples.h"

namespace tst_verdict_coverage {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

/// A throughput over a whole launch, or samples over time of issue or DRAM, where there are enough for a
/// mean.
bool is_throughput(std::string_view name, std::size_t instances) {
    if (name.starts_with("pmsampling:"))
        return instances >= least_pm_samples &&
               (name.find("inst_executed_realtime") != std::string_view::npos ||
                name.find("dramc__throughput") != std::string_view::npos);
    if (name.find(':') != std::string_view::npos) return false;
    return name.find("throughput.avg.pct_of_peak_sustained") != std::string_view::npos ||
           name.ends_with("__sol_pct");
}

/// By launch, whether its result holds a throughput under any name, known to Roofwalk or not.
std::vector<bool> launches_with_throughput(const OracleReport& report) {
    std::vector<bool> held;
    ncu::MetricSet metrics;
    for (const DecodedResult& result : report.results()) {
        metrics.load(result.entry.metrics, *result.names);
        bool any = false;
        metrics.for_each_entry([&](std::string_view name, const ncu::Value& value, std::string_view entry) {
            std::size_t instances = 0;
            ncu::MetricSet::for_each_instance_of(entry,
                                                 [&](const ncu::Value&, const ncu::Value&) { ++instances; });
            any = any || ((value.finite() || instances > 0) && is_throughput(name, instances));
        });
        held.push_back(any);
    }
    return held;
}

bool moves_bytes(const KernelPoint& point) {
    return std::ranges::any_of(point.levels,
                               [](const auto& level) { return level && level->bytes.value() > 0; });
}

/// Class, binding level or busy unit, and distance.
bool is_judged(const KernelPoint& point) {
    switch (point.verdict.kernel_class) {
        case KernelClass::not_measured:
        case KernelClass::work_incomplete:
        case KernelClass::only_timed:
            return false;
        default:
            return !limit_label(point).empty() && share_of_limit(point).has_value();
    }
}

}  // namespace

class TestVerdictCoverage : public QObject {
    Q_OBJECT

  private slots:
    void kernels_with_a_time_and_bytes_or_a_throughput_have_a_verdict() {
        if (sample_reports().empty()) QSKIP("samples are not beside this checkout");
        std::size_t held = 0;
        std::vector<std::string> without;
        for (const auto& path : sample_reports()) {
            const auto profile = open_profile(path);
            QVERIFY(profile.has_value());
            const std::vector<bool> throughput = launches_with_throughput(OracleReport(path));
            QCOMPARE(throughput.size(), profile->launches.size());
            const Analysis analysis = analyse(*profile, {});
            for (const KernelPoint& point : analysis.points) {
                const auto launches = analysis.grouping.launches_of(analysis.grouping.groups[point.group]);
                const bool told =
                    moves_bytes(point) || std::ranges::any_of(launches, [&](LaunchIndex launch) {
                        return throughput[static_cast<std::size_t>(launch)];
                    });
                if (!point.time || !told) continue;
                ++held;
                if (!is_judged(point)) without.push_back(path.filename().string() + ": " + point.name);
            }
        }
        for (const std::string& kernel : without)
            qWarning("%s", kernel.c_str());
        QVERIFY(held >= 100);
        QVERIFY2(without.size() * 20 <= held,
                 qPrintable(QString("%1 of %2 have none").arg(without.size()).arg(held)));
    }
    void throughputs_of_2019_count_by_their_names_since() {
        const auto path = sample("2019.x_gtx1070ti");
        if (path.empty()) QSKIP("samples are not beside this checkout");
        const auto profile = open_profile(path);
        QVERIFY(profile.has_value());
        const auto metric = [&](std::string_view name) {
            ncu::MetricSet metrics;
            const OracleReport report(path);
            metrics.load(report.results()[0].entry.metrics, *report.results()[0].names);
            return metrics.finite(name).value_or(-1) / 100;
        };
        const double memory = metric("gpu__compute_memory_sol_pct");
        const double sm = metric("sm__sol_pct");
        const Analysis analysis = analyse(*profile, {});
        QVERIFY(std::ranges::all_of(analysis.points, is_judged));
        const auto brief = std::ranges::min_element(analysis.points, {}, &KernelPoint::time);
        const auto& shares = brief->throughput;
        QCOMPARE(shares[HardwareUnit::memory].value(), memory);
        QCOMPARE(shares[HardwareUnit::sm].value(), sm);
        QVERIFY(!shares[HardwareUnit::l1tex]);  // stored for the cycles only in which it was active
    }
    void pm_samples_stand_for_counters_that_lack() {
        const auto path = sample("2024.3.2_a100_17kernels_set-pmsampling-only");
        if (path.empty()) QSKIP("samples are not beside this checkout");
        const auto profile = open_profile(path);
        QVERIFY(profile.has_value());
        const Analysis analysis = analyse(*profile, {});
        const auto kernel = [&](std::string_view name) -> const KernelPoint& {
            return *std::ranges::find_if(analysis.points, [&](const KernelPoint& point) {
                return point.name.find(name) != std::string::npos;
            });
        };
        // Of each of two launches 244 samples, whose means are 76.6 % of the issue slots.
        const KernelPoint& sums = kernel("SquaredSums");
        QCOMPARE(sums.sampled.samples, 488.0);
        QVERIFY(sums.sampled.units[HardwareUnit::sm] && sums.sampled.units[HardwareUnit::dram]);
        QVERIFY(std::abs(sums.throughput[HardwareUnit::sm].value() - 0.7657) < 0.0001);
        QVERIFY(std::abs(sums.throughput[HardwareUnit::dram].value() - 0.0570) < 0.0001);
        QCOMPARE(sums.verdict.kernel_class, KernelClass::compute_bound);
        QVERIFY(has_approximate_recovery(sums));
        // The tensor pipe, over 73 % of its time.
        const KernelPoint& pairs = kernel("FindPairs");
        QVERIFY(std::abs(pairs.throughput[HardwareUnit::sm].value() - 0.5927) < 0.0005);
        QCOMPARE(pairs.verdict.kernel_class, KernelClass::low_use);  // L2 and L1 are not judged
        for (const KernelPoint& point : analysis.points) {
            if (&point == &sums || &point == &pairs) continue;
            QCOMPARE(point.verdict.kernel_class, KernelClass::not_measured);
            QVERIFY(point.sampled.samples < least_pm_samples && !point.sampled.units[HardwareUnit::sm]);
        }
    }
    void means_of_pm_samples_are_what_counters_tell() {
        int compared = 0;
        for (const char* report : {"2024.3.0_a100_4kernels_full_pmsampling", "2025.1.0_h100-pcie_rmsnorm"}) {
            const auto path = sample(report);
            if (path.empty()) QSKIP("samples are not beside this checkout");
            const OracleReport oracle(path);
            for (const DecodedResult& result : oracle.results()) {
                ncu::MetricSet set;
                set.load(result.entry.metrics, *result.names);
                NcuMetrics metrics;
                metrics.value = [&](std::string_view name) {
                    return name == "gpu__time_duration.sum" ? set.finite(name) : std::nullopt;
                };
                metrics.for_each_sample = [&](std::string_view name, const auto& visit) {
                    set.for_each_sample(name, visit);
                };
                const AppliedLaunch applied = apply(metrics, Device());
                const auto sm = applied.profile.metric(applied.launch, sm_share_of_samples);
                const auto dram = applied.profile.metric(applied.launch, dram_share_of_samples);
                if (!sm) continue;  // 2 us, or samples of 28 % of the time
                ++compared;
                QVERIFY(std::abs(*sm / *set.finite(metric_of(HardwareUnit::sm)) - 1) < 0.01);
                const double of_dram = *dram / *set.finite(metric_of(HardwareUnit::dram));
                QVERIFY(of_dram > 0.75 && of_dram < 1.02);  // on an A100 less than its counter
            }
        }
        QCOMPARE(compared, 6);
    }
    void atomics_on_one_address_keep_one_slice_of_l2_busy() {
        const auto path = sample("2024.1.1_gtx1660s");
        if (path.empty()) QSKIP("samples are not beside this checkout");
        const auto profile = open_profile(path);
        QVERIFY(profile.has_value());
        const Analysis analysis = analyse(*profile, {});
        const KernelPoint& naive = analysis.points[0];
        const double share = naive.throughput[HardwareUnit::l2_slice].value();
        QCOMPARE(share, 0.6487288871779577);
        QCOMPARE(naive.throughput[HardwareUnit::l2].value(), 0.05608151337792553);
        QCOMPARE(naive.verdict.kernel_class, KernelClass::memory_bound);
        QVERIFY(naive.verdict.busy->unit == HardwareUnit::l2_slice);
        QVERIFY(qFuzzyCompare(recoverable_time(naive)->value(), naive.time->value() * (1 - share)));
        QVERIFY(!analysis.points[1].throughput[HardwareUnit::l2_slice]);  // 20.3 % beside 20.0 %
    }
};

}  // namespace tst_verdict_coverage

ROOFWALK_TEST(tst_verdict_coverage, TestVerdictCoverage, NoApplication)
#include "tst_verdict_coverage.moc"

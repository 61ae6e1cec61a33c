// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <set>
#include <tuple>

#include "core/roofline/utilisation.h"
#include "core/roofline/verdict.h"
#include "core/roofline/verdict_words.h"
#include "core/scenario/promise.h"
#include "tests/core/roofline/profiles.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_verdict {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr Boundary hbm = Boundary::hbm_dram_rw;
constexpr Boundary l2 = Boundary::l2_sm_sectors;
constexpr Boundary l1 = Boundary::l1_unified;

/// Takes one second; `memory` and `compute` are the shares of the HBM and FP32 ceilings it reaches.
KernelPoint reaching(double memory, double compute, const AnalysisOptions& options = {}) {
    const Device device = machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 1e12)});
    return point_of(
        profile_of(device, {launch(1, {{fp32, compute * 10e12}},
                                   {{hbm, memory * 1e12}, {l2, 0}, {Boundary::smem_wavefronts, 0}})}),
        options);
}

/// 30 % of HBM and 10 % of FP32, no bytes at other levels, and what the profiler said of L1TEX, L2, the SM
/// and memory as a whole [%].
KernelPoint launched_with_throughput(const Launch& one, std::optional<double> l1tex,
                                     std::optional<double> l2_percent, std::optional<double> sm = {},
                                     std::optional<double> memory = {}, std::optional<double> dram = {}) {
    Profile profile =
        profile_of(machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 1e12)}), {one});
    const auto add = [&](HardwareUnit unit, std::optional<double> percent) {
        if (percent) profile.launches[0].metrics.push_back({profile.texts.intern(metric_of(unit)), *percent});
    };
    add(HardwareUnit::l1tex, l1tex);
    add(HardwareUnit::l2, l2_percent);
    add(HardwareUnit::sm, sm);
    add(HardwareUnit::memory, memory);
    add(HardwareUnit::dram, dram);
    return point_of(profile);
}

/// A launch with a share of the SM and a quarter of it of L1TEX, or with neither.
struct SmLaunch {
    std::optional<double> seconds;
    std::optional<double> sm;  ///< [%]
    double bytes = 0;          ///< of HBM; 0: not counted
};
KernelPoint of_launches(std::initializer_list<SmLaunch> launches, GroupBy group_by = GroupBy::kernel,
                        std::size_t which = 0) {
    Profile profile = profile_of(machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 1e12)}), {});
    for (const SmLaunch& each : launches) {
        const double seconds = each.seconds.value_or(1);
        Launch& one = profile.launches.emplace_back(launch(seconds, {}, {}));
        if (each.bytes > 0) one = launch(seconds, {}, {{hbm, each.bytes}});
        if (!each.seconds) one.duration.reset();
        if (!each.sm) continue;
        one.metrics = {{profile.texts.intern(metric_of(HardwareUnit::sm)), *each.sm},
                       {profile.texts.intern(metric_of(HardwareUnit::l1tex)), *each.sm / 4}};
    }
    AnalysisOptions options;
    options.group_by = group_by;
    return analyse(profile, options).points.at(which);
}

KernelPoint with_throughput(std::optional<double> l1tex, std::optional<double> l2_percent,
                            std::optional<double> sm = {}, std::optional<double> memory = {}) {
    return launched_with_throughput(launch(1, {{fp32, 1e12}}, {{hbm, 0.3e12}}), l1tex, l2_percent, sm,
                                    memory);
}

/// Launches of one second each, half of them at these shares of HBM and FP32, half at those.
KernelPoint of_two_kinds(double memory, double compute, double other_memory, double other_compute) {
    Profile profile = profile_of(machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 1e12)}), {});
    for (int i = 0; i < 5; ++i)
        for (const auto& [bytes, work] : {std::pair(memory, compute), std::pair(other_memory, other_compute)})
            profile.launches.push_back(launch(
                1, {{fp32, work * 10e12}}, {{hbm, bytes * 1e12}, {l2, 0}, {Boundary::smem_wavefronts, 0}}));
    return point_of(profile);
}

KernelClass class_of(double memory, double compute) {
    return reaching(memory, compute).verdict.kernel_class;
}

}  // namespace

class TestVerdict : public QObject {
    Q_OBJECT

  private slots:
    void bytes_made_of_the_share_of_dram_are_judged_as_that_share() {
        Launch one = launch(1, {}, {{hbm, 0.64e12}});
        one.traffic[0].origin = Origin::estimated;
        const KernelPoint made = launched_with_throughput(one, 20, 30, 10, {}, 66.5);
        QVERIFY(made.verdict.nearest->of == decltype(NearestLimit::of)(HardwareUnit::dram));
        QCOMPARE(share_of_limit(made), std::optional(0.665));
        QVERIFY(!has_approximate_gap(made));
        one.traffic[0].origin = Origin::measured;
        const KernelPoint counted = launched_with_throughput(one, 20, 30, 10, {}, 66.5);
        QVERIFY(counted.verdict.nearest->of == decltype(NearestLimit::of)(hbm));
    }
    void a_share_that_the_profiler_told_is_exact_and_one_that_follows_from_bytes_is_not() {
        Launch one = launch(1, {{fp32, 1e12}}, {{hbm, 0.665e12}});
        one.traffic[0].origin = Origin::estimated;
        const auto shown = [](const KernelPoint& point) {
            return std::tuple(has_approximate_share(point), has_approximate_gap(point),
                              has_approximate_recovery(point), is_inexact(point, MemoryLevel::hbm));
        };
        const KernelPoint told = launched_with_throughput(one, 20, 30, 10, {}, 66.5);
        QVERIFY(told.gap && is_judged_by_roof(told));
        QVERIFY(shown(told) == std::tuple(false, false, false, true));  // its bytes are estimated still
        one.traffic[0].total = Bytes(0.7e12);                           // of another ceiling
        QVERIFY(shown(launched_with_throughput(one, 20, 30, 10, {}, 66.5)) ==
                std::tuple(true, true, true, true));
    }
    void what_is_nearest_to_its_limit_is_told_wherever_a_kernel_is_judged() {
        const KernelPoint point = with_throughput(50, 20, 70);  // 30 % of HBM
        QCOMPARE(limit_label(point), std::string("SM"));
        QCOMPARE(share_of_limit(point), std::optional(0.7));
        QVERIFY(!is_judged_by_roof(point));
        QCOMPARE(limit_words(point), std::string("limit of SM"));
        QCOMPARE(roof_beside(point), std::string("30.0 % of its DRAM roof"));
        QVERIFY(limiting_level(point) == MemoryLevel::hbm);  // whose bytes may still be too many
        QVERIFY(roof_beside(with_throughput(20, 20, 25)).empty());
    }
    void reads_or_writes_alone_are_the_least_that_hbm_moves() {
        Profile profile = profile_of(machine({}, {bandwidth_ceiling(hbm, 1e12)}), {launch(1, {}, {})});
        for (const std::string_view counter : {dram_reads, dram_writes}) {
            profile.launches[0].metrics = {{profile.texts.intern(counter), 0.64e12}};
            const KernelPoint point = point_of(profile);
            QCOMPARE(point.hbm_at_least->value(), 0.64e12);
            QCOMPARE(share_of_limit(point), std::optional(0.64));
            QVERIFY(point.verdict.kernel_class == KernelClass::memory_bound && !point.at(MemoryLevel::hbm));
            for (const std::string& words :
                 {class_text(point), rule_text(point, {}), verdict_sentences(point).text()})
                QVERIFY2(words.find(" at least") != std::string::npos, words.c_str());
            QVERIFY(point.recoverable->at_most);
            QVERIFY(recoverable_words(point).find("at most 360 ms") != std::string::npos);
            QVERIFY(point.hbm_read_alone == (counter == dram_reads));
            QVERIFY(point.hbm_written_alone == (counter == dram_writes));
        }
        const auto class_at = [&](double bytes) {
            profile.launches[0].metrics = {{profile.texts.intern(dram_reads), bytes}};
            return point_of(profile).verdict;
        };
        QCOMPARE(class_at(0.9e12).kernel_class, KernelClass::near_roof);
        QCOMPARE(class_at(0.25e12).kernel_class, KernelClass::low_use);  // it may have written as much
        (void)class_at(0.64e12);
        Profile untimed = profile;
        untimed.launches.push_back(profile.launches[0]);
        untimed.launches[1].duration.reset();  // its bytes are in no share
        QCOMPARE(share_of_limit(point_of(untimed)), std::optional(0.64));
        QCOMPARE(point_of(untimed).hbm_at_least->value(), 0.64e12);
        KernelPoint filled = point_of(profile);
        QVERIFY(share_bound(filled, hbm) == ShareBound::at_least);
        filled.levels[MemoryLevel::hbm] = {
            .bytes = Bytes(0.9e12), .intensity = {}, .ceiling = {}, .bound = Seconds(0.9)};
        filled.throughput[HardwareUnit::sm] = 0.2;  // what computes is known too
        QVERIFY(share_bound(filled, hbm) == ShareBound::exact);
        profile.launches.push_back(launch(1, {}, {}));  // of which nothing is known
        QVERIFY(!point_of(profile).hbm_at_least);
    }
    void l1tex_while_active_is_the_most_that_it_can_be() {
        Profile profile = profile_of(machine({}, {}), {launch(1, {}, {})});
        profile.launches[0].metrics = {
            {profile.texts.intern("l1tex__throughput.avg.pct_of_peak_sustained_active"), 66.5}};
        const KernelPoint alone = point_of(profile);
        QCOMPARE(limit_label(alone), std::string("L1TEX"));
        QCOMPARE(share_of_limit(alone), std::optional(0.665));
        QVERIFY(alone.l1tex_while_active && !alone.l1tex_scaled);
        // It may be less busy, and the SM busier: a bound of neither kind.
        QVERIFY(alone.recoverable->at_least && alone.recoverable->at_most && may_reach_more(alone));
        QVERIFY(bound_of_limit(alone) == ShareBound::exact && has_approximate_share(alone));
        QVERIFY(bound_of_recoverable(alone) == ShareBound::exact && has_approximate_recovery(alone));
        QCOMPARE(recoverable_time(alone)->value(), 1 - 0.665);
        QVERIFY(recoverable_words(alone).find(": ~335 ms") != std::string::npos);
        // So is it where only the active of the cycles are known.
        profile.launches[0].metrics.push_back({profile.texts.intern("sm__cycles_active.avg"), 900});
        QVERIFY(point_of(profile).l1tex_while_active && !point_of(profile).l1tex_scaled);
        KernelPoint beside = alone;
        beside.throughput[HardwareUnit::sm] = 0.2;
        QVERIFY(share_bound(beside, HardwareUnit::l1tex) == ShareBound::at_most && !may_reach_more(beside));
        // Beside another unit it would go before what is known.
        profile.launches[0].metrics.push_back({profile.texts.intern(metric_of(HardwareUnit::sm)), 40});
        QCOMPARE(limit_label(point_of(profile)), std::string("SM"));
    }
    void the_mean_of_samples_is_the_least_that_a_unit_can_be() {
        Profile profile = profile_of(machine({}, {}), {launch(1, {}, {})});
        profile.launches[0].metrics = {{profile.texts.intern(sm_share_of_samples), 40},
                                       {profile.texts.intern(pm_samples_within), 100}};
        const KernelPoint point = point_of(profile);
        QCOMPARE(share_of_limit(point), std::optional(0.4));
        QVERIFY(bound_of_limit(point) == ShareBound::at_least && point.recoverable->at_most);
        QCOMPARE(point.verdict.kernel_class, KernelClass::low_use);
    }
    void one_side_alone_is_the_least_where_nothing_tells_of_the_other() {
        for (const auto& [one, other] : {std::pair(HardwareUnit::sm, HardwareUnit::dram),
                                         std::pair(HardwareUnit::dram, HardwareUnit::sm)}) {
            Profile profile = profile_of(machine({}, {}), {launch(1, {}, {})});
            const auto with = [&](HardwareUnit unit, double percent) {
                profile.launches[0].metrics.push_back({profile.texts.intern(metric_of(unit)), percent});
                return point_of(profile);
            };
            const KernelPoint alone = with(one, 22);
            QVERIFY(bound_of_limit(alone) == ShareBound::at_least && alone.recoverable->at_most);
            QCOMPARE(recoverable_time(alone)->value(), 0.78);
            const KernelPoint both = with(other, 5);
            QVERIFY(bound_of_limit(both) == ShareBound::exact && !both.recoverable->at_most);
        }
        // Work that was looked for and is none leaves nothing open; bytes whose work nobody counted do.
        const auto bytes = [](Launch kernel) {
            return bound_of_limit(
                point_of(profile_of(machine({compute_ceiling(fp32, 1e12)}, {bandwidth_ceiling(hbm, 1e12)}),
                                    {std::move(kernel)})));
        };
        QVERIFY(bytes(launch(1, {{fp32, 0}}, {{hbm, 0.7e12}})) == ShareBound::exact);
        QVERIFY(bytes(launch(1, {}, {{hbm, 0.7e12}})) == ShareBound::at_least);
    }
    // 0.5 s of the first launch; the other moves more than its roof allows, and tells nothing.
    void a_launch_that_tells_nothing_leaves_a_sum_at_least() {
        const KernelPoint point = point_of(profile_of(
            machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 1e12)}),
            {launch(1, {{fp32, 1e9}}, {{hbm, 0.5e12}}), launch(1, {{fp32, 1e9}}, {{hbm, 1.2e12}})}));
        QCOMPARE(recoverable_time(point)->value(), 0.5);
        QVERIFY(point.recoverable->launches == 1 && bound_of_recoverable(point) == ShareBound::at_least);
        QVERIFY(recoverable_words(point).find("in 1 of 2 launches") != std::string::npos);
    }
    // ncu's Memory of 86.64 % beside a DRAM of 83.7: it is the busiest of its units.
    void memory_that_is_busier_than_l2_and_dram_is_l1tex() {
        const auto l1tex = [](std::string_view dram, double dram_percent, double memory = 86.64) {
            Profile profile = profile_of(machine({}, {}), {launch(1, {}, {})});
            for (const auto& [name, percent] :
                 {std::pair(std::string_view("l1tex__throughput.avg.pct_of_peak_sustained_active"), 88.0),
                  std::pair(std::string_view("sm__cycles_active.avg"), 90.0),
                  std::pair(std::string_view("gpc__cycles_elapsed.max"), 100.0),
                  std::pair(metric_of(HardwareUnit::memory), memory),
                  std::pair(metric_of(HardwareUnit::l2), 40.0), std::pair(dram, dram_percent),
                  std::pair(metric_of(HardwareUnit::sm), 30.0)})
                profile.launches[0].metrics.push_back({profile.texts.intern(name), percent});
            return point_of(profile);
        };
        const KernelPoint busier = l1tex(metric_of(HardwareUnit::dram), 83.7);
        QCOMPARE(limit_label(busier), std::string("L1TEX"));
        QVERIFY(std::abs(*share_of_limit(busier) - 0.8664) < 1e-12);
        QVERIFY(!busier.l1tex_scaled);
        // Memory counts less of L1TEX than that does.
        const KernelPoint busiest = l1tex(metric_of(HardwareUnit::dram), 60, 70);
        QVERIFY(std::abs(*share_of_limit(busiest) - 0.88 * 0.9) < 1e-12 && busiest.l1tex_scaled);
        QCOMPARE(limit_label(l1tex(metric_of(HardwareUnit::dram), 86.64)), std::string("DRAM"));
        // Bytes alone leave out what else keeps DRAM busy.
        const KernelPoint bytes = l1tex("dram__bytes.sum.pct_of_peak_sustained_elapsed", 83.7);
        QVERIFY(std::abs(*bytes.throughput[HardwareUnit::l1tex] - 0.88 * 0.9) < 1e-12);
    }
    // By hand: 99.9 % of the peak at 585 MHz are 36.8 % of that at 1.59 GHz.
    void shares_stand_beside_ceilings_of_the_same_clock() {
        Profile profile = profile_of(machine({}, {}), {launch(1, {}, {})});
        profile.devices[0].boost_clock = Hertz(1590e6);
        const auto tell = [&](HardwareUnit unit, double percent) {
            profile.launches[0].metrics.push_back({profile.texts.intern(metric_of(unit)), percent});
        };
        tell(HardwareUnit::l1tex, 99.9);
        tell(HardwareUnit::dram, 30);
        tell(HardwareUnit::memory, 99.9);
        AnalysisOptions boost;
        boost.clock = ClockBasis::boost;
        // Where the clock of the run is not known, the share of its own peak is all that is.
        const auto l1tex = [&] { return *point_of(profile, boost).throughput[HardwareUnit::l1tex]; };
        QVERIFY(std::abs(l1tex() - 0.999) < 1e-12);
        profile.launches[0].metrics.push_back(
            {profile.texts.intern("gpc__cycles_elapsed.avg.per_second"), 795e6});
        QVERIFY(std::abs(l1tex() - 0.999 / 2) < 1e-12);
        CeilingSet measured{.compute = {compute_ceiling(fp32, 1e12)}, .bandwidth = {}, .launch_floor = {}};
        measured.compute[0].provenance.clock = Hertz(585e6);
        profile.launches[0].ceilings = std::make_shared<const CeilingSet>(measured);
        const UnitThroughput shares = point_of(profile, boost).throughput;
        QVERIFY(std::abs(*shares[HardwareUnit::l1tex] - 0.367557) < 1e-6);
        QCOMPARE(shares[HardwareUnit::dram], std::optional(0.3));
        QVERIFY(std::abs(*shares[HardwareUnit::memory] - 0.367557) < 1e-6);  // at least
        QVERIFY(std::abs(*point_of(profile).throughput[HardwareUnit::l1tex] - 0.999) < 1e-12);
        // DRAM by its own clock, where the report has it: 30 % at 4.5 GHz of 6 GHz.
        profile.devices[0].memory_clock = Hertz(6e9);
        measured.bandwidth = {bandwidth_ceiling(hbm, 144e9)};
        measured.bandwidth[0].provenance.clock = Hertz(4.5e9);
        profile.launches[0].ceilings = std::make_shared<const CeilingSet>(measured);
        QVERIFY(std::abs(*point_of(profile, boost).throughput[HardwareUnit::dram] - 0.225) < 1e-12);
        QCOMPARE(point_of(profile).throughput[HardwareUnit::dram], std::optional(0.3));
        // L2 by its own clock, never by a rate that something else gave, and never above what was counted.
        tell(HardwareUnit::l2, 60);
        const auto share_of_l2 = [&](double own_rate, std::optional<Hertz> own, CeilingSource source,
                                     std::optional<Hertz> highest) {
            measured.bandwidth = {bandwidth_ceiling(l2, own_rate)};
            measured.bandwidth[0].provenance.clock = own;
            profile.launches[0].ceilings = std::make_shared<const CeilingSet>(measured);
            profile.devices[0].ceilings.bandwidth = {bandwidth_ceiling(l2, 1e12)};
            profile.devices[0].ceilings.bandwidth[0].provenance.source = source;
            profile.devices[0].ceilings.bandwidth[0].provenance.clock = highest;
            return *point_of(profile, boost).throughput[HardwareUnit::l2];
        };
        const CeilingSource counted = measured.bandwidth[0].provenance.source;
        const double of_sms = 0.6 * 585 / 1590;
        QVERIFY(std::abs(share_of_l2(2e12, {}, CeilingSource::benchmark, {}) - of_sms) < 1e-12);
        QVERIFY(std::abs(share_of_l2(2e12, {}, CeilingSource::benchmark, Hertz(1590e6)) - of_sms) < 1e-12);
        QVERIFY(std::abs(share_of_l2(2e12, Hertz(795e6), CeilingSource::benchmark, Hertz(1590e6)) - 0.3) <
                1e-12);
        QVERIFY(std::abs(share_of_l2(0.5e12, {}, counted, Hertz(1590e6)) - 0.3) < 1e-12);
        QVERIFY(std::abs(share_of_l2(2e12, Hertz(1800e6), counted, Hertz(1590e6)) - 0.6) < 1e-12);
    }
    void work_of_a_pipe_without_a_ceiling_leaves_a_lower_bound() {
        const Profile profile = profile_of(machine({}, {bandwidth_ceiling(hbm, 1e12)}),
                                           {launch(1, {{fp32, 1e12}}, {{hbm, 0.1e12}})});
        const KernelPoint point = point_of(profile);
        QVERIFY(bound_of_limit(point) == ShareBound::at_least && point.recoverable->at_most);
        QCOMPARE(point.verdict.kernel_class, KernelClass::low_use);
    }
    void bytes_of_a_level_without_a_ceiling_leave_a_lower_bound() {
        Profile profile = profile_of(machine({}, {}), {launch(1, {}, {{l2, 1e12}})});
        const auto with = [&](HardwareUnit unit, double percent) {
            profile.launches[0].metrics.push_back({profile.texts.intern(metric_of(unit)), percent});
            return point_of(profile);
        };
        const KernelPoint idle = with(HardwareUnit::sm, 12);
        QVERIFY(bound_of_limit(idle) == ShareBound::at_least && idle.recoverable->at_most);
        QCOMPARE(idle.verdict.kernel_class, KernelClass::low_use);
        QVERIFY(class_text(idle).find("no ceiling known for L2") != std::string::npos);
        // What the profiler found of L2 stands for its bytes.
        const KernelPoint judged = with(HardwareUnit::l2, 30);
        QVERIFY(bound_of_limit(judged) == ShareBound::exact);
        QCOMPARE(judged.verdict.kernel_class, KernelClass::low_use);
        profile.launches[0].metrics.clear();
        const KernelPoint busy = with(HardwareUnit::sm, 85);
        QCOMPARE(busy.verdict.kernel_class, KernelClass::near_roof);
        QVERIFY(bound_of_limit(busy) == ShareBound::at_least);
    }
    void a_unit_is_busy_to_the_whole_of_its_peak_at_most() {
        const KernelPoint point = launched_with_throughput(launch(1, {}, {}), 20, 30, 103);
        QCOMPARE(share_of_limit(point), std::optional(1.0));
        QCOMPARE(point.verdict.kernel_class, KernelClass::near_roof);
        for (const std::string& words : {rule_text(point, {}), verdict_sentences(point).text()})
            QVERIFY2(words.find("103") == std::string::npos, words.c_str());
    }
    void bytes_without_any_ceiling_ask_for_the_gpu() {
        const KernelPoint unnamed = point_of(profile_of(machine({}, {}), {launch(1, {}, {{hbm, 1e12}})}));
        QVERIFY(lacks_ceilings(unnamed) && class_label(unnamed) == roof_not_known);
        QVERIFY(!lacks_ceilings(point_of(profile_of(machine({}, {}), {launch(1, {}, {})}))));
        QVERIFY(!lacks_ceilings(point_of(
            profile_of(machine({}, {bandwidth_ceiling(hbm, 1e13)}), {launch(1, {}, {{hbm, 1e12}})}))));
    }
    void launches_near_limits_of_their_own_judge_their_group() {
        const KernelPoint point = of_two_kinds(0.9, 0.1, 0.1, 0.88);
        QVERIFY(std::abs(point.gap->efficiency() - 0.5) < 1e-9);
        QCOMPARE(point.verdict.kernel_class, KernelClass::near_roof);
        QCOMPARE(point.verdict.launch_limits.size(), std::size_t{2});
        QVERIFY(point.verdict.launch_limits[0].of == decltype(NearestLimit::of)(hbm));
        QVERIFY(std::abs(point.verdict.launch_limits[0].share - 0.9) < 1e-9);
        QVERIFY(std::abs(point.verdict.launch_limits[1].share - 0.88) < 1e-9);
        QVERIFY(std::abs(point.recoverable->time.value() - 5 * (0.1 + 0.12)) < 1e-9);
        for (const std::string& text :
             {class_text(point), verdict_sentences(point).text(), rule_text(point, {})})
            QVERIFY2(text.find("DRAM") != std::string::npos && text.find("FP32") != std::string::npos,
                     text.c_str());
        const KernelModel model = kernel_model(point, {});
        QCOMPARE(roofwalk::class_of(model.measured, model, {}), KernelClass::near_roof);
        Move less;
        less.bytes = {0.5, 0.5, 0.5, 0.5};
        // Of the sum FP32 is at 0.49, DRAM at 0.5: the way to the former is what half the bytes gain.
        QVERIFY(!unpromised_reason(less, model, model.measured, moved(model.measured, model, less), {}));
        // Ranking, columns and what is told of the distance follow from one share.
        QVERIFY(std::abs(share_of_limit(point).value() - 0.89) < 1e-9);
        QVERIFY(std::abs(tightest_limit(point)->share - 0.89) < 1e-9);
        QCOMPARE(limit_label(point), std::string("DRAM and FP32"));
        QVERIFY(!is_judged_by_roof(point) && !unit_beyond_roof(point));
        QVERIFY(qFuzzyCompare(recoverable_as_one(point)->time.value(), point.recoverable->time.value()));
        // Farther from them, and from any.
        QCOMPARE(of_two_kinds(0.7, 0.1, 0.1, 0.65).verdict.kernel_class, KernelClass::memory_bound);
        const KernelPoint far = of_two_kinds(0.5, 0.1, 0.1, 0.4);
        QCOMPARE(far.verdict.kernel_class, KernelClass::latency_bound);
        QVERIFY(far.verdict.launch_limits.empty());
    }
    void launches_with_a_throughput_judge_their_group() {
        const KernelPoint point = of_launches({{1, 95}, {3, 85}, {1, {}}, {1, {}}});
        QCOMPARE(point.known_launches(), 2U);
        QCOMPARE(point.time.value(), Seconds(6));
        QCOMPARE(point.known_time().value(), Seconds(4));
        QCOMPARE(point.verdict.kernel_class, KernelClass::near_roof);
        QCOMPARE(limit_label(point), std::string("SM"));
        QVERIFY(std::abs(share_of_limit(point).value() - 0.875) < 1e-9);
        QCOMPARE(point.recoverable->launches, 2U);
        QVERIFY(std::abs(point.recoverable->time.value() - 0.5) < 1e-9);
        for (const std::string& text :
             {class_text(point), verdict_sentences(point).text(), rule_text(point, {})})
            QVERIFY2(text.find("throughput of 2 of 4 launches") != std::string::npos, text.c_str());
        // Bytes of one draw it, and throughput of two tells what is nearest.
        const KernelPoint mixed = of_launches({{1, 95}, {1, {}, 5e11}, {1, 95}});
        QCOMPARE(mixed.known_launches(), 1U);
        QCOMPARE(mixed.throughput_launches, 2U);
        QCOMPARE(mixed.placement, Placement::line);
        QCOMPARE(limit_label(mixed), std::string("SM"));
        // Nothing else is known: one of three tells more than none.
        QCOMPARE(of_launches({{1, 95}, {3, {}}, {3, {}}}).verdict.kernel_class, KernelClass::near_roof);
    }
    void a_level_used_more_than_the_sm_is_left_of_a_ridge_that_nobody_knows() {
        const auto side = [](OperationClass operations, double sm) {
            Profile profile =
                profile_of(machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 1e12)}),
                           {launch(1, {{fp32, 0}, {{PipeKind::int32}, 1e12}}, {{hbm, 0.5e12}})});
            profile.launches[0].metrics = {{profile.texts.intern(metric_of(HardwareUnit::sm)), sm}};
            AnalysisOptions options;
            options.operations = operations;
            return point_of(profile, options).verdict.side;
        };
        for (const OperationClass operations : {OperationClass::integer, OperationClass::floating}) {
            QVERIFY(side(operations, 40) == Side::memory);
            QVERIFY(!side(operations, 60));
        }
    }
    void a_throughput_tells_its_limit_without_a_time() {
        const KernelPoint point = of_launches({{{}, 90}});
        QVERIFY(!point.known_time() && !point.recoverable);
        QCOMPARE(point.verdict.kernel_class, KernelClass::near_roof);
        QCOMPARE(limit_label(point), std::string("SM"));
        QCOMPARE(share_of_limit(point).value(), 0.9);
        QVERIFY(std::abs(share_of_limit(of_launches({{{}, 90}, {{}, 92}})).value() - 0.91) < 1e-9);
        // How much of the time is of which nobody knows.
        QVERIFY(!share_of_limit(of_launches({{{}, 90}, {{}, 40}})));
        QVERIFY(!share_of_limit(of_launches({{{}, 90}, {1, {}}})));
    }
    void a_throughput_of_most_launches_goes_with_the_bytes_of_all() {
        const KernelPoint point = of_launches({{1, 95, 2e11}, {3, 85, 6e11}, {1, {}, 2e11}});
        QVERIFY(!point.known);
        QCOMPARE(point.throughput_launches, 2U);
        QVERIFY(point.at(MemoryLevel::hbm)->bytes == Bytes(1e12));
        QCOMPARE(limit_label(point), std::string("SM"));
        QVERIFY(std::abs(share_of_limit(point).value() - 0.875) < 1e-9);
        QVERIFY(class_text(point).find("throughput of 2 of 3 launches") != std::string::npos);
        // The third alone would seem to have 80 % of its time to lose.
        QCOMPARE(point.recoverable->launches, 2U);
        QVERIFY(std::abs(point.recoverable->time.value() - 0.5) < 1e-9);
        QVERIFY(of_launches({{1, 95, 2e11}, {3, 85, 6e11}, {1, {}, 2e11}}, GroupBy::launch, 2)
                    .verdict.left_unjudged);
        // A short launch does not stand for a long one.
        const KernelPoint short_one = of_launches({{1, 95, 2e11}, {9, {}, 1.8e12}});
        QCOMPARE(short_one.throughput_launches, 0U);
        QCOMPARE(known_launches_words(short_one), std::string());
    }
    void classes_follow_from_the_shares_of_the_ceilings() {
        QCOMPARE(class_of(0.86, 0.10), KernelClass::near_roof);
        QCOMPARE(class_of(0.10, 0.86), KernelClass::near_roof);
        QCOMPARE(class_of(0.70, 0.10), KernelClass::memory_bound);
        QCOMPARE(class_of(0.10, 0.70), KernelClass::compute_bound);
        QCOMPARE(class_of(0.30, 0.20), KernelClass::latency_bound);
        QCOMPARE(class_of(1.20, 0.20), KernelClass::above_roof);
    }
    void limits_belong_to_the_better_class() {
        QCOMPARE(class_of(0.80, 0.1), KernelClass::near_roof);
        QCOMPARE(class_of(0.60, 0.1), KernelClass::memory_bound);
        QCOMPARE(class_of(0.599, 0.1), KernelClass::latency_bound);
        QCOMPARE(class_of(1.004, 0.1), KernelClass::near_roof);
        QCOMPARE(class_of(1.006, 0.1), KernelClass::above_roof);
    }
    void a_kernel_with_uncounted_work_is_judged_by_what_was_counted() {
        const Device device = machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 1e12)});
        const auto class_of_partial = [&](Launch one) {
            one.uncounted.packed_fp32 = true;
            return point_of(profile_of(device, {one})).verdict.kernel_class;
        };
        const auto of_fp32 = [&](double share) {
            return class_of_partial(launch(1, {{fp32, share * 10e12}}, {{hbm, 0.1e12}}));
        };
        QCOMPARE(of_fp32(0), KernelClass::low_use);
        QCOMPARE(of_fp32(0.1), KernelClass::low_use);
        QCOMPARE(of_fp32(0.7), KernelClass::compute_bound);
        QCOMPARE(of_fp32(0.9), KernelClass::near_roof);
        QCOMPARE(of_fp32(1.2), KernelClass::above_roof);
        QCOMPARE(class_of_partial(launch(1, {}, {{hbm, 0.7e12}})), KernelClass::memory_bound);
        QCOMPARE(class_of_partial(launch(std::nullopt, {{fp32, 1}}, {{hbm, 1}})), KernelClass::not_measured);
    }
    void limits_are_editable() {
        AnalysisOptions options;
        options.thresholds.near_roof = 0.5;
        QCOMPARE(reaching(0.55, 0.1, options).verdict.kernel_class, KernelClass::near_roof);
        options.thresholds = {};
        options.thresholds.latency = 0.2;
        QCOMPARE(reaching(0.30, 0.1, options).verdict.kernel_class, KernelClass::memory_bound);
    }
    void latency_is_not_told_from_one_figure() {
        const Device no_compute = machine({}, {bandwidth_ceiling(hbm, 1e12)});
        const KernelPoint memory_only =
            point_of(profile_of(no_compute, {launch(1, {{fp32, 1e9}}, {{hbm, 0.3e12}})}));
        QCOMPARE(memory_only.verdict.kernel_class, KernelClass::low_use);  // FP32 may bind as well
        QVERIFY(!memory_only.gap);
        const Device no_memory = machine({compute_ceiling(fp32, 10e12)}, {});
        const KernelPoint compute_only =
            point_of(profile_of(no_memory, {launch(1, {{fp32, 1e12}}, {{hbm, 0.3e12}})}));
        QCOMPARE(compute_only.verdict.kernel_class, KernelClass::compute_bound);
        QCOMPARE(compute_only.verdict.side, Side::compute);
        const Device half = machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 1e12)});
        const KernelPoint unknown_pipe =
            point_of(profile_of(half, {launch(1, {{fp32, 1e12}, {fp64, 1e12}}, {{hbm, 0.3e12}})}));
        const KernelPoint without_work = point_of(profile_of(half, {launch(1, {}, {{hbm, 1e9}})}));
        for (const KernelPoint& measured : {memory_only, unknown_pipe, without_work})
            QCOMPARE(class_text(measured), std::string("low use (by bytes at least)"));
    }
    void a_default_set_is_judged_by_bytes_and_throughput() {
        const auto judged = [](double hbm_share, double l1tex, double l2_percent, double sm, double memory) {
            return launched_with_throughput(launch(1, {}, {{hbm, hbm_share * 1e12}}), l1tex, l2_percent, sm,
                                            memory);
        };
        const KernelPoint waits = judged(0.16, 47, 20, 45, 47);
        QCOMPARE(waits.verdict.kernel_class, KernelClass::latency_bound);
        QCOMPARE(limit_label(waits), std::string("L1TEX"));
        QCOMPARE(share_of_limit(waits).value(), 0.47);
        QVERIFY(!waits.verdict.side);
        const KernelPoint streams = judged(0.7, 30, 40, 20, 72);
        QCOMPARE(streams.verdict.kernel_class, KernelClass::memory_bound);
        QCOMPARE(limit_label(streams),
                 std::string("DRAM"));  // the commands beside the bytes are no other limit
        QCOMPARE(streams.verdict.side, std::optional(Side::memory));
        const KernelPoint computes = judged(0.2, 30, 40, 75, 40);
        QCOMPARE(computes.verdict.kernel_class, KernelClass::compute_bound);
        QCOMPARE(limit_label(computes), std::string("SM"));
        QVERIFY(!computes.verdict.side);  // a busy SM tells nothing of FLOP to a byte
        const KernelPoint full = judged(0.2, 99.6, 7, 7, 99.6);
        QCOMPARE(full.verdict.kernel_class, KernelClass::near_roof);
        QCOMPARE(limit_label(full), std::string("L1TEX"));
        const KernelPoint half_known =
            launched_with_throughput(launch(1, {}, {{hbm, 0.2e12}}), {}, {}, {}, 30);
        QCOMPARE(half_known.verdict.kernel_class, KernelClass::low_use);
        QVERIFY(!half_known.gap && !half_known.binding);
    }
    void latency_is_not_told_while_a_level_has_no_figure() {
        const KernelPoint alone = with_throughput({}, {});
        QCOMPARE(alone.verdict.kernel_class, KernelClass::low_use);
        QCOMPARE(class_text(alone), std::string("low use (L2, L1/SMEM not judged)"));
        QCOMPARE(class_text(with_throughput({}, 30)), std::string("low use (L1/SMEM not judged)"));
        QCOMPARE(class_text(with_throughput(20, 30)),
                 std::string("latency-bound (L2, L1/SMEM bytes not counted)"));
    }
    void a_unit_that_the_profiler_found_busy_is_what_binds() {
        for (const KernelPoint& busy : {with_throughput(75, {}), with_throughput(75, 65)}) {
            QCOMPARE(busy.verdict.kernel_class, KernelClass::memory_bound);
            QVERIFY(busy.verdict.busy->unit == HardwareUnit::l1tex);
            QCOMPARE(busy.verdict.busy->share, 0.75);
        }
        QVERIFY(with_throughput(10, 60).verdict.busy->unit == HardwareUnit::l2);
        QVERIFY(!with_throughput(10, 59.9).verdict.busy);
    }
    void an_sm_that_is_busy_with_what_is_no_flop_is_no_latency() {
        const KernelPoint issuing = with_throughput(20, 30, 62.6);
        QCOMPARE(issuing.verdict.kernel_class, KernelClass::low_use);
        QVERIFY(issuing.verdict.busy->unit == HardwareUnit::sm);
        QCOMPARE(issuing.verdict.busy->share, 0.626);
        QCOMPARE(with_throughput(70, 30, 62).verdict.kernel_class, KernelClass::memory_bound);
        QCOMPARE(with_throughput({}, 30, 65).verdict.kernel_class, KernelClass::low_use);
    }
    void memory_as_a_whole_judges_all_but_l1() {
        QCOMPARE(class_text(with_throughput({}, {}, 20, 39)), std::string("low use (L1/SMEM not judged)"));
        const KernelPoint idle = with_throughput(20, {}, 20, 39);
        QCOMPARE(idle.verdict.kernel_class, KernelClass::latency_bound);
        const KernelPoint busy = with_throughput({}, 30, 65, 72);
        QCOMPARE(busy.verdict.kernel_class, KernelClass::memory_bound);
        QVERIFY(busy.verdict.busy->unit == HardwareUnit::memory);
        QVERIFY(verdict_sentences(busy).text().find("the limit of Memory (72.0 %") != std::string::npos);
        QVERIFY(with_throughput(72, 30, 65, 72).verdict.busy->unit == HardwareUnit::l1tex);
        const KernelPoint issuing = with_throughput(20, 30, 65, 40);
        QCOMPARE(class_text(issuing), std::string("SM-bound (low use of every roof)"));
    }
    void no_work_and_no_bytes_bind_nothing() {
        const KernelPoint idle = launched_with_throughput(launch(1, {{fp32, 0}}, {}), {}, {});
        QCOMPARE(idle.verdict.kernel_class, KernelClass::no_flop);
        QVERIFY(!idle.verdict.nearest && !recoverable_time(idle) && limit_label(idle).empty());
        QVERIFY(!share_of_limit(idle) && !idle.verdict.busy);
        // What a unit did is known all the same.
        const KernelPoint busy = launched_with_throughput(launch(1, {{fp32, 0}}, {}), 90, 20, 10);
        QCOMPARE(limit_label(busy), std::string("L1TEX"));
        Launch unlooked = launch(1, {{fp32, 0}}, {});
        unlooked.unchecked = {.fp64 = true};
        QCOMPARE(launched_with_throughput(unlooked, {}, {}).verdict.kernel_class, KernelClass::not_measured);
    }
    void near_the_roof_of_hbm_the_next_unit_is_told() {
        KernelPoint point = reaching(0.9, 0.1);
        point.throughput[HardwareUnit::dram] = 0.97;
        point.throughput[HardwareUnit::memory] = 0.97;
        QVERIFY(verdict_sentences(point).text().find(" busy by") == std::string::npos);
        point.throughput[HardwareUnit::l2] = 0.93;
        QVERIFY(verdict_sentences(point).text().find("L2 is 93.0 % busy") != std::string::npos);
        point.throughput[HardwareUnit::l2] = 0.89;
        QVERIFY(verdict_sentences(point).text().find(" busy by") == std::string::npos);
    }
    void a_dram_as_busy_as_its_bytes_hides_no_other_unit() {
        const KernelPoint point =
            launched_with_throughput(launch(1, {{fp32, 1e12}}, {{hbm, 0.5e12}}), 20, 30, 51.9, 52, 52);
        const NearestLimit limit = tightest_limit(point).value();
        QVERIFY(limit.of == decltype(NearestLimit::of)(HardwareUnit::sm));
        QCOMPARE(limit.share, 0.519);
        QCOMPARE(recoverable_time(point)->value(), 0.481);
        QCOMPARE(recoverable_words(point, Seconds(4)),
                 std::string("To the limit of SM with the same instructions: 481 ms, 12.0 % of the time of "
                             "all kernels."));
        QCOMPARE(recoverable_words(
                     launched_with_throughput(launch(1, {{fp32, 1e12}}, {{hbm, 0.5e12}}), 0, 0, 0, 0, 0)),
                 std::string("To the DRAM roof with the same bytes: 500 ms."));
        const KernelPoint dram =
            launched_with_throughput(launch(1, {{fp32, 1e12}}, {{hbm, 0.5e12}}), 20, 30, 51.9, 53, 53);
        QVERIFY(tightest_limit(dram)->of == decltype(NearestLimit::of)(HardwareUnit::dram));
    }
    void l1tex_is_told_as_scaled_where_it_decides() {
        const auto says = [](KernelPoint point) {
            const std::string as_counted = rule_text(point, {});
            point.l1tex_scaled = true;
            return rule_text(point, {}) != as_counted;
        };
        QVERIFY(says(with_throughput(75, 30)) && says(with_throughput(20, 30)));
        QVERIFY(!says(with_throughput(20, 65)) && !says(with_throughput({}, 30)));
    }
    void memory_is_told_by_its_busiest_part() {
        const auto nearest = [](double l1tex, double memory, std::optional<double> dram) {
            return launched_with_throughput(launch(1, {}, {{hbm, 0.3e12}}), l1tex, 20, 10, memory, dram);
        };
        const auto is = [](const KernelPoint& point, HardwareUnit unit, double share) {
            return point.verdict.nearest->of == decltype(NearestLimit::of)(unit) &&
                   std::abs(point.verdict.nearest->share - share) < 1e-12;
        };
        // A mean over launches of which now L1TEX, now L2 is busier.
        QVERIFY(is(nearest(46.6, 47.4, {}), HardwareUnit::l1tex, 0.466));
        QVERIFY(verdict_sentences(nearest(46.6, 47.4, {})).text().find("Memory") == std::string::npos);
        QVERIFY(is(nearest(10, 40, 40), HardwareUnit::dram, 0.4));
        // Which part it is nobody knows.
        QVERIFY(is(nearest(10, 40, {}), HardwareUnit::memory, 0.4));
        QVERIFY(is(nearest(10, 40, 30), HardwareUnit::memory, 0.4));
        // DRAM is busy with the bytes that were counted.
        QVERIFY(nearest(10, 31, 31).verdict.nearest->of == decltype(NearestLimit::of)(hbm));
    }
    void dram_has_another_name_in_some_files() {
        Profile profile = profile_of(machine({}, {}), {launch(1, {}, {})});
        const auto add = [&](const char* name, double value) {
            profile.launches[0].metrics.push_back({profile.texts.intern(name), value});
        };
        add("dram__throughput.avg.pct_of_peak_sustained_elapsed", 50);
        QCOMPARE(point_of(profile).throughput[HardwareUnit::dram], std::optional(0.5));
        add("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 51);
        QCOMPARE(point_of(profile).throughput[HardwareUnit::dram], std::optional(0.51));
    }
    void one_slice_of_l2_counts_where_it_is_far_busier_than_all() {
        Profile profile = profile_of(machine({}, {}), {launch(1, {}, {})});
        const TextId all = profile.texts.intern(metric_of(HardwareUnit::l2));
        const TextId most = profile.texts.intern(metric_of(HardwareUnit::l2_slice));
        const auto busiest_of = [&](std::vector<MetricSample> metrics) {
            profile.launches[0].metrics = std::move(metrics);
            return busiest(point_of(profile).throughput);
        };
        const auto slice = busiest_of({{all, 20}, {most, 32}});
        QVERIFY(slice && slice->unit == HardwareUnit::l2_slice && slice->share == 0.32);
        QVERIFY(busiest_of({{all, 20}, {most, 29.9}})->unit == HardwareUnit::l2);
        QVERIFY(busiest_of({{all, 5}, {most, 10}})->unit == HardwareUnit::l2_slice);
        QVERIFY(busiest_of({{all, 0.5}, {most, 9.9}})->unit == HardwareUnit::l2);
        QVERIFY(!busiest_of({{most, 65}}));
    }
    void a_slice_near_its_limit_is_told_beside_the_roof_of_l2() {
        // 0.7 of the roof of L2, whose busiest slice has 0.05 left.
        Profile profile = profile_of(machine({compute_ceiling(fp32, 10e12)},
                                             {bandwidth_ceiling(hbm, 1e12), bandwidth_ceiling(l2, 1e12)}),
                                     {launch(1, {{fp32, 1e9}}, {{hbm, 1e9}, {l2, 0.7e12}})});
        profile.launches[0].metrics = {{profile.texts.intern(metric_of(HardwareUnit::l2)), 50},
                                       {profile.texts.intern(metric_of(HardwareUnit::l2_slice)), 95}};
        const KernelPoint point = point_of(profile);
        QCOMPARE(point.verdict.kernel_class, KernelClass::memory_bound);
        QVERIFY(point.verdict.busy && point.verdict.busy->unit == HardwareUnit::l2_slice);
        profile.launches[0].metrics.back().value = 79;
        QVERIFY(!point_of(profile).verdict.busy);
    }
    void a_busy_unit_binds_only_on_the_side_of_the_ceiling_that_binds() {
        constexpr bool level = false;
        constexpr bool pipe = true;
        const auto busy = [](HardwareUnit unit) { return BusyUnit{unit, 0.8}; };
        QCOMPARE(class_of_busy(busy(HardwareUnit::sm), pipe, 0.5), KernelClass::compute_bound);
        QCOMPARE(class_of_busy(busy(HardwareUnit::sm), level, 0.5), KernelClass::low_use);
        QCOMPARE(class_of_busy(busy(HardwareUnit::l2), level, 0.5), KernelClass::memory_bound);
        QCOMPARE(class_of_busy(busy(HardwareUnit::l2), pipe, 0.5), KernelClass::low_use);
    }
    void an_sm_busier_than_the_pipe_can_make_it_issues_something_else() {
        const BusyUnit busy{HardwareUnit::sm, 0.8};
        QCOMPARE(class_of_busy(busy, true, 0.4), KernelClass::compute_bound);
        QCOMPARE(class_of_busy(busy, true, 0.39), KernelClass::low_use);
        QCOMPARE(class_of_busy(BusyUnit{HardwareUnit::l2, 0.8}, false, 0.1), KernelClass::memory_bound);
    }
    void the_side_is_that_of_the_level_that_binds() {
        const Device device = machine({compute_ceiling(fp32, 10e12)},
                                      {bandwidth_ceiling(hbm, 1e12), bandwidth_ceiling(l2, 2e12)});
        // Right of the HBM ridge of 10 FLOP/byte, left of the L2 ridge of 5.
        const KernelPoint point =
            point_of(profile_of(device, {launch(1, {{fp32, 6e12}}, {{hbm, 0.5e12}, {l2, 1.4e12}})}));
        QCOMPARE(point.binding, std::optional<CeilingTarget>(l2));
        QCOMPARE(point.verdict.kernel_class, KernelClass::memory_bound);
        QCOMPARE(point.verdict.side, Side::memory);
        QVERIFY(ridge_words(point).starts_with("left of the L2 ridge (AI 4.29, ridge 5.00"));
    }
    void a_pipe_beside_the_work_leaves_no_ridge() {
        const Device device = machine({compute_ceiling(fp32, 10e12), compute_ceiling(tensor_int8, 100e12)},
                                      {bandwidth_ceiling(hbm, 1e12)});
        const KernelPoint point =
            point_of(profile_of(device, {launch(1, {{fp32, 1e10}, {tensor_int8, 70e12}}, {{hbm, 1e11}})}));
        QVERIFY(!ridge_place(point));
        QCOMPARE(point.verdict.side, Side::compute);
    }
    void a_level_that_binds_is_shown() {
        const Device device = machine({compute_ceiling(fp32, 10e12)},
                                      {bandwidth_ceiling(hbm, 1e12), bandwidth_ceiling(l1, 10e12)});
        const auto shows_l1 = [&](double l1_bytes, bool counted) {
            Launch bytes = launch(1, {{fp32, 1e12}}, {{hbm, 0.5e12}, {l1, l1_bytes}});
            if (!counted) bytes.work.clear();
            return analyse(profile_of(device, {bytes}), {}).options.levels[MemoryLevel::l1];
        };
        for (const bool counted : {true, false}) {
            QVERIFY(shows_l1(6e12, counted));
            QVERIFY(!shows_l1(4e12, counted));
        }
        const KernelPoint alone = point_of(profile_of(device, {launch(1, {{fp32, 1e12}}, {{l1, 6e12}})}));
        QVERIFY(alone.placement == Placement::chart);
    }
    void a_copy_is_classed_by_what_binds_it() {
        const auto copy = [](double share, std::optional<double> sm = {}) {
            return launched_with_throughput(launch(1, {{fp32, 0}}, {{hbm, share * 1e12}}), 10, 20, sm);
        };
        QCOMPARE(class_text(copy(0.957)), std::string("near the roof (no FLOP)"));
        QCOMPARE(limit_label(copy(0.957)), std::string("DRAM"));
        QCOMPARE(copy(0.957).placement, Placement::rail_no_work);
        QCOMPARE(copy(1.1).verdict.kernel_class, KernelClass::above_roof);
        QCOMPARE(class_text(copy(0.7)), std::string("memory-bound (no FLOP)"));
        QCOMPARE(copy(0.7).verdict.side, std::optional(Side::memory));
        QCOMPARE(class_text(copy(0.3)), std::string("low use (compute not judged; no FLOP)"));
        QCOMPARE(copy(0.3, 20).verdict.kernel_class, KernelClass::latency_bound);
        QCOMPARE(class_text(copy(0.3, 90)), std::string("SM-bound (low use of every roof; no FLOP)"));
    }
    void integer_work_is_named_beside_no_flop() {
        const Device device = machine({compute_ceiling(tensor_int8, 100e12)}, {bandwidth_ceiling(hbm, 1e12)});
        const auto text_of = [&](Pipe pipe) {
            return class_text(
                point_of(profile_of(device, {launch(1, {{fp32, 0}, {pipe, 50e12}}, {{hbm, 1e11}})})));
        };
        QCOMPARE(text_of(tensor_int8),
                 std::string("low use (L2, L1/SMEM not judged; no FLOP, integer tensor work)"));
        QCOMPARE(text_of(Pipe{PipeKind::int32}),
                 std::string("low use (L2, L1/SMEM, compute not judged; no FLOP, integer work)"));
    }
    void an_sm_as_busy_as_memory_is_busy_with_loads_and_stores() {
        const KernelPoint loading = with_throughput(20, 30, 64.83, 64.83);
        QCOMPARE(loading.verdict.kernel_class, KernelClass::memory_bound);
        QVERIFY(loading.verdict.busy->unit == HardwareUnit::memory);
    }
    void l1tex_while_active_is_scaled_to_the_elapsed_cycles() {
        Profile profile = profile_of(machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 1e12)}),
                                     {launch(1, {{fp32, 1e12}}, {{hbm, 0.3e12}})});
        const auto add = [&](const char* name, double value) {
            profile.launches[0].metrics.push_back({profile.texts.intern(name), value});
        };
        add("l1tex__throughput.avg.pct_of_peak_sustained_active", 80);
        constexpr HardwareUnit l1tex = HardwareUnit::l1tex;
        QVERIFY(!point_of(profile).throughput[l1tex]);
        add("sm__cycles_active.avg", 900);
        add("gpc__cycles_elapsed.max", 1000);
        QVERIFY(std::abs(*point_of(profile).throughput[l1tex] - 0.72) < 1e-12);
        QVERIFY(point_of(profile).verdict.busy->unit == HardwareUnit::l1tex);
        QVERIFY(point_of(profile).l1tex_scaled);
        Profile by_parts = profile;
        by_parts.launches[0].metrics.push_back({by_parts.texts.intern(l1tex_share_of_parts), 80});
        QCOMPARE(point_of(by_parts).throughput[l1tex], std::optional(0.8));
        QVERIFY(!point_of(by_parts).l1tex_scaled);
        add("l1tex__throughput.avg.pct_of_peak_sustained_elapsed", 72);
        QVERIFY(!point_of(profile).l1tex_scaled);
    }
    void the_side_is_absent_where_no_ridge_is_known() {
        const KernelPoint bare = point_of(profile_of(machine({}, {}), {launch(1, {{fp32, 1}}, {{hbm, 1}})}));
        QVERIFY(!bare.verdict.side);
        QVERIFY(ridge_words(bare).empty());
        const auto side = [](const Launch& one) {
            return point_of(profile_of(machine({}, {}), {one})).verdict.side;
        };
        QCOMPARE(side(launch(1, {{fp32, 0}}, {{hbm, 1}})), std::optional(Side::memory));
        QCOMPARE(side(launch(1, {{fp32, 1}}, {{hbm, 0}})), std::optional(Side::compute));
        QVERIFY(!side(launch(1, {{fp32, 0}, {Pipe{PipeKind::int32}, 1e9}}, {{hbm, 1}})));
        QVERIFY(!side(launch(1, {{fp32, 0}}, {{hbm, 0}})));
    }
    void memory_busier_than_the_sm_is_left_of_its_ridge() {
        Profile profile =
            profile_of(machine({}, {bandwidth_ceiling(hbm, 1e12)}), {launch(1, {}, {{hbm, 3e11}})});
        QVERIFY(!point_of(profile).verdict.side);
        auto& metrics = profile.launches[0].metrics;
        metrics = {{profile.texts.intern(metric_of(HardwareUnit::sm)), 6}};
        QCOMPARE(point_of(profile).verdict.side, std::optional(Side::memory));
        metrics[0].value = 40;
        QVERIFY(!point_of(profile).verdict.side);
    }
    void the_side_is_that_of_the_hbm_ridge() {
        QCOMPARE(reaching(0.5, 0.25).verdict.side, Side::memory);
        QCOMPARE(reaching(0.25, 0.5).verdict.side, Side::compute);
        QCOMPARE(reaching(0.5, 0.5).verdict.side, Side::at_ridge);
    }
    void near_the_ridge_is_half_to_one_and_a_half() {
        QVERIFY(!reaching(0.7, 0.7 * 0.49).verdict.near_ridge);
        QVERIFY(reaching(0.7, 0.7 * 0.51).verdict.near_ridge);
        QVERIFY(reaching(0.5, 0.5 * 1.49).verdict.near_ridge);
        QVERIFY(!reaching(0.5, 0.5 * 1.51).verdict.near_ridge);
    }
    void what_cannot_be_judged_is_classed_by_what_it_lacks() {
        const Device device = machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 1e12)});
        const auto judged = [&](const Launch& one) {
            return point_of(profile_of(device, {one})).verdict.kernel_class;
        };
        QCOMPARE(judged(launch(1, {{fp32, 0}}, {})), KernelClass::no_flop);
        QCOMPARE(judged(launch(1, {{fp32, 1e9}}, {{hbm, 0}})), KernelClass::no_traffic);
        // What HBM moved is not known.
        const KernelPoint shared_alone =
            point_of(profile_of(device, {launch(1, {{fp32, 1e9}}, {{Boundary::smem_wavefronts, 0}})}));
        QVERIFY(shared_alone.verdict.kernel_class != KernelClass::no_traffic);
        QCOMPARE(shared_alone.placement, Placement::not_drawn);
        QCOMPARE(judged(launch(1, {}, {{hbm, 0}})), KernelClass::not_measured);
        QCOMPARE(judged(launch(std::nullopt, {{fp32, 1e9}}, {{hbm, 1}})), KernelClass::not_measured);
        Launch failed = launch(1, {{fp32, 1e9}}, {{hbm, 1e9}});
        failed.failed = true;
        QCOMPARE(judged(failed), KernelClass::not_measured);
    }
    void without_ceilings_nothing_is_judged() {
        const KernelPoint point =
            point_of(profile_of(machine({}, {}), {launch(1, {{fp32, 1e9}}, {{hbm, 1e9}})}));
        QCOMPARE(point.verdict.kernel_class, KernelClass::not_measured);
        QCOMPARE(point.placement, Placement::chart);
    }
    void every_class_has_its_own_words() {
        std::set<std::string_view> words;
        for (const KernelClass kernel_class : enumerators<KernelClass>) {
            words.insert(label_of(kernel_class));
            words.insert(id_of(kernel_class));
        }
        QCOMPARE(words.size(), 2 * enum_size<KernelClass>);
        QVERIFY(id_of(KernelClass::above_roof) == "above_roof");
        QVERIFY(label_of(KernelClass::not_measured) == "not measured");
    }
};

}  // namespace tst_verdict

ROOFWALK_TEST(tst_verdict, TestVerdict, NoApplication)
#include "tst_verdict.moc"

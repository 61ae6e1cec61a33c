// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/roofline/analysis.h"
#include "core/roofline/point_bounds.h"
#include "core/roofline/utilisation.h"
#include "core/roofline/verdict_words.h"
#include "tests/core/roofline/profiles.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_point_bounds {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr Boundary hbm = Boundary::hbm_dram_rw;

Device two_pipes() {
    return machine({compute_ceiling(fp32, 10e12), compute_ceiling(tensor_fp16, 100e12),
                    compute_ceiling(tensor_int8, 200e12)},
                   {bandwidth_ceiling(hbm, 1e12)});
}

KernelPoint point(const Launch& one, const AnalysisOptions& options = {}) {
    return point_of(profile_of(two_pipes(), {one}), options);
}

}  // namespace

class TestPointBounds : public QObject {
    Q_OBJECT

  private slots:
    void a_mixed_kernel_has_its_own_compute_ceiling() {
        const KernelPoint mixed = point(launch(1, {{fp32, 2e12}, {tensor_fp16, 10e12}}, {{hbm, 1e9}}));
        QCOMPARE(mixed.work->value(), 12e12);
        QCOMPARE(mixed.compute_ceiling->value(), 60e12);  // FP32 needs 0.2 s, the tensor pipe 0.1 s
        QCOMPARE(label_of(*mixed.binding, mixed.memory), std::string("FP32"));
        QCOMPARE(mixed.gap->factor, 5.0);
    }
    void integer_pipes_bound_time_without_being_work() {
        const KernelPoint quantised = point(launch(1, {{fp32, 1e12}, {tensor_int8, 100e12}}, {{hbm, 1e9}}));
        QCOMPARE(quantised.work->value(), 1e12);
        QCOMPARE(quantised.compute_ceiling->value(), 10e12);
        QCOMPARE(label_of(*quantised.binding, quantised.memory), std::string("INT8 Tensor"));
        QCOMPARE(quantised.speed_of_light->value(), 0.5);

        AnalysisOptions integers;
        integers.operations = OperationClass::integer;
        const KernelPoint counted =
            point(launch(1, {{fp32, 1e12}, {tensor_int8, 100e12}}, {{hbm, 1e9}}), integers);
        QCOMPARE(counted.work->value(), 100e12);
        QCOMPARE(counted.compute_ceiling->value(), 200e12);

        Launch estimated = launch(1, {{fp32, 1e12}, {tensor_int8, 100e12}}, {{hbm, 1e9}});
        estimated.work[1].origin = Origin::estimated;
        QVERIFY(!has_inexact_work(point(estimated)) && has_inexact_work(point(estimated, integers)));
    }
    void work_without_a_ceiling_leaves_the_compute_ceiling_unknown() {
        const KernelPoint half = point(launch(1, {{fp32, 1e12}, {fp64, 1e12}}, {{hbm, 1e9}}));
        QVERIFY(!half.compute_ceiling);
        QVERIFY(!half.pipes.at(1).bound);
        const KernelPoint trace = point(launch(1, {{fp32, 1e12}, {fp64, 1e6}}, {{hbm, 1e9}}));
        QVERIFY(trace.compute_ceiling);
    }
    void without_bytes_at_any_level_nothing_is_known_to_bind() {
        const Device device =
            machine({compute_ceiling(fp32, 10)}, {bandwidth_ceiling(Boundary::hbm_dram_rw, 10)});
        const KernelPoint point = point_of(profile_of(device, {launch(1, {{fp32, 5}}, {})}));
        QCOMPARE(point.compute_ceiling->value(), 10.0);
        QVERIFY(!point.binding);
        QVERIFY(!point.gap);
        QVERIFY(!point.practical_efficiency);
    }
    void a_pipe_without_a_ceiling_may_be_the_one_that_binds() {
        const KernelPoint half = point(launch(1, {{fp32, 1e12}, {fp64, 1e12}}, {{hbm, 0.9e12}}));
        QVERIFY(half.at(MemoryLevel::hbm)->bound);
        QVERIFY(!half.binding);
        QVERIFY(!half.speed_of_light);
        QVERIFY(!half.gap);
        QVERIFY(!half.practical_efficiency);
        QCOMPARE(half.verdict.kernel_class, KernelClass::near_roof);  // of HBM, whatever FP64 does
        QCOMPARE(label_of(half.verdict.nearest.value(), half.memory), std::string("DRAM"));
        QCOMPARE(half.placement, Placement::chart);

        const Launch counts_integers = launch(1, {{fp32, 1e12}, {{PipeKind::int32}, 1e12}}, {{hbm, 0.9e12}});
        QVERIFY(point(counts_integers).gap);
        AnalysisOptions all;
        all.operations = OperationClass::all;
        QVERIFY(!point(counts_integers, all).gap);
    }
    void int32_beside_more_tensor_work_is_judged_by_how_busy_the_sm_was() {
        Profile profile = profile_of(
            two_pipes(), {launch(1, {{tensor_int8, 100e12}, {{PipeKind::int32}, 5e12}}, {{hbm, 0.1e12}})});
        AnalysisOptions integers;
        integers.operations = OperationClass::integer;
        QVERIFY(!point_of(profile, integers).gap);
        profile.launches[0].metrics = {
            {profile.texts.intern("sm__throughput.avg.pct_of_peak_sustained_elapsed"), 66}};
        QCOMPARE(point_of(profile, integers).gap->factor, 2.0);
        QCOMPARE(point_of(profile, integers).work->value(), 105e12);
        std::swap(profile.launches[0].work[0].work, profile.launches[0].work[1].work);
        QVERIFY(!point_of(profile, integers).gap);
    }
    // No ceiling of INT32 is known: the SM cannot take longer than what it was busy.
    void int32_alone_has_the_roof_of_its_bytes_where_the_sm_was_less_busy() {
        Profile profile = profile_of(two_pipes(), {launch(1, {{{PipeKind::int32}, 5e12}}, {{hbm, 0.5e12}})});
        AnalysisOptions integers;
        integers.operations = OperationClass::integer;
        const auto times_said = [](const std::string& text) {
            const std::string words = "no ceiling known";
            std::size_t times = 0;
            for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1))
                ++times;
            return times;
        };
        const KernelPoint unknown = point_of(profile, integers);
        QVERIFY(!unknown.gap);
        QCOMPARE(limit_label(unknown), std::string("DRAM"));
        QCOMPARE(times_said(rule_text(unknown, {})), 1U);
        profile.launches[0].metrics = {
            {profile.texts.intern("sm__throughput.avg.pct_of_peak_sustained_elapsed"), 20}};
        const KernelPoint by_bytes = point_of(profile, integers);
        QCOMPARE(by_bytes.gap->factor, 2.0);
        QVERIFY(by_bytes.binding == CeilingTarget(hbm) && by_bytes.verdict.side == Side::memory);
        QVERIFY(!by_bytes.compute_ceiling);
        QCOMPARE(times_said(rule_text(by_bytes, {})), 1U);
        profile.launches[0].metrics[0].value = 70;
        const KernelPoint by_sm = point_of(profile, integers);
        QVERIFY(!by_sm.gap && !by_sm.verdict.side);
        QCOMPARE(limit_label(by_sm), std::string("SM"));
        QCOMPARE(share_of_limit(by_sm), std::optional(0.7));
        profile.launches[0].metrics[0].value = 55;
        QVERIFY(!point_of(profile, integers).verdict.side);  // L2 and L1 may be nearer
        for (const HardwareUnit unit : {HardwareUnit::l1tex, HardwareUnit::l2})
            profile.launches[0].metrics.push_back({profile.texts.intern(metric_of(unit)), 10});
        QVERIFY(point_of(profile, integers).verdict.side == Side::compute);
    }
    void fewer_bytes_of_one_level_are_told_apart_from_those_of_all() {
        const Device device =
            machine({compute_ceiling(fp32, 100e12)},
                    {bandwidth_ceiling(hbm, 1e12), bandwidth_ceiling(Boundary::l2_sm_sectors, 2e12)});
        const auto of = [&](double work) {
            return point_of(profile_of(
                device, {launch(1, {{fp32, work}}, {{hbm, 0.6e12}, {Boundary::l2_sm_sectors, 1.8e12}})}));
        };
        // DRAM ends it, at 0.6 to the 0.9 of L2; with its bytes fewer too nothing does.
        QVERIFY(std::abs(saved_by_fewer_bytes(of(1e12))->time.value() - 1.0 / 3) < 1e-9);
        const auto held = [](const KernelPoint& point) {
            return held_words(point, *saved_by_fewer_bytes(point));
        };
        QCOMPARE(bytes_in_the_way(of(1e12), *saved_by_fewer_bytes(of(1e12))),
                 std::string("bytes across L2 alone"));
        QVERIFY(held(of(1e12)).find("every level") != std::string::npos);
        QVERIFY(held(of(58e12)).empty());  // FP32 is about as far as DRAM
    }
    void l2_that_nobody_counted_follows_the_levels_about_it() {
        UnitThroughput busy;
        busy[HardwareUnit::l2] = 0.8;
        busy[HardwareUnit::sm] = 0.5;
        const auto l2 = [&](const LoadGrowth& growth) {
            return *with_growth(busy, std::nullopt, growth)[HardwareUnit::l2];
        };
        QCOMPARE(l2({.hbm = 0.5, .l2 = {}, .l1tex = 0.5, .needs = 0.5}), 0.4);  // in fewer bits
        QCOMPARE(l2({.hbm = 0.5, .l2 = {}, .l1tex = {}, .needs = 0.5}), 0.4);
        QCOMPARE(l2({.hbm = 0.5, .l2 = 0.75, .l1tex = 0.5, .needs = 0.5}), 0.8 * 0.75);
        QCOMPARE(l2({.hbm = 0.25, .l2 = {}, .l1tex = {}}), 0.8);  // across HBM alone
    }
    void integer_work_that_nobody_counted_is_missing_where_all_operations_are_asked_for() {
        Launch floating = launch(1, {{fp32, 1e12}, {tensor_int8, 1e12}}, {{hbm, 0.9e12}});
        AnalysisOptions options;
        for (const OperationClass operations : {OperationClass::floating, OperationClass::integer}) {
            options.operations = operations;
            QVERIFY(!point(floating, options).uncounted.any());
        }
        options.operations = OperationClass::all;
        QCOMPARE(point(floating, options).uncounted, UncountedWork{.integer = true});
        QVERIFY(!point(floating, options).gap);
        QCOMPARE(point(floating, options).verdict.nearest.value().share, 0.9);
        QVERIFY(!point(launch(1, {}, {{hbm, 1}}), options).uncounted.any());  // all of it is unknown
        const Launch counted = launch(1, {{fp32, 1e12}, {{PipeKind::int32}, 0}}, {{hbm, 0.9e12}});
        QVERIFY(!point(counted, options).uncounted.any());
        for (WorkSample& typed : floating.work)
            typed.origin = Origin::modelled;
        QVERIFY(!point(floating, options).uncounted.any());
    }
    void tensor_work_of_unknown_type_is_bounded_by_the_fp16_ceiling() {
        const KernelPoint estimated = point(launch(1, {{{PipeKind::tensor_any}, 50e12}}, {{hbm, 1e9}}));
        QCOMPARE(estimated.gap->factor, 2.0);
        QCOMPARE(label_of(*estimated.binding, estimated.memory), std::string("Tensor (type unknown)"));
    }
    void unknown_work_leaves_the_binding_ceiling_unknown() {
        const KernelPoint memory_only = point(launch(1, {}, {{hbm, 1e9}}));
        QVERIFY(memory_only.at(MemoryLevel::hbm)->bound);
        QVERIFY(!memory_only.binding);
        QVERIFY(!memory_only.gap);
        QVERIFY(!memory_only.practical_efficiency);
    }
    void work_that_was_not_counted_leaves_a_lower_bound_and_no_claim() {
        Launch partial = launch(1, {{fp32, 1e12}}, {{hbm, 0.3e12}});
        const KernelPoint whole = point(partial);
        partial.uncounted.tensor = true;
        const KernelPoint lower = point(partial);
        QCOMPARE(lower.placement, Placement::chart);
        QCOMPARE(lower.performance->value(), whole.performance->value());
        QCOMPARE(lower.at(MemoryLevel::hbm)->intensity->value(),
                 whole.at(MemoryLevel::hbm)->intensity->value());
        QCOMPARE(lower.at(MemoryLevel::hbm)->bound->value(), 0.3);
        QCOMPARE(lower.pipes.at(0).bound->value(), 0.1);
        QVERIFY(whole.binding && whole.gap && whole.speed_of_light && whole.compute_ceiling);
        QVERIFY(!lower.compute_ceiling);
        QVERIFY(!lower.binding);
        QVERIFY(!lower.speed_of_light);
        QVERIFY(!lower.gap);
        QVERIFY(!lower.practical_efficiency);

        Launch quantised = launch(1, {{fp32, 1e9}, {tensor_int8, 1e12}}, {{hbm, 1e9}});
        QVERIFY(point(quantised).mostly_integer);
        quantised.uncounted.fp16 = true;
        QVERIFY(!point(quantised).mostly_integer);
    }
    void at_least_zero_is_no_place_on_a_rail() {
        Launch partial = launch(1, {{fp32, 0}}, {{hbm, 1e9}});
        partial.uncounted.fp16 = true;
        QCOMPARE(point(partial).placement, Placement::line);
        QCOMPARE(point(partial).work->value(), 0.0);
    }
    void a_bound_needs_the_very_boundary() {
        AnalysisOptions options;
        options.boundaries[MemoryLevel::smem] = Boundary::smem_requested;
        const Device device = machine({}, {bandwidth_ceiling(Boundary::smem_wavefronts, 1e12)});
        const KernelPoint requested = point_of(
            profile_of(device, {launch(1, {{fp32, 1}},
                                       {{Boundary::smem_requested, 1e9}, {Boundary::smem_wavefronts, 2e9}})}),
            options);
        QCOMPARE(requested.at(MemoryLevel::smem)->bytes.value(), 1e9);
        QVERIFY(!requested.at(MemoryLevel::smem)->ceiling);
        QVERIFY(!requested.binding);
        QVERIFY(!requested.gap);
    }
    void a_level_that_is_not_drawn_binds_all_the_same() {
        AnalysisOptions options;
        options.levels[MemoryLevel::hbm] = false;
        const Launch one = launch(1, {{fp32, 1e12}}, {{hbm, 1e12}, {Boundary::smem_wavefronts, 0}});
        const KernelPoint drawn = point(one);
        const KernelPoint hidden = point(one, options);
        QCOMPARE(label_of(*hidden.binding, hidden.memory), std::string("DRAM"));
        QCOMPARE(hidden.gap->factor, drawn.gap->factor);
        QCOMPARE(class_text(hidden), class_text(drawn));
        QVERIFY(hidden.placement == Placement::rail_no_traffic);  // of the levels that are drawn
    }
    void l1_limits_a_kernel_though_it_is_not_drawn() {
        const Device device =
            machine({compute_ceiling(fp32, 10e12)},
                    {bandwidth_ceiling(hbm, 1e12), bandwidth_ceiling(Boundary::l1_unified, 20e12),
                     bandwidth_ceiling(Boundary::smem_wavefronts, 20e12)});
        const auto bound_by = [&](double l1, double smem) {
            const KernelPoint point = point_of(profile_of(
                device,
                {launch(1, {{fp32, 1e12}},
                        {{hbm, 0.1e12}, {Boundary::l1_unified, l1}, {Boundary::smem_wavefronts, smem}})}));
            return label_of(*point.binding, point.memory) + " " + std::to_string(point.gap->efficiency());
        };
        QCOMPARE(bound_by(17e12, 0), std::string("L1 0.850000"));
        QCOMPARE(bound_by(17e12, 16e12), std::string("L1 0.850000"));
        // Shared memory is counted in L1 as well: it binds where it is all of L1's.
        QCOMPARE(bound_by(17e12, 16.5e12), std::string("L1 0.850000"));
        QCOMPARE(bound_by(17e12, 17e12), std::string("SMEM 0.850000"));
    }
    void unknown_is_not_zero() {
        const KernelPoint unknown = point(launch(1, {{fp32, 1e12}}, {}));
        QVERIFY(!unknown.at(MemoryLevel::hbm));
        QCOMPARE(unknown.placement, Placement::not_drawn);
        const KernelPoint zero = point(launch(1, {{fp32, 1e12}}, {{hbm, 0}}));
        QCOMPARE(zero.at(MemoryLevel::hbm)->bytes.value(), 0.0);
        QVERIFY(!zero.at(MemoryLevel::hbm)->intensity);
        QCOMPARE(zero.placement, Placement::rail_no_traffic);
    }
    void kernels_that_cannot_stand_on_a_log_axis_stand_on_a_rail() {
        QCOMPARE(point(launch(1, {{fp32, 0}}, {{hbm, 1e9}})).placement, Placement::rail_no_work);
        QCOMPARE(point(launch(1, {{fp32, 1}}, {{hbm, 1e9}})).placement, Placement::chart);
        QCOMPARE(point(launch(1, {}, {{hbm, 1e9}})).placement, Placement::line);
        QCOMPARE(point(launch(std::nullopt, {{fp32, 1}}, {{hbm, 1e9}})).placement, Placement::not_drawn);
    }
    void a_time_of_zero_gives_no_infinities() {
        const KernelPoint instant = point(launch(0, {{fp32, 1e9}}, {{hbm, 1e9}}));
        QVERIFY(!instant.performance);
        QVERIFY(!instant.gap);
        QCOMPARE(instant.placement, Placement::not_drawn);
        QCOMPARE(instant.verdict.kernel_class, KernelClass::not_measured);
    }
    void practical_efficiency_is_measured_against_lower_roofs() {
        const KernelPoint memory = point(launch(1, {{fp32, 1e9}}, {{hbm, 0.66e12}}));
        QCOMPARE(memory.practical_efficiency.value(), 0.75);
        const KernelPoint compute = point(launch(1, {{fp32, 4e12}}, {{hbm, 1e9}}));
        QCOMPARE(compute.practical_efficiency.value(), 0.5);
    }
    void a_benchmark_is_a_practical_roof_already() {
        Device device = machine({compute_ceiling(fp32, 10e12)}, {bandwidth_ceiling(hbm, 1e12)});
        device.ceilings.bandwidth[0].provenance.source = CeilingSource::benchmark;
        const KernelPoint memory = point_of(profile_of(device, {launch(1, {{fp32, 1e9}}, {{hbm, 0.66e12}})}));
        QCOMPARE(memory.practical_efficiency.value(), 0.66);
        const CeilingSet drawn = practical_ceilings(*memory.ceilings, {});
        QCOMPARE(memory.at(MemoryLevel::hbm)->bytes / drawn.find(hbm)->rate / *memory.time, 0.66);
        const KernelPoint compute = point_of(profile_of(device, {launch(1, {{fp32, 4e12}}, {{hbm, 1e9}})}));
        QCOMPARE(compute.practical_efficiency.value(), 0.5);
    }
    void above_the_roof_is_not_clamped() {
        const KernelPoint above = point(launch(0.5, {{fp32, 1e9}}, {{hbm, 1e12}}));
        QCOMPARE(above.gap->factor, 0.5);
    }
};

}  // namespace tst_point_bounds

ROOFWALK_TEST(tst_point_bounds, TestPointBounds, NoApplication)
#include "tst_point_bounds.moc"

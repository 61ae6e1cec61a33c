// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario_effect.h"

#include <QTest>

#include "core/operations/op_binding.h"
#include "tests/core/scenario/random_kernels.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_moved_analysis {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr Pipe tf32{PipeKind::tensor_tf32, false};

Profile two_kernels() {
    const Device device = machine({compute_ceiling(fp32, 1e13), compute_ceiling(tf32, 8e13)},
                                  {bandwidth_ceiling(Boundary::hbm_dram_rw, 7e11)});
    Profile profile = profile_of(device, {launch(4e-3, {{fp32, 1e9}}, {{Boundary::hbm_dram_rw, 2e9}}),
                                          launch(4e-3, {{fp32, 2e10}}, {{Boundary::hbm_dram_rw, 1e8}}),
                                          launch(4e-3, {{fp32, 2e10}}, {{Boundary::hbm_dram_rw, 1e8}})});
    profile.kernels.push_back({"other(float *)", "other", {}});
    profile.launches[1].kernel = profile.launches[2].kernel = KernelIndex{1};
    return profile;
}

ScenarioEffect effect_of_one(const Profile& profile, const Analysis& analysis, std::size_t row, Move move) {
    move.kernel = key_of(profile, analysis, analysis.points[row]);
    return effect_of({{}, {move}, {}}, profile, analysis);
}

}  // namespace

class TestMovedAnalysis : public QObject {
    Q_OBJECT

  private slots:
    void a_moved_kernel_is_judged_anew_and_the_rest_keeps_its_time() {
        const Profile profile = two_kernels();
        const Analysis measured = analyse(profile, {});
        Move move;
        move.bytes[MemoryLevel::hbm] = 0.5;
        const Analysis after = moved_analysis(measured, effect_of_one(profile, measured, 0, move));
        const KernelPoint& point = after.points[0];
        QVERIFY(near(point.time->value(), 2e-3));
        QVERIFY(near(point.gap->factor, measured.points[0].gap->factor));
        QVERIFY(near(point.at(MemoryLevel::hbm)->intensity->value(), 1.0));
        QCOMPARE(point.name, measured.points[0].name);
        QVERIFY(near(after.total_time.value(), 10e-3));
        QVERIFY(near(point.time_share, 0.2));
        QVERIFY(near(after.points[1].time_share, 0.8));
        QCOMPARE(after.points[1].time->value(), measured.points[1].time->value());
        QVERIFY(after.points[1].performance_spread.has_value());
    }
    void a_move_changes_the_time_of_known_launches_and_the_others_keep_theirs() {
        Profile profile = two_kernels();
        Launch timed = launch(4e-3, {}, {});
        profile.launches.push_back(timed);
        const Analysis measured = analyse(profile, {});
        QCOMPARE(measured.points[0].known_launches(), 1U);
        Move move;
        move.bytes[MemoryLevel::hbm] = 0.5;
        const ScenarioEffect effect = effect_of_one(profile, measured, 0, move);
        QVERIFY(near(effect.before.time.value(), 16e-3));
        QVERIFY(near(effect.after.time.value(), 14e-3));
        QCOMPARE(effect.before.rows_without_bytes[MemoryLevel::hbm], 1U);
        const Analysis after = moved_analysis(measured, effect);
        const KernelPoint& point = after.points[0];
        QVERIFY(near(point.known_time()->value(), 2e-3));
        const MovedKernel& kernel = effect.kernels.at(0);
        QVERIFY(near(time_of_all(kernel.model.measured, kernel.model)->value(),
                     measured.points[0].time->value()));
        QVERIFY(near(time_of_all(kernel.state, kernel.model)->value(), point.time->value()));
        QVERIFY(near(point.time->value(), 6e-3));
        QVERIFY(near(point.time_share, 6.0 / 14));
        QVERIFY(near(point.gap->factor, measured.points[0].gap->factor));
        QVERIFY(near(point.at(MemoryLevel::hbm)->bytes.value(), 1e9));
    }
    void a_level_that_binds_after_the_move_is_shown() {
        const Device device = machine(
            {compute_ceiling(fp32, 1e13)},
            {bandwidth_ceiling(Boundary::hbm_dram_rw, 1e12), bandwidth_ceiling(Boundary::l1_unified, 1e13)});
        Profile profile = profile_of(
            device,
            {launch(4e-3, {{fp32, 1e9}}, {{Boundary::hbm_dram_rw, 2e9}, {Boundary::l1_unified, 4e9}})});
        const Analysis measured = analyse(profile, {});
        QVERIFY(!measured.options.levels[MemoryLevel::l1]);
        Move move;
        move.bytes[MemoryLevel::hbm] = 0.1;
        const Analysis after = moved_analysis(measured, effect_of_one(profile, measured, 0, move));
        QCOMPARE(label_of(*after.points[0].binding, MemoryName::dram), std::string("L1"));
        QVERIFY(after.options.levels[MemoryLevel::l1]);
    }
    void the_horizontal_gap_shrinks_with_the_bytes() {
        Profile profile = two_kernels();
        profile.launches[0].algorithm = profile.texts.intern("custom flops=1e9 read=5e8 write=0");
        AnalysisOptions options;
        options.launch_operations = std::make_shared<const LaunchOperations>(bind_operations(profile, {}));
        const Analysis measured = analyse(profile, options);
        QVERIFY(near(*measured.points[0].target->byte_gap, 4.0));
        Move move;
        move.bytes[MemoryLevel::hbm] = 0.5;
        const Analysis after = moved_analysis(measured, effect_of_one(profile, measured, 0, move));
        QVERIFY(near(*after.points[0].target->byte_gap, 2.0));
        QVERIFY(near(*after.points[0].target->gap, 2.0));
        QVERIFY(near(*after.points[0].target->useful, 2.0));
    }

    void the_target_moves_with_what_the_algorithm_needs() {
        Profile profile = two_kernels();
        profile.launches[0].algorithm = profile.texts.intern("axpy n=1e8 dtype=fp32");
        AnalysisOptions options;
        options.launch_operations = std::make_shared<const LaunchOperations>(bind_operations(profile, {}));
        const Analysis measured = analyse(profile, options);
        Move move;
        move.bytes[MemoryLevel::hbm] = 0.5;
        move.needs.bytes = 0.5;
        const Analysis after = moved_analysis(measured, effect_of_one(profile, measured, 0, move));
        const AlgorithmicTarget& before = *measured.points[0].target;
        QVERIFY(near(*after.points[0].target->intensity / *before.intensity, 2.0));
        QVERIFY(near(*after.points[0].target->gap, *before.gap));
        QVERIFY(near(*after.points[0].target->byte_gap, *before.byte_gap));
    }
    void work_on_another_pipe_is_modelled() {
        const Profile profile = two_kernels();
        const Analysis measured = analyse(profile, {});
        Move move;
        move.pipe = {fp32, tf32};
        const KernelPoint point =
            moved_analysis(measured, effect_of_one(profile, measured, 1, move)).points[1];
        QVERIFY(near(point.time->value(), 8e-3));  // half of FP32: promised nothing
        QCOMPARE(label_of(*point.binding, point.memory), std::string("TF32 Tensor"));
        QCOMPARE(point.pipes.size(), std::size_t{2});
        QVERIFY(point.pipes[1].origin == Origin::modelled);
        QVERIFY(!point.performance_spread);
    }
    void no_moves_leave_every_number() {
        const Profile profile = RandomKernels(7).profile(30);
        const Analysis measured = analyse(profile, {});
        const Analysis after = moved_analysis(measured, effect_of({}, profile, measured));
        for (std::size_t i = 0; i < measured.points.size(); ++i) {
            QCOMPARE(after.points[i].time, measured.points[i].time);
            QCOMPARE(after.points[i].time_share, measured.points[i].time_share);
        }
    }
    void busy_units_are_busy_for_as_long_as_they_were() {
        Profile profile = two_kernels();
        profile.launches[0].metrics = {{profile.texts.intern(metric_of(HardwareUnit::l2)), 40}};
        const Analysis measured = analyse(profile, {});
        Move move;
        move.time_rule = MoveTime::factor;
        move.time = 0.8;
        constexpr HardwareUnit l2 = HardwareUnit::l2;
        QVERIFY(near(
            *moved_analysis(measured, effect_of_one(profile, measured, 0, move)).points[0].throughput[l2],
            0.5));
    }
    void a_kernel_with_less_of_everything_keeps_its_units_as_busy() {
        Profile profile = two_kernels();
        profile.launches[0].traffic.push_back(
            {.boundary = Boundary::l2_sm_sectors, .total = Bytes(4e9), .read = {}, .write = {}});
        for (const HardwareUnit unit : all_hardware_units)
            profile.launches[0].metrics.push_back({profile.texts.intern(metric_of(unit)), 40});
        const Analysis measured = analyse(profile, {});
        Move move;
        move.time_rule = MoveTime::factor;
        move.time = 0.25;
        move.work = 0.25;
        std::ranges::fill(move.bytes, 0.25);
        const KernelPoint point =
            moved_analysis(measured, effect_of_one(profile, measured, 0, move)).points[0];
        QVERIFY(near(point.time->value(), 1e-3));
        QVERIFY(near(point.gap->factor, measured.points[0].gap->factor));
        for (const HardwareUnit unit : all_hardware_units)
            if (const auto& share = point.throughput[unit]; unit == HardwareUnit::l2_slice)
                QVERIFY(!share);  // as busy as all of L2
            else
                QVERIFY(share && near(*share, 0.4));
        QCOMPARE(point.verdict.kernel_class, measured.points[0].verdict.kernel_class);
    }
};

}  // namespace tst_moved_analysis

ROOFWALK_TEST(tst_moved_analysis, TestMovedAnalysis, NoApplication)
#include "tst_moved_analysis.moc"

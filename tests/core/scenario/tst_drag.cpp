// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/drag_solver.h"

#include <QTest>

#include "tests/core/scenario/random_kernels.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_drag {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr double peak = 100e12;
constexpr double bandwidth = 1e12;  // ridge at 100 FLOP/byte

KernelModel kernel(double seconds, double flop, double hbm_bytes, double l2_bytes = 0) {
    const Device device =
        machine({compute_ceiling(fp32, peak)}, {bandwidth_ceiling(Boundary::hbm_dram_rw, bandwidth),
                                                bandwidth_ceiling(Boundary::l2_sm_sectors, 4e12)});
    return kernel_model(
        point_of(profile_of(
            device, {launch(seconds, {{fp32, flop}},
                            {{Boundary::hbm_dram_rw, hbm_bytes}, {Boundary::l2_sm_sectors, l2_bytes}})})),
        {});
}

DragResult walked(const KernelModel& model, DragTarget target) {
    return solve_drag(model, model.measured, target, {});
}

Bytes hbm_of(const KernelState& state) {
    return *state.bytes[MemoryLevel::hbm];
}

}  // namespace

class TestDrag : public QObject {
    Q_OBJECT

  private slots:
    // AI 10, a quarter of the slope: 4 GFLOP in 1.6 ms.
    void right_by_k_divides_the_bytes_and_keeps_the_gap() {
        const KernelModel model = kernel(1.6e-3, 4e9, 4e8);
        const double roof_before = 10e12;
        const double gap = roof_before / (4e9 / 1.6e-3);
        const DragResult result = walked(model, {.pointer = {50, 1}, .algorithmic = {}});
        QCOMPARE(result.bytes_factor, 0.2);
        QCOMPARE(hbm_of(result.state).value(), 8e7);
        QCOMPARE(result.gap->factor, gap);
        // t' = W / (roof(k I) / Gv)
        QVERIFY(near(result.state.time->value(), 4e9 / (50e12 / gap)));
        QVERIFY(result.state.work == model.measured.work);
        QVERIFY(!result.stops.roof && !result.stops.algorithm && !result.beyond_model);
    }
    void past_the_ridge_the_dot_slides_along_the_flat_roof() {
        const KernelModel model = kernel(1.6e-3, 4e9, 4e8);
        const DragResult at_ridge = walked(model, {.pointer = {100, 1}, .algorithmic = {}});
        const DragResult beyond = walked(model, {.pointer = {1000, 1}, .algorithmic = {}});
        QVERIFY(near(at_ridge.state.time->value(), beyond.state.time->value()));
        QCOMPARE(label_of(beyond.bound->binding, MemoryName::dram), std::string("FP32"));
        QVERIFY(beyond.kernel_class == KernelClass::latency_bound ||
                beyond.kernel_class == KernelClass::low_use);
    }
    void left_adds_bytes_and_time() {
        const DragResult result = walked(kernel(1.6e-3, 4e9, 4e8), {.pointer = {5, 1}, .algorithmic = {}});
        QCOMPARE(result.bytes_factor, 2.0);
        QVERIFY(near(result.time_factor, 2.0));
    }
    void a_level_that_does_not_bind_wins_nothing() {
        const KernelModel model = kernel(1.6e-3, 4e9, 4e8, 16e8);  // L2 is four times as fast
        const DragResult result =
            walked(model, {.level = MemoryLevel::l2, .pointer = {10, 1}, .algorithmic = {}});
        QCOMPARE(result.bytes_factor, 0.25);
        QVERIFY(!result.stops.beneath);
        QCOMPARE(result.time_factor, 1.0);
        QCOMPARE(hbm_of(result.state).value(), 4e8);
        QCOMPARE(label_of(result.bound->binding, MemoryName::dram), std::string("DRAM"));
    }
    void a_level_moves_no_less_than_the_one_beneath_it() {
        const KernelModel model = kernel(1.6e-3, 4e9, 4e8, 16e8);
        DragTarget target{.level = MemoryLevel::l2, .pointer = {40, 1}, .algorithmic = {}};
        const DragResult stopped = walked(model, target);
        QCOMPARE(stopped.bytes_factor, 0.25);  // the bytes of HBM
        QVERIFY(stopped.stops.beneath == MemoryLevel::hbm && !stopped.beyond_model);
        target.pass = true;
        const DragResult passed = walked(model, target);
        QVERIFY(passed.passed.beneath == MemoryLevel::hbm && passed.beyond_model);
        QCOMPARE(passed.bytes_factor, 0.0625);
        // A report with fewer bytes at L2 than at HBM has no such stop.
        const DragResult fewer = walked(kernel(1.6e-3, 4e9, 4e8, 2e8),
                                        {.level = MemoryLevel::l2, .pointer = {40, 1}, .algorithmic = {}});
        QCOMPARE(fewer.bytes_factor, 0.5);
        QVERIFY(!fewer.stops.beneath);
    }
    void the_next_level_takes_over_as_binding() {
        const KernelModel model = kernel(1.6e-3, 4e9, 4e8, 8e8);  // bounds: HBM 0.4 ms, L2 0.2 ms
        const DragResult result = walked(model, {.pointer = {40, 1}, .algorithmic = {}});
        QCOMPARE(label_of(result.bound->binding, MemoryName::dram), std::string("L2"));
        QVERIFY(near(result.time_factor, 0.5));
    }
    void the_algorithm_stops_a_dot_on_its_way_right() {
        const KernelModel model = kernel(1.6e-3, 4e9, 4e8);
        const DragTarget target{.pointer = {50, 1}, .algorithmic = Intensity(20)};
        const DragResult stopped = walked(model, target);
        QVERIFY(stopped.stops.algorithm);
        QVERIFY(!stopped.beyond_model);
        QCOMPARE(stopped.bytes_factor, 0.5);

        DragTarget pass = target;
        pass.pass = true;
        const DragResult passed = walked(model, pass);
        QVERIFY(!passed.stops.algorithm);
        QVERIFY(passed.beyond_model);
        QCOMPARE(passed.bytes_factor, 0.2);
    }
    void a_dot_already_right_of_the_algorithm_may_only_go_left() {
        const KernelModel model = kernel(1.6e-3, 4e9, 4e8);
        const DragResult right = walked(model, {.pointer = {12, 1}, .algorithmic = Intensity(8)});
        QVERIFY(right.stops.algorithm);
        QCOMPARE(right.bytes_factor, 1.0);
        QCOMPARE(walked(model, {.pointer = {9, 1}, .algorithmic = Intensity(8)}).stops.algorithm, false);
    }
    void free_moves_stop_at_the_roof_and_name_it() {
        const KernelModel model = kernel(1.6e-3, 4e9, 4e8);
        const DragTarget target{.mode = DragMode::free, .pointer = {20, 90e12}, .algorithmic = {}};
        const DragResult stopped = walked(model, target);
        QVERIFY(stopped.stops.roof);
        QCOMPARE(label_of(stopped.bound->binding, MemoryName::dram), std::string("DRAM"));
        QVERIFY(near(stopped.gap->factor, 1));
        QCOMPARE(stopped.kernel_class, KernelClass::near_roof);

        DragTarget pass = target;
        pass.pass = true;
        const DragResult passed = walked(model, pass);
        QVERIFY(passed.beyond_model);
        QVERIFY(near(passed.state.time->value(), 4e9 / 90e12));
        QCOMPARE(passed.kernel_class, KernelClass::above_roof);
    }
    void locked_axes_keep_bytes_or_time() {
        const KernelModel model = kernel(1.6e-3, 4e9, 4e8);
        const DragResult up =
            walked(model, {.mode = DragMode::up_only, .pointer = {70, 5e12}, .algorithmic = {}});
        QCOMPARE(up.bytes_factor, 1.0);
        QVERIFY(near(up.time_factor, 0.5));
        const DragResult right =
            walked(model, {.mode = DragMode::right_only, .pointer = {20, 5e12}, .algorithmic = {}});
        QCOMPARE(right.bytes_factor, 0.5);
        QCOMPARE(right.time_factor, 1.0);
        QVERIFY(near(right.gap->factor, 8));
    }
    void left_at_the_same_performance_stops_where_the_roof_comes_down() {
        const KernelModel model = kernel(1.6e-3, 4e9, 4e8);  // 2.5 TFLOP/s: the slope is there at AI 2.5
        const DragResult result =
            walked(model, {.mode = DragMode::right_only, .pointer = {1, 1}, .algorithmic = {}});
        QVERIFY(result.stops.roof);
        QVERIFY(near(result.bytes_factor, 4));
        QVERIFY(near(result.gap->factor, 1));
        QCOMPARE(result.time_factor, 1.0);
    }
    void a_kernel_above_its_roof_keeps_its_place_against_it() {
        const KernelModel model = kernel(3.2e-4, 4e9, 4e8);  // the bound is 0.4 ms
        const DragResult slid = walked(model, {.pointer = {20, 1}, .algorithmic = {}});
        QVERIFY(near(slid.gap->factor, 0.8));
        QVERIFY(!slid.beyond_model);
        const DragResult up =
            walked(model, {.mode = DragMode::up_only, .pointer = {1, 50e12}, .algorithmic = {}});
        QVERIFY(up.stops.roof);
        QCOMPARE(up.time_factor, 1.0);
    }
    void without_a_roof_no_dot_gets_faster_unless_told_to() {
        const KernelModel model =
            kernel_model(point_of(profile_of(machine({}, {}),
                                             {launch(1e-3, {{fp32, 4e9}}, {{Boundary::hbm_dram_rw, 4e8}})})),
                         {});
        DragTarget up{.mode = DragMode::up_only, .pointer = {10, 1e13}, .algorithmic = {}};
        const DragResult stopped = walked(model, up);
        QVERIFY(stopped.stops.roof_unknown);
        QCOMPARE(stopped.time_factor, 1.0);
        up.pass = true;
        QVERIFY(walked(model, up).beyond_model);
        const DragResult slower =
            walked(model, {.mode = DragMode::up_only, .pointer = {10, 1e12}, .algorithmic = {}});
        QVERIFY(near(slower.time_factor, 4));
        const DragResult right = walked(model, {.pointer = {40, 1}, .algorithmic = {}});
        QCOMPARE(right.bytes_factor, 0.25);
        QCOMPARE(right.time_factor, 1.0);
    }
    void pointers_off_the_chart_change_nothing() {
        const KernelModel model = kernel(1.6e-3, 4e9, 4e8);
        for (const double bad : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()})
            QVERIFY(walked(model, {.mode = DragMode::free, .pointer = {bad, bad}, .algorithmic = {}}).state ==
                    model.measured);
    }
    void a_kernel_that_stands_on_no_chart_stays() {
        const KernelModel no_work = kernel(1e-3, 0, 4e8);
        const DragResult result = walked(no_work, {.pointer = {50, 1}, .algorithmic = {}});
        QVERIFY(result.state == no_work.measured);
        QCOMPARE(result.kernel_class, KernelClass::low_use);
        const KernelModel no_l2 = kernel(1e-3, 4e9, 4e8, 0);
        QVERIFY(walked(no_l2, {.level = MemoryLevel::l2, .pointer = {50, 1}, .algorithmic = {}}).state ==
                no_l2.measured);
    }
    void arrow_keys_go_one_per_cent() {
        const ChartPlace place = stepped({10, 1e12}, 1, -1);
        QVERIFY(near(place.x, 10.1));
        QVERIFY(near(place.y, 1e12 / 1.01));
        const ChartPlace back = stepped(place, -1, 1);
        QVERIFY(near(back.x, 10) && near(back.y, 1e12));
    }
};

}  // namespace tst_drag

ROOFWALK_TEST(tst_drag, TestDrag, NoApplication)
#include "tst_drag.moc"

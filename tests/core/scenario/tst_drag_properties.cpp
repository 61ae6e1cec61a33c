// SPDX-License-Identifier: GPL-3.0-or-later
// What holds for a walk of any kernel.
#include <QTest>
#include <algorithm>

#include "core/scenario/drag_solver.h"
#include "tests/core/scenario/random_kernels.h"
#include "tests/support/folder_tests.h"

namespace tst_drag_properties {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr std::array modes{DragMode::keep_efficiency, DragMode::free, DragMode::right_only,
                           DragMode::up_only};

/// Calls `check(model, level, start, random)` for every dot of some thousand kernels.
template <class Check>
int for_each_dot(Check check) {
    int dots = 0;
    for (std::uint64_t seed = 0; seed < 80; ++seed) {
        RandomKernels random(seed);
        const Analysis analysis = analyse(random.profile(20), roofs_alone());
        for (const KernelPoint& point : analysis.points) {
            const KernelModel model = kernel_model(point, analysis.options);
            for (const MemoryLevel level : all_levels)
                if (const auto start = place_of(model.measured, model.roofs, level)) {
                    ++dots;
                    check(model, level, *start, random);
                }
        }
    }
    return dots;
}

DragTarget anywhere(MemoryLevel level, DragMode mode, ChartPlace start, RandomKernels& random) {
    return {.level = level,
            .mode = mode,
            .pointer = {start.x * random.amount(1e-3, 1e3), start.y * random.amount(1e-3, 1e3)},
            .algorithmic = random.one_in(2) ? std::optional(Intensity(start.x * random.amount(0.1, 100)))
                                            : std::nullopt};
}

double efficiency(const KernelState& state, const KernelRoofs& roofs) {
    const auto gap = gap_of(state, roofs);
    return gap ? gap->efficiency() : 0;
}

}  // namespace

class TestDragProperties : public QObject {
    Q_OBJECT

  private slots:
    void right_by_k_divides_bytes_by_k_at_constant_work() {
        const int dots = for_each_dot(
            [](const KernelModel& model, MemoryLevel level, ChartPlace start, RandomKernels& random) {
                const double k = random.amount(1, 1e3);
                const DragResult result =
                    solve_drag(model, model.measured,
                               {.level = level, .pointer = {start.x * k, start.y}, .algorithmic = {}}, {});
                QVERIFY(result.state.work == model.measured.work);
                if (result.stops.beneath) {
                    QVERIFY(*result.state.bytes[level] >=
                            *result.state.bytes[*result.stops.beneath] * (1 - factor_rounding));
                    return;
                }
                QVERIFY(near(model.measured.bytes[level]->value() / k, result.state.bytes[level]->value()));
                const auto place = place_of(result.state, model.roofs, level);
                QVERIFY(place && near(place->x, start.x * k));
            });
        QVERIFY(dots > 1000);
    }
    void nothing_passes_the_roof_unless_on_purpose() {
        for_each_dot(
            [](const KernelModel& model, MemoryLevel level, ChartPlace start, RandomKernels& random) {
                const double before = efficiency(model.measured, model.roofs);
                for (const DragMode mode : modes) {
                    const DragResult result =
                        solve_drag(model, model.measured, anywhere(level, mode, start, random), {});
                    QVERIFY(efficiency(result.state, model.roofs) <= std::max(1.0, before) * (1 + 1e-9));
                    QVERIFY(!result.beyond_model);
                }
            });
    }
    void nothing_passes_the_algorithm_unless_on_purpose() {
        for_each_dot(
            [](const KernelModel& model, MemoryLevel level, ChartPlace start, RandomKernels& random) {
                for (const DragMode mode : modes) {
                    DragTarget target = anywhere(level, mode, start, random);
                    if (!target.algorithmic) continue;
                    const DragResult result = solve_drag(model, model.measured, target, {});
                    const double last = std::max(start.x, target.algorithmic->value());
                    QVERIFY(place_of(result.state, model.roofs, level)->x <= last * (1 + 1e-9));
                    target.pass = true;
                    const DragResult passed = solve_drag(model, model.measured, target, {});
                    if (place_of(passed.state, model.roofs, level)->x > last * (1 + 1e-6))
                        QVERIFY(passed.beyond_model);
                }
            });
    }
    void whoever_passes_gets_where_the_pointer_is() {
        for_each_dot(
            [](const KernelModel& model, MemoryLevel level, ChartPlace start, RandomKernels& random) {
                DragTarget target = anywhere(level, DragMode::free, start, random);
                target.pass = true;
                const DragResult result = solve_drag(model, model.measured, target, {});
                const auto place = place_of(result.state, model.roofs, level);
                QVERIFY(near(place->x, target.pointer.x) && near(place->y, target.pointer.y));
            });
    }
    void the_efficiency_is_kept_where_it_should_be() {
        int kept = 0;
        for_each_dot(
            [&](const KernelModel& model, MemoryLevel level, ChartPlace start, RandomKernels& random) {
                const DragResult result = solve_drag(
                    model, model.measured, anywhere(level, DragMode::keep_efficiency, start, random), {});
                const auto before = gap_of(model.measured, model.roofs);
                QCOMPARE(result.gap.has_value(), before.has_value());
                if (!before) {
                    QCOMPARE(result.time_factor, 1.0);
                    return;
                }
                ++kept;
                QVERIFY(near(result.gap->factor, before->factor, 1e-11));
            });
        QVERIFY(kept > 500);
    }
    void a_move_does_what_the_walk_did() {
        for_each_dot(
            [](const KernelModel& model, MemoryLevel level, ChartPlace start, RandomKernels& random) {
                for (const DragMode mode : modes) {
                    DragTarget target = anywhere(level, mode, start, random);
                    target.pass = random.one_in(3);
                    const DragResult result = solve_drag(model, model.measured, target, {});
                    const KernelState state = moved(model.measured, model, move_of(target, result));
                    QVERIFY(near(state.time->value(), result.state.time->value()));
                    QVERIFY(state.bytes == result.state.bytes);
                    QVERIFY(state.work == result.state.work);
                }
            });
    }
    void many_small_steps_are_one_long_one() {
        for_each_dot([](const KernelModel& model, MemoryLevel level, ChartPlace start, RandomKernels&) {
            ChartPlace place = start;
            for (int i = 0; i < 50; ++i)
                place = stepped(place, 1, 0);
            const auto at = [&](ChartPlace pointer) {
                return solve_drag(model, model.measured,
                                  {.level = level, .pointer = pointer, .algorithmic = {}}, {});
            };
            QVERIFY(
                near(at(place).state.time->value(), at(stepped(start, 50, 0)).state.time->value(), 1e-10));
        });
    }
};

}  // namespace tst_drag_properties

ROOFWALK_TEST(tst_drag_properties, TestDragProperties, NoApplication)
#include "tst_drag_properties.moc"

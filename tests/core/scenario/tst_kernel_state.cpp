// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/kernel_state.h"

#include <QTest>

#include "core/scenario/scenario_effect.h"
#include "tests/core/scenario/random_kernels.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_kernel_state {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr MemoryLevel smem = MemoryLevel::smem;
constexpr MemoryLevel l1 = MemoryLevel::l1;

/// With utilisations from the profiler, so that busy units take part too.
void add_throughput(Profile& profile, RandomKernels& random) {
    const TextId sm = profile.texts.intern(metric_of(HardwareUnit::sm));
    const TextId l2 = profile.texts.intern(metric_of(HardwareUnit::l2));
    for (Launch& launch : profile.launches)
        if (random.one_in(2)) launch.metrics = {{sm, random.between(0, 100)}, {l2, random.between(0, 100)}};
}

}  // namespace

class TestKernelState : public QObject {
    Q_OBJECT

  private slots:
    void every_pipe_has_a_place_of_its_own() {
        PipeArray<int> places;
        int next = 0;
        for (const Pipe pipe : all_pipes)
            places[pipe] = ++next;
        QCOMPARE(next, static_cast<int>(2 * enum_size<PipeKind>));
        for (const Pipe pipe : all_pipes)
            QVERIFY(places[pipe] > 0 && all_pipes[static_cast<std::size_t>(places[pipe] - 1)] == pipe);
    }

    void bounds_gap_and_class_are_those_of_the_analysis() {
        int with_gap = 0;
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            RandomKernels random(seed);
            Profile profile = random.profile(20);
            add_throughput(profile, random);
            const Analysis analysis = analyse(profile, {});
            for (const KernelPoint& point : analysis.points) {
                const KernelModel model = kernel_model(point, analysis.options);
                const auto bound = speed_of_light(model.measured, model.roofs);
                QCOMPARE(bound.has_value(), point.binding.has_value());
                const auto gap = gap_of(model.measured, model.roofs);
                QCOMPARE(gap.has_value(), point.gap.has_value());
                QVERIFY(class_of(model.measured, model, {}) == point.verdict.kernel_class);
                if (!gap) continue;
                ++with_gap;
                QCOMPARE(bound->time.value(), point.speed_of_light->value());
                QCOMPARE(label_of(bound->binding, point.memory), label_of(*point.binding, point.memory));
                QCOMPARE(gap->factor, point.gap->factor);
            }
        }
        QVERIFY(with_gap > 300);
    }

    void what_moves_leave_is_judged_as_the_analysis_would() {
        int moved_dots = 0;
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            RandomKernels random(seed);
            Profile profile = random.profile(20);
            add_throughput(profile, random);
            const Analysis analysis = analyse(profile, {});
            for (const KernelPoint& measured : analysis.points) {
                const KernelModel model = kernel_model(measured, analysis.options);
                KernelState state = model.measured;
                if (state.time) state.time = *state.time * random.amount(0.1, 10);
                for (const MemoryLevel level : all_levels)
                    if (const auto bytes = state.bytes[level])
                        set_bytes(state, model.roofs, level, *bytes * random.amount(0.1, 10));
                const KernelPoint point = moved_point(measured, state, analysis.options);
                QVERIFY(class_of(state, model, {}) == point.verdict.kernel_class);
                const auto gap = gap_of(state, model.roofs);
                QCOMPARE(gap.has_value(), point.gap.has_value());
                if (!gap) continue;
                QCOMPARE(gap->factor, point.gap->factor);
                const auto place = place_of(state, model.roofs, MemoryLevel::hbm);
                const auto& hbm = point.at(MemoryLevel::hbm);
                QCOMPARE(place.has_value(), hbm && hbm->intensity && point.work->value() > 0);
                if (!place) continue;
                ++moved_dots;
                QCOMPARE(place->x, hbm->intensity->value());
                QCOMPARE(place->y, point.performance->value());
            }
        }
        QVERIFY(moved_dots > 300);
    }

    void shared_memory_is_part_of_all_wavefronts() {
        const KernelPoint point = point_of(profile_of(
            machine({compute_ceiling(fp32, 1e13)}, {}),
            {launch(1e-3, {{fp32, 1e9}}, {{Boundary::smem_wavefronts, 6e8}, {Boundary::l1_unified, 9e8}})}));
        const KernelModel model = kernel_model(point, {});
        QVERIFY(shared_is_part_of_l1(model.roofs) ==
                (AnalysisOptions().boundaries[l1] == Boundary::l1_unified));
        KernelState state = model.measured;
        set_bytes(state, model.roofs, MemoryLevel::smem, Bytes(2e8));
        QCOMPARE(state.bytes[smem]->value(), 2e8);
        QCOMPARE(state.bytes[l1]->value(), 5e8);
        set_bytes(state, model.roofs, MemoryLevel::l1, Bytes(4e8));
        QCOMPARE(state.bytes[smem]->value(), 2e8);
    }

    void l1tex_is_as_much_busier_as_all_that_it_serves() {
        const auto busy_with = [](Boundary boundary) {
            Profile profile = profile_of(
                machine({compute_ceiling(fp32, 1e13)}, {bandwidth_ceiling(boundary, 1e13),
                                                        bandwidth_ceiling(Boundary::smem_wavefronts, 1e13)}),
                {launch(1e-3, {{fp32, 1e9}}, {{Boundary::smem_wavefronts, 1e8}, {boundary, 9e8}})});
            profile.launches[0].metrics.push_back({profile.texts.intern(metric_of(HardwareUnit::l1tex)), 30});
            AnalysisOptions options;
            options.boundaries[l1] = boundary;
            const KernelModel model = kernel_model(analyse(profile, options).points.at(0), options);
            KernelState state = model.measured;
            set_bytes(state, model.roofs, smem, Bytes(1e9));
            return moved_throughput(model, state)[HardwareUnit::l1tex].value();
        };
        QVERIFY(std::abs(busy_with(Boundary::l1_unified) - 0.3 * 2) < 1e-9);      // 1.8 of 0.9 GB
        QVERIFY(std::abs(busy_with(Boundary::l1_writeback) - 0.3 * 1.9) < 1e-9);  // 0.9 + 1 of 0.9 + 0.1
    }

    void a_level_without_bytes_gets_none() {
        const KernelPoint point = point_of(
            profile_of(machine({compute_ceiling(fp32, 1e13)}, {}), {launch(1e-3, {{fp32, 1e9}}, {})}));
        const KernelModel model = kernel_model(point, {});
        KernelState state = model.measured;
        set_bytes(state, model.roofs, MemoryLevel::hbm, Bytes(1));
        QVERIFY(state == model.measured);
        QVERIFY(!place_of(state, model.roofs, MemoryLevel::hbm));
    }
};

}  // namespace tst_kernel_state

ROOFWALK_TEST(tst_kernel_state, TestKernelState, NoApplication)
#include "tst_kernel_state.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// What holds between the gaps of any kernel, as measured and after any move.
#include <QTest>
#include <algorithm>

#include "core/operations/op_binding.h"
#include "core/scenario/scenario_effect.h"
#include "tests/core/scenario/random_kernels.h"
#include "tests/support/folder_tests.h"

namespace tst_gap_properties {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

/// Kernels that do about the work of their operation, and move more or fewer bytes than it needs.
Profile bound_kernels(RandomKernels& random, std::uint32_t count) {
    Profile profile = random.profile(count);
    for (Launch& launch : profile.launches) {
        double flops = 1;
        for (const WorkSample& sample : launch.work)
            flops = std::max(flops, sample.work.value());
        launch.algorithm =
            profile.texts.intern("custom flops=" + std::to_string(flops * random.amount(0.5, 2)) +
                                 " read=" + std::to_string(random.amount(1e3, 1e10)) + " write=0");
    }
    return profile;
}

struct Bound {
    Profile profile;
    Analysis analysis;

    explicit Bound(RandomKernels& random) : profile(bound_kernels(random, 20)) {
        AnalysisOptions options = roofs_alone();
        options.launch_operations = std::make_shared<const LaunchOperations>(bind_operations(profile, {}));
        analysis = analyse(profile, options);
    }
};

Move random_move(RandomKernels& random) {
    Move move;
    for (double& factor : move.bytes)
        if (random.one_in(2)) factor = random.amount(0.01, 10);
    if (random.one_in(4)) move.work = random.amount(0.1, 2);
    if (random.one_in(4)) move.needs = {.bytes = random.amount(0.1, 1), .work = random.amount(0.1, 1)};
    if (random.one_in(3)) {
        move.time_rule = MoveTime::factor;
        move.time = random.amount(0.01, 10);
    } else if (random.one_in(3)) {
        move.time_rule = MoveTime::to_roof;
    }
    return move;
}

/// How many of the points have all gaps.
int check_gaps(const Analysis& analysis) {
    int whole = 0;
    for (const KernelPoint& point : analysis.points) {
        if (point.gap && point.speed_of_light)
            if (!near(point.gap->factor, *point.time / *point.speed_of_light)) return -1;
        if (!point.target || !point.target->gap || !point.target->useful || !point.gap) continue;
        const AlgorithmicTarget& target = *point.target;
        const double gap = *target.gap;
        const double useful = *target.useful;
        const bool consistent = near(gap, *target.place / *point.at(MemoryLevel::hbm)->intensity) &&
                                std::abs(gap / *target.byte_gap - 1) <= same_work_tolerance * 1.02 &&
                                useful >= std::min(1.0, gap) * (1 - 1e-12) &&
                                useful <= std::max(1.0, gap) * (1 + 1e-12) &&
                                near(*target.potential, point.gap->factor * useful);
        if (!consistent) return -1;
        ++whole;
    }
    return whole;
}

}  // namespace

class TestGapProperties : public QObject {
    Q_OBJECT

  private slots:
    void the_gaps_agree_with_each_other() {
        int whole = 0;
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            RandomKernels random(seed);
            const Bound bound(random);
            const int here = check_gaps(bound.analysis);
            QVERIFY(here >= 0);
            whole += here;
        }
        QVERIFY(whole > 300);
    }
    void they_agree_after_any_move() {
        int whole = 0;
        for (std::uint64_t seed = 100; seed < 160; ++seed) {
            RandomKernels random(seed);
            const Bound bound(random);
            Scenario scenario;
            for (int i = 0; i < 10; ++i) {
                Move move = random_move(random);
                const auto row = static_cast<std::size_t>(
                    random.between(0, static_cast<double>(bound.analysis.points.size())));
                move.kernel = key_of(bound.profile, bound.analysis, bound.analysis.points[row]);
                scenario.moves.push_back(move);
            }
            const ScenarioEffect effect = effect_of(scenario, bound.profile, bound.analysis);
            const int here = check_gaps(moved_analysis(bound.analysis, effect));
            QVERIFY(here >= 0);
            whole += here;
        }
        QVERIFY(whole > 300);
    }
    void the_potential_is_what_both_moves_bring() {
        int brought = 0;
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            RandomKernels random(seed);
            const Bound bound(random);
            for (const KernelPoint& point : bound.analysis.points) {
                if (!point.target || !point.target->potential || !point.target->gap) continue;
                const KernelModel model = kernel_model(point, bound.analysis.options);
                Move move;
                move.bytes[MemoryLevel::hbm] = bounded_factor(1 / *point.target->gap);
                move.time_rule = MoveTime::to_roof;
                const KernelState state = moved(model.measured, model, move);
                const double faster = *model.measured.time / *state.time;
                // A kernel above its roof may stay as far above it as it was.
                if (point.gap->factor >= 1) QVERIFY(near(faster, *point.target->potential, 1e-9));
                ++brought;
            }
        }
        QVERIFY(brought > 300);
    }
    void no_move_passes_the_roof_unless_on_purpose() {
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            RandomKernels random(seed);
            const Analysis analysis = analyse(random.profile(20), roofs_alone());
            for (const KernelPoint& point : analysis.points) {
                const KernelModel model = kernel_model(point, analysis.options);
                KernelState state = model.measured;
                for (int i = 0; i < 5; ++i) {
                    const auto before = gap_of(state, model.roofs);
                    state = moved(state, model, random_move(random));
                    const auto after = gap_of(state, model.roofs);
                    if (before && after) QVERIFY(after->factor >= std::min(1.0, before->factor) * (1 - 1e-9));
                }
            }
        }
    }
};

}  // namespace tst_gap_properties

ROOFWALK_TEST(tst_gap_properties, TestGapProperties, NoApplication)
#include "tst_gap_properties.moc"

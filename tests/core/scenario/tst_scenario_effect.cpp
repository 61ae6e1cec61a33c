// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario_effect.h"

#include <QTest>
#include <algorithm>
#include <stop_token>

#include "tests/core/scenario/random_kernels.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_scenario_effect {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr MemoryLevel hbm = MemoryLevel::hbm;

Move bytes_of(const KernelKey& key, double factor) {
    Move move;
    move.kernel = key;
    move.bytes[hbm] = factor;
    return move;
}

Scenario random_moves(const Profile& profile, const Analysis& analysis, RandomKernels& random, int count) {
    Scenario scenario;
    for (int i = 0; i < count; ++i) {
        const auto row =
            static_cast<std::size_t>(random.between(0, static_cast<double>(analysis.points.size())));
        Move move = bytes_of(key_of(profile, analysis, analysis.points[row]), random.amount(0.1, 10));
        if (random.one_in(3)) {
            move.time_rule = MoveTime::factor;
            move.time = random.amount(0.1, 10);
        }
        move.on = !random.one_in(4);
        scenario.moves.push_back(move);
    }
    return scenario;
}

/// Adds the kernels up anew.
ProgramTotals from_scratch(const Analysis& analysis) {
    ProgramTotals totals;
    for (const KernelPoint& point : analysis.points) {
        if (point.time) totals.time += *point.time;
        for (const MemoryLevel level : all_levels)
            if (point.levels[level])
                totals.bytes[level] = totals.bytes[level].value_or(Bytes()) + point.levels[level]->bytes;
    }
    return totals;
}

}  // namespace

class TestScenarioEffect : public QObject {
    Q_OBJECT

  private slots:
    // Amdahl: half of the time twice as fast is 4/3.
    void the_rest_of_the_program_stays() {
        const Device device =
            machine({compute_ceiling(fp32, 1e14)}, {bandwidth_ceiling(Boundary::hbm_dram_rw, 6e11)});
        Profile profile = profile_of(device, {launch(4e-3, {{fp32, 1e9}}, {{Boundary::hbm_dram_rw, 2e9}}),
                                              launch(4e-3, {{fp32, 1e9}}, {{Boundary::hbm_dram_rw, 2e9}})});
        profile.kernels.push_back({"other(float *)", "other", {}});
        profile.launches[1].kernel = KernelIndex{1};
        const Analysis analysis = analyse(profile, {});
        const Scenario scenario{"halve", {bytes_of(key_of(profile, analysis, analysis.points[1]), 0.5)}, {}};
        const ScenarioEffect effect = effect_of(scenario, profile, analysis);
        QVERIFY(near(effect.after.time.value(), 6e-3));
        QVERIFY(near(*speed_up(effect.before, effect.after), 4.0 / 3));
        QCOMPARE(effect.before.bytes[hbm]->value(), 4e9);
        QCOMPARE(effect.after.bytes[hbm]->value(), 3e9);
        QCOMPARE(effect.kernels.size(), std::size_t{1});
        QCOMPARE(effect.kernels[0].point, 1U);
    }
    // S0-38: 2,000 GB/s of traffic, 40 % served by L2, tiled by 3, fused by 2.
    void traffic_falls_down_the_steps() {
        const Device device =
            machine({compute_ceiling(fp32, 1e14)}, {bandwidth_ceiling(Boundary::hbm_dram_rw, 2.039e12)});
        const Profile profile =
            profile_of(device, {launch(1, {{fp32, 1e12}}, {{Boundary::hbm_dram_rw, 2000e9}})});
        const Analysis analysis = analyse(profile, {});
        const KernelKey key = key_of(profile, analysis, analysis.points[0]);
        Scenario scenario;
        for (const double factor : {0.6, 1.0 / 3, 0.5}) {
            Move move = bytes_of(key, factor);
            move.time_rule = MoveTime::factor;  // at the same rate of work
            scenario.moves.push_back(move);
        }
        const ScenarioEffect effect = effect_of(scenario, profile, analysis);
        const std::array rates{1200e9, 400e9, 200e9};
        QCOMPARE(effect.steps.size(), rates.size());
        for (std::size_t i = 0; i < rates.size(); ++i)
            QVERIFY(
                near((*effect.steps[i].program.bytes[hbm] / effect.steps[i].program.time).value(), rates[i]));
    }
    void totals_are_those_of_the_kernels_added_up() {
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            RandomKernels random(seed);
            const Profile profile = random.profile(30);
            const Analysis analysis = analyse(profile, {});
            const Scenario scenario = random_moves(profile, analysis, random, 20);
            const ScenarioEffect effect = effect_of(scenario, profile, analysis);
            const ProgramTotals before = from_scratch(analysis);
            const Analysis moved = moved_analysis(analysis, effect);
            ProgramTotals after = from_scratch(moved);
            double shares = 0;
            for (const KernelPoint& point : moved.points)
                shares += point.time_share;
            QVERIFY(near(shares, 1, 1e-10));
            QVERIFY(near(effect.before.time.value(), before.time.value()));
            QVERIFY(near(effect.after.time.value(), after.time.value(), 1e-10));
            for (const MemoryLevel level : all_levels) {
                QCOMPARE(effect.after.bytes[level].has_value(), after.bytes[level].has_value());
                if (after.bytes[level])
                    QVERIFY(near(effect.after.bytes[level]->value(), after.bytes[level]->value(), 1e-10));
            }
            if (!effect.steps.empty()) QVERIFY(effect.steps.back().program.time == effect.after.time);
        }
    }
    void off_and_on_again_restores_exactly() {
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            RandomKernels random(seed);
            const Profile profile = random.profile(20);
            const Analysis analysis = analyse(profile, {});
            Scenario scenario = random_moves(profile, analysis, random, 12);
            const ScenarioEffect before = effect_of(scenario, profile, analysis);
            const Scenario kept = scenario;
            for (Move& move : scenario.moves)
                move.on = false;
            const ScenarioEffect off = effect_of(scenario, profile, analysis);
            QVERIFY(off.steps.empty() && off.kernels.empty());
            QVERIFY(off.after.time == off.before.time);
            scenario = kept;
            const ScenarioEffect after = effect_of(scenario, profile, analysis);
            QVERIFY(after.after.time == before.after.time);
            QCOMPARE(after.kernels.size(), before.kernels.size());
            for (std::size_t i = 0; i < after.kernels.size(); ++i)
                QVERIFY(after.kernels[i].state == before.kernels[i].state);
        }
    }
    void moves_of_different_kernels_may_change_places() {
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            RandomKernels random(seed);
            const Profile profile = random.profile(12);
            const Analysis analysis = analyse(profile, {});
            Scenario scenario;
            for (const KernelPoint& point : analysis.points)
                scenario.moves.push_back(bytes_of(key_of(profile, analysis, point), random.amount(0.1, 10)));
            const ScenarioEffect forward = effect_of(scenario, profile, analysis);
            std::ranges::reverse(scenario.moves);
            const ScenarioEffect backward = effect_of(scenario, profile, analysis);
            QVERIFY(near(forward.after.time.value(), backward.after.time.value(), 1e-10));
            for (std::size_t i = 0; i < forward.kernels.size(); ++i)
                QVERIFY(forward.kernels[i].state == backward.kernels[i].state);
        }
    }
    void unknown_times_are_counted() {
        const Profile profile =
            profile_of(machine({}, {bandwidth_ceiling(Boundary::hbm_dram_rw, 1e12)}),
                       {launch({}, {{fp32, 1e9}}, {{Boundary::hbm_dram_rw, 1e9}}), launch(1e-3, {}, {})});
        AnalysisOptions options;
        options.group_by = GroupBy::launch;
        const ProgramTotals totals = measured_totals(analyse(profile, options));
        QCOMPARE(totals.rows, 2U);
        QCOMPARE(totals.rows_without_time, 1U);
        QCOMPARE(totals.rows_without_bytes[hbm], 1U);
        QCOMPARE(totals.time.value(), 1e-3);
        QCOMPARE(totals.bytes[hbm]->value(), 1e9);
        QVERIFY(!totals.bytes[MemoryLevel::smem]);
        QVERIFY(!speed_up({}, {}));
    }
    void moves_without_a_kernel_say_why() {
        const Profile profile = profile_of(machine({}, {}), {launch(1e-3, {}, {})});
        const Analysis analysis = analyse(profile, {});
        Scenario scenario;
        scenario.moves.push_back(bytes_of(key_of(profile, analysis, analysis.points[0]), 0.5));
        scenario.moves.push_back(scenario.moves[0]);
        scenario.moves[1].kernel.name = "gone";
        scenario.moves.push_back(scenario.moves[0]);
        scenario.moves[2].kernel.group_by = GroupBy::launch;
        scenario.moves.push_back(scenario.moves[1]);
        scenario.moves[3].on = false;
        const ScenarioEffect effect = effect_of(scenario, profile, analysis);
        QCOMPARE(effect.steps.size(), std::size_t{1});
        QCOMPARE(effect.unused.size(), std::size_t{2});
        QCOMPARE(effect.unused[0].move, 1U);
        QCOMPARE(effect.unused[0].why, std::string("the report has no kernel of this name"));
        QVERIFY(effect.unused[0].match == KeyMatch::unknown);
        QVERIFY(effect.unused[1].match == KeyMatch::other_grouping);
        QCOMPARE(effect.unused[1].why,
                 std::string("it was made for rows launch by launch, and they are shown kernel by kernel"));
    }
    void a_scenario_that_is_cancelled_ends_early() {
        RandomKernels random(7);
        const Profile profile = random.profile(50);
        const Analysis analysis = analyse(profile, {});
        const Scenario scenario = random_moves(profile, analysis, random, 200);
        const ScenarioEffect whole = effect_of(scenario, profile, analysis);
        std::stop_source stop;
        std::size_t told = 0;
        const Progress progress{[&](double) {
                                    if (++told == 10) stop.request_stop();
                                },
                                stop.get_token()};
        const ScenarioEffect begun = effect_of(scenario, profile, analysis, progress);
        QCOMPARE(told, std::size_t{10});
        QCOMPARE(begun.steps.size() + begun.unused.size(), std::size_t{9});
        QVERIFY(begun.steps.back().after == whole.steps[begun.steps.size() - 1].after);

        const Analysis moved = moved_analysis(analysis, whole, {{}, stop.get_token()});
        for (std::size_t i = 0; i < analysis.points.size(); ++i)
            QVERIFY(moved.points[i].time == analysis.points[i].time);
        std::vector<const KernelKey*> keys;
        for (const Move& move : scenario.moves)
            keys.push_back(&move.kernel);
        for (const FoundKernel& found : find_kernels(profile, analysis, keys, {{}, stop.get_token()}))
            QVERIFY(found.match != KeyMatch::found);
    }
};

}  // namespace tst_scenario_effect

ROOFWALK_TEST(tst_scenario_effect, TestScenarioEffect, NoApplication)
#include "tst_scenario_effect.moc"

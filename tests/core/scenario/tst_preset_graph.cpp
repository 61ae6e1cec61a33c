// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <array>

#include "core/scenario/presets.h"
#include "core/scenario/scenario_json.h"
#include "core/scenario/scenario_report.h"
#include "tests/core/scenario/preset_move.h"
#include "tests/core/scenario/random_kernels.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_preset_graph {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

/// Two kernels in turn, three times: 4 us each, 6 us idle before each but the first.
Profile loop(bool with_starts = true) {
    Profile profile = profile_of(
        machine({compute_ceiling(fp32, 2e13)}, {bandwidth_ceiling(Boundary::hbm_dram_rw, 2e12)}), {});
    profile.kernels.push_back({"other", {}, {}});
    for (int i = 0; i < 6; ++i) {
        Launch one = launch(4e-6, {}, {});
        one.kernel = KernelIndex(i % 2);
        if (with_starts) one.start = Seconds(1e-5 * i);
        profile.launches.push_back(one);
    }
    return profile;
}

constexpr std::array<std::uint32_t, 2> both{0, 1};

Result<Scenario> as_graph(const Profile& profile, std::optional<double> runs = {}) {
    const Analysis analysis = analyse(profile, {});
    Scenario scenario;
    for (const std::uint32_t point : both) {
        PresetSubject subject = preset_subject(profile, analysis, point);
        subject.chosen = both;
        Result<Move> move = test::preset_move(*find_preset("graph"), subject, runs);
        if (!move) return tl::unexpected(move.error());
        scenario.moves.push_back(*move);
    }
    return scenario;
}

ScenarioEffect effect(const Profile& profile, const Scenario& scenario) {
    return effect_of(scenario, profile, analyse(profile, {}));
}

}  // namespace

class TestPresetGraph : public QObject {
    Q_OBJECT

  private slots:
    void one_call_launches_all_and_kernels_take_as_long() {
        const Profile profile = loop();
        const ScenarioEffect all = effect(profile, *as_graph(profile));
        QVERIFY(near(all.before.calls, 6) && near(all.after.calls, 1));
        QVERIFY(near(all.before.idle->value(), 30e-6));
        QVERIFY(all.after.idle->value() < 1e-12);
        QVERIFY(near(all.after.time.value(), all.before.time.value()));
        for (const ScenarioStep& step : all.steps)
            QVERIFY(!step.left_as_it_was() && !step.unpromised);
    }
    void one_call_for_each_run() {
        const Profile profile = loop();
        const ScenarioEffect each = effect(profile, *as_graph(profile, 3));
        QVERIFY(near(each.after.calls, 3));
        QVERIFY(near(each.after.idle->value(), 12e-6));
        QVERIFY(!as_graph(profile, 6));
    }
    void without_start_times_it_says_why_not() {
        const auto scenario = as_graph(loop(false));
        QVERIFY(!scenario);
        QCOMPARE(scenario.error().code, ErrorCode::bad_argument);
    }
    void the_sentence_and_the_file_tell_of_launches() {
        const Profile profile = loop();
        const Scenario scenario = *as_graph(profile);
        const auto again = read_scenario(to_json(scenario), "a.json");
        QVERIFY(again && again->moves == scenario.moves);
        const std::string sentence = scenario_sentence(scenario, effect(profile, scenario));
        QVERIFY(sentence.find("1 launch instead of 6") != std::string::npos);
        QVERIFY(sentence.find("30.0 µs") != std::string::npos);
        // Unknown is not 0.
        const Profile unknown = loop(false);
        const std::string json =
            to_scenario_report_json(scenario, analyse(unknown, {}), effect(unknown, scenario));
        QVERIFY(json.find("\"idle_s\":null") != std::string::npos);
    }
    void fused_kernels_share_the_call_too() {
        const Profile profile = loop();
        Scenario scenario = *as_graph(profile);
        for (Move& move : scenario.moves) {
            move.calls = 1;
            move.launches = 0.5;
        }
        const ScenarioEffect fused = effect(profile, scenario);
        QVERIFY(near(fused.after.calls, 3));
        QVERIFY(near(fused.after.idle->value(), 12e-6));
    }
    // Where the gaps are unlike, nobody knows which are saved: the longest, of whichever kernel.
    void what_it_saves_at_most_are_the_longest_gaps() {
        Profile profile = profile_of(machine({}, {}), {});
        profile.kernels.push_back({"other", {}, {}});
        double start = 0;
        for (const double gap : {0.0, 1e-6, 2e-6, 80e-6, 2e-6, 40e-6}) {
            Launch one = launch(4e-6, {}, {});
            one.kernel = KernelIndex(profile.launches.size() % 2);
            one.start = Seconds(start += gap);
            start += 4e-6;
            profile.launches.push_back(one);
        }
        const ScenarioEffect half = effect(profile, *as_graph(profile, 4));
        QVERIFY(near(half.before.idle->value(), 125e-6));
        QVERIFY(near(half.after.idle->value(), 5e-6));
        // A move that makes them again takes nothing away.
        Scenario back = *as_graph(profile, 3);
        for (const double calls : {4.0, 0.25}) {
            back.moves.push_back(back.moves[1]);
            back.moves.back().calls = calls;
        }
        const ScenarioEffect there = effect(profile, back);
        QVERIFY(near(there.steps[2].program.idle->value(), 5e-6));
        QVERIFY(near(there.after.idle->value(), 3e-6));
    }
};

}  // namespace tst_preset_graph

ROOFWALK_TEST(tst_preset_graph, TestPresetGraph, NoApplication)
#include "tst_preset_graph.moc"

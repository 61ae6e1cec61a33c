// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/promise.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <algorithm>

#include "core/base/text.h"
#include "core/operations/op_binding.h"
#include "core/roofline/launch_floor.h"
#include "core/scenario/drag_solver.h"
#include "core/scenario/move_words.h"
#include "core/scenario/presets.h"
#include "core/scenario/scenario_effect.h"
#include "core/scenario/scenario_report.h"
#include "tests/core/roofline/profiles.h"
#include "tests/core/scenario/preset_move.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_promise {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr MemoryLevel hbm = MemoryLevel::hbm;

/// 1e9 bytes under 1 TB/s: 1 ms at the roof of HBM, and `time` in all.
Profile kernel_of(double time, std::size_t launches = 1, double bytes = 1e9) {
    const Launch one = launch(
        time, {{fp32, bytes / 10}},
        {{Boundary::hbm_dram_rw, bytes}, {Boundary::l2_sm_sectors, bytes}, {Boundary::smem_wavefronts, 0}});
    Profile profile = profile_of(
        machine({compute_ceiling(fp32, 1e13)}, {bandwidth_ceiling(Boundary::hbm_dram_rw, 1e12),
                                                bandwidth_ceiling(Boundary::l2_sm_sectors, 5e12),
                                                bandwidth_ceiling(Boundary::smem_wavefronts, 2e13)}),
        {one});
    profile.launches.resize(launches, profile.launches.front());
    return profile;
}

/// 1e9 bytes at HBM, which take 1 ms, and 4e9 at L1, which take 4 ms of the 4.1 ms.
Profile bound_by_l1() {
    return profile_of(
        machine({compute_ceiling(fp32, 1e13)}, {bandwidth_ceiling(Boundary::hbm_dram_rw, 1e12),
                                                bandwidth_ceiling(Boundary::l2_sm_sectors, 5e12),
                                                bandwidth_ceiling(Boundary::l1_unified, 1e12),
                                                bandwidth_ceiling(Boundary::smem_wavefronts, 1e12)}),
        {launch(4.1e-3, {{fp32, 1e8}},
                {{Boundary::hbm_dram_rw, 1e9},
                 {Boundary::l2_sm_sectors, 1e9},
                 {Boundary::l1_unified, 4e9},
                 {Boundary::smem_wavefronts, 0}})});
}

Move halved_bytes() {
    Move move;
    move.bytes = {0.5, 0.5, 1, 0.5};
    return move;
}

Move quadrupled_bytes() {
    Move move;
    move.bytes = {4, 4, 1, 4};
    return move;
}

Profile with_throughput(Profile profile, const std::vector<std::pair<HardwareUnit, double>>& percent) {
    for (const auto& [unit, share] : percent)
        profile.launches[0].metrics.push_back({profile.texts.intern(metric_of(unit)), share});
    std::ranges::sort(profile.launches[0].metrics, {}, &MetricSample::name);
    return profile;
}

Move to_the_roof() {
    Move move;
    move.time_rule = MoveTime::to_roof;
    return move;
}

std::optional<UnpromisedReason> found(const Profile& profile, const Move& move) {
    const KernelModel model = kernel_model(point_of(profile), {});
    return unpromised_reason(move, model, model.measured, moved(model.measured, model, move), {});
}

/// A product of one row with weights of n x n in FP16, at 2.8 TB/s and 800 TFLOP/s.
Profile row_of_weights(double n, double time) {
    const double bytes = 2 * (n * n + 2 * n);
    Profile profile = profile_of(
        machine({compute_ceiling(tensor_fp16, 8e14)}, {bandwidth_ceiling(Boundary::hbm_dram_rw, 2.8e12),
                                                       bandwidth_ceiling(Boundary::l2_sm_sectors, 8e12),
                                                       bandwidth_ceiling(Boundary::smem_wavefronts, 3e13)}),
        {launch(time, {{tensor_fp16, 2 * n * n}},
                {{Boundary::hbm_dram_rw, bytes},
                 {Boundary::l2_sm_sectors, bytes},
                 {Boundary::smem_wavefronts, 0}})});
    const std::string operation = "gemm m=1 n=" + std::to_string(static_cast<int>(n)) +
                                  " k=" + std::to_string(static_cast<int>(n)) + " dtype=fp16";
    profile.launches[0].algorithm = profile.texts.intern(operation);
    return profile;
}

struct MadeByPreset {
    Move move;
    KernelModel model;
    KernelState after;
    std::optional<UnpromisedReason> unpromised;
};

MadeByPreset by_preset(const Profile& profile, std::string_view id, std::optional<double> number) {
    AnalysisOptions options;
    options.launch_operations = std::make_shared<const LaunchOperations>(bind_operations(profile, {}));
    const Analysis analysis = analyse(profile, options);
    const PresetSubject subject = preset_subject(profile, analysis, 0);
    const Move move = test::preset_move(*find_preset(id), subject, number).value();
    const KernelState after = moved(subject.state, subject.model, move);
    return {move, subject.model, after, unpromised_reason(move, subject.model, subject.state, after, {})};
}

struct Walk {
    Analysis analysis;
    Scenario scenario;
    ScenarioEffect effect;
};

Walk walk_of(const Profile& profile, const std::vector<Move>& moves) {
    Walk walk{analyse(profile, {}), {}, {}};
    walk.scenario.moves = moves;
    for (Move& move : walk.scenario.moves)
        move.kernel = key_of(profile, walk.analysis, walk.analysis.points.at(0));
    walk.effect = effect_of(walk.scenario, profile, walk.analysis);
    return walk;
}

QJsonObject report_of(const Walk& walk) {
    const std::string json = to_scenario_report_json(walk.scenario, walk.analysis, walk.effect);
    return QJsonDocument::fromJson(QByteArray::fromStdString(json)).object();
}

/// Of the first move, as the table has it.
std::string kernel_speed_up_told(const Walk& walk) {
    const ReportTable table = scenario_table(walk.scenario, walk.analysis, walk.effect);
    const auto column = std::ranges::find(table.columns, "speed_up", &ReportColumn::id);
    return table.rows.at(1).at(static_cast<std::size_t>(column - table.columns.begin())).text;
}

}  // namespace

class TestPromise : public QObject {
    Q_OBJECT

  private slots:
    void a_kernel_that_bytes_do_not_limit_is_promised_nothing() {
        QCOMPARE(found(kernel_of(1e-3 / 0.59), halved_bytes()), std::optional(UnpromisedReason::no_roof));
        QCOMPARE(found(kernel_of(0.124), halved_bytes()), std::optional(UnpromisedReason::no_roof));
        QVERIFY(!found(kernel_of(1e-3 / 0.61), halved_bytes()));
        QVERIFY(!found(kernel_of(1.1e-3), halved_bytes()));
    }
    void the_way_up_to_the_roof_is_what_the_roof_tells() {
        QVERIFY(!found(kernel_of(0.124), to_the_roof()));
        QVERIFY(!found(kernel_of(0.124), Move()));
        Move slower = halved_bytes();
        slower.bytes[hbm] = 2;
        QVERIFY(!found(kernel_of(0.124), slower));
    }
    void no_launch_is_shorter_than_any_that_was_seen() {
        const double least = usual_launch_floor.value();
        const auto bytes_of = [](double time) { return time * 1e12; };  // at the roof of HBM
        QCOMPARE(found(kernel_of(2e-6, 1, bytes_of(0.99 * least)), to_the_roof()),
                 std::optional(UnpromisedReason::too_short));
        QVERIFY(!found(kernel_of(2e-6, 1, bytes_of(1.01 * least)), to_the_roof()));
        // Of a hundred launches the sum counts a hundred times.
        QCOMPARE(found(kernel_of(2e-6, 100, bytes_of(0.99 * least)), to_the_roof()),
                 std::optional(UnpromisedReason::too_short));
        QVERIFY(!found(kernel_of(3e-6, 100, bytes_of(1.01 * least)), to_the_roof()));
    }
    void no_time_falls_below_what_the_launches_take() {
        const Profile profile = kernel_of(10e-6, 1, 1e6);  // 1 us at the roof
        const Walk walk = walk_of(profile, {to_the_roof()});
        const ScenarioRow row = scenario_rows(walk.scenario, walk.effect).at(0);
        QCOMPARE(row.step->after.time->value(), 2e-6);
        QCOMPARE(row.step->after.below_floor->value(), 1e-6);
        QCOMPARE(walk.effect.after.time.value(), 2e-6);
        QVERIFY(!row.step->unpromised && row.stopped_at == StoppedAt::launch);
        QVERIFY(move_limit_words(row).find("2.00 µs (usual)") != std::string::npos);
        AnalysisOptions typed;
        typed.launch_floor = Seconds(4e-6);
        const KernelModel model = kernel_model(point_of(profile, typed), typed);
        QCOMPARE(moved(model.measured, model, to_the_roof()).time->value(), 4e-6);
    }
    void a_drag_stops_at_what_the_launch_takes() {
        const Profile profile = kernel_of(10e-6, 1, 1e6);
        const Analysis analysis = analyse(profile, {});
        auto drag = DragSolver::begin(profile, analysis, {}, effect_of({}, profile, analysis), 0, hbm);
        QVERIFY(drag.has_value());
        const ChartPlace start = *drag->start(hbm);
        drag->to({start.x, start.y * 8}, DragMode::up_only, false);
        QCOMPARE(drag->result().state.time->value(), 2e-6);
        QVERIFY(drag->result().stops.launch && !drag->result().stops.roof);
        QVERIFY(drag->words().back().find("launch") != std::string::npos);
        drag->to({start.x, start.y * 8}, DragMode::up_only, true);
        QCOMPARE(drag->result().state.time->value(), 10e-6 / 8);
        QVERIFY(drag->result().beyond_model && drag->result().passed.launch);
    }
    void what_leaves_the_roof_that_binds_as_it_is_names_it() {
        const Profile profile = bound_by_l1();
        Move coalesced;
        coalesced.bytes = {0.5, 0.5, 1, 1};
        const Walk walk = walk_of(profile, {coalesced});
        QCOMPARE(walk.effect.steps.at(0).unpromised, std::optional(UnpromisedReason::bound_elsewhere));
        QCOMPARE(walk.effect.after.time.value(), walk.effect.before.time.value());
        const ScenarioRow row = scenario_rows(walk.scenario, walk.effect).at(0);
        QVERIFY(move_limit_words(row).find("L1 binds") != std::string::npos);
        QVERIFY(to_scenario_report_json(walk.scenario, walk.analysis, walk.effect)
                    .find("\"promises_nothing\":\"bound_elsewhere\"") != std::string::npos);
        Move at_l1;
        at_l1.bytes = {1, 1, 0.5, 1};
        QVERIFY(!found(profile, at_l1));
        QVERIFY(!found(profile, to_the_roof()));
        QVERIFY(!found(profile, {}));
    }
    void bytes_without_a_known_roof_promise_nothing() {
        const Profile profile =
            profile_of(machine({}, {}), {launch(1e-3, {}, {{Boundary::hbm_dram_rw, 1e9}})});
        const Walk walk = walk_of(profile, {halved_bytes()});
        QCOMPARE(walk.effect.steps.at(0).unpromised, std::optional(UnpromisedReason::unknown_roof));
        QCOMPARE(walk.effect.after.time.value(), 1e-3);
        const QJsonObject move = report_of(walk)["moves"][0].toObject();
        QVERIFY(move["before"]["work"].isNull() && move["after"]["work"].isNull());
        QCOMPARE(
            report_of(walk_of(kernel_of(1e-3), {halved_bytes()}))["moves"][0]["after"]["work"].toDouble(),
            1e8);
        QVERIFY(move_limit_words(scenario_rows(walk.scenario, walk.effect).at(0)).find("known") !=
                std::string::npos);
    }
    void narrower_data_makes_no_fewer_requests_of_l1() {
        const MadeByPreset narrow = by_preset(bound_by_l1(), "fp16", {});
        QCOMPARE(narrow.after.bytes[hbm]->value(), 0.5e9);
        QCOMPARE(narrow.after.bytes[MemoryLevel::l1]->value(), 4e9);
        QCOMPARE(narrow.unpromised, std::optional(UnpromisedReason::bound_elsewhere));
        const MadeByPreset below_hbm = by_preset(kernel_of(1.1e-3), "fp16", {});
        QVERIFY(!below_hbm.unpromised);
    }
    // The SM is busy for 0.72 ms of 1.1 ms, however few the bytes are.
    void a_busy_unit_that_a_move_does_not_relieve_caps_it() {
        const Profile profile = with_throughput(kernel_of(1.1e-3), {{HardwareUnit::sm, 65}});
        const Walk walk = walk_of(profile, {halved_bytes(), halved_bytes(), quadrupled_bytes()});
        QVERIFY(qFuzzyCompare(walk.effect.steps.at(0).after.time->value(), 0.65 * 1.1e-3));
        QVERIFY(qFuzzyCompare(walk.effect.steps.at(0).program.time.value(), 0.65 * 1.1e-3));
        QVERIFY(!walk.effect.steps.at(0).unpromised);
        const auto rows = scenario_rows(walk.scenario, walk.effect);
        QVERIFY(rows.at(0).stopped_at == StoppedAt::roof);
        QVERIFY(state_of(rows.at(0)).find("SM limit") != std::string::npos);
        QVERIFY(move_limit_words(rows.at(0)).find("550 µs") != std::string::npos);
        QCOMPARE(rows.at(1).step->unpromised, std::optional(UnpromisedReason::bound_elsewhere));
        QVERIFY(move_limit_words(rows.at(1)).find("SM binds") != std::string::npos);
        QVERIFY(qFuzzyCompare(walk.effect.steps.at(1).program.time.value(), 0.65 * 1.1e-3));
        QVERIFY(qFuzzyCompare(walk.effect.after.time.value(), 1.1e-3));
        QVERIFY(qFuzzyCompare(walk.effect.kernels.at(0).state.time->value(), 1.1e-3));
    }
    void a_busy_slice_of_l2_ends_the_way_to_the_roof() {
        const Profile profile =
            with_throughput(kernel_of(4e-3), {{HardwareUnit::l2, 6}, {HardwareUnit::l2_slice, 65}});
        const Walk walk = walk_of(profile, {to_the_roof()});
        QVERIFY(qFuzzyCompare(walk.effect.after.time.value(), 0.65 * 4e-3));
    }
    void a_drag_stops_at_a_busy_unit() {
        const Profile profile = with_throughput(kernel_of(1.1e-3), {{HardwareUnit::sm, 65}});
        const Analysis analysis = analyse(profile, {});
        auto drag =
            DragSolver::begin(profile, analysis, {}, effect_of({}, profile, analysis), 0, hbm).value();
        const ChartPlace start = *drag.start(hbm);
        drag.to({start.x * 4, start.y * 4}, DragMode::keep_efficiency, false);
        QVERIFY(drag.result().stops.roof && !drag.result().stops.launch);
        const Walk walk = walk_of(profile, drag.scenario().moves);
        QVERIFY(*walk.effect.kernels.at(0).state.time == *drag.result().state.time);
        // By its roofs 1 us, less than a launch takes, but the SM is busy for 6.5 us.
        const Profile brief = with_throughput(kernel_of(10e-6, 1, 1e6), {{HardwareUnit::sm, 65}});
        const Analysis of_brief = analyse(brief, {});
        auto up = DragSolver::begin(brief, of_brief, {}, effect_of({}, brief, of_brief), 0, hbm).value();
        const ChartPlace at = *up.start(hbm);
        up.to({at.x, at.y * 8}, DragMode::up_only, false);
        QVERIFY(qFuzzyCompare(up.result().state.time->value(), 6.5e-6));
        QVERIFY(up.result().stops.roof && !up.result().stops.launch);
        up.to({at.x, at.y * 8}, DragMode::up_only, true);
        QVERIFY(up.result().passed.roof && up.result().passed.launch);
    }
    void a_unit_that_the_bytes_keep_busy_is_relieved_with_them() {
        const Profile profile = with_throughput(kernel_of(1.1e-3), {{HardwareUnit::dram, 92},
                                                                    {HardwareUnit::memory, 92},
                                                                    {HardwareUnit::l2, 60},
                                                                    {HardwareUnit::sm, 20}});
        QVERIFY(qFuzzyCompare(walk_of(profile, {halved_bytes()}).effect.after.time.value(), 0.55e-3));
        Move at_dram;
        at_dram.bytes = {0.5, 1, 1, 1};
        QVERIFY(qFuzzyCompare(walk_of(profile, {at_dram}).effect.after.time.value(), 0.6 * 1.1e-3));
    }
    // 33.6 MB in 12 us: a launch for 9 rows takes about as long, 1.3 us for each.
    void the_launch_for_a_batch_is_what_cannot_be_shorter() {
        const MadeByPreset nine = by_preset(row_of_weights(4096, 12.1e-6), "batch", 9);
        QVERIFY(nine.after.time->value() < usual_launch_floor.value());
        QVERIFY(!nine.unpromised);
        QVERIFY(nine.after.time->value() * 9 > 12e-6);
        const std::string launch = format(*nine.after.time * 9.0);
        QVERIFY(per_input_words(nine.after, nine.model).find(launch) != std::string::npos);
        QVERIFY(per_input_words(nine.model.measured, nine.model).empty());
        const Walk walk = walk_of(row_of_weights(4096, 12.1e-6), {nine.move});
        QVERIFY(state_of(scenario_rows(walk.scenario, walk.effect).at(0)).find(launch) != std::string::npos);
        QCOMPARE(report_of(walk)["moves"][0]["after"]["inputs"].toDouble(), 9.0);
        // A launch that is not its own has no time.
        Move fused;
        fused.launches = 0;
        const Walk of_none = walk_of(row_of_weights(4096, 12.1e-6), {fused, nine.move});
        QCOMPARE(state_of(scenario_rows(of_none.scenario, of_none.effect).at(1)),
                 std::string("made, saves no bytes where each is needed once"));
    }
    void what_has_to_be_relieved_first_is_named() {
        Profile busy = profile_of(machine({}, {}), {launch(1e-3, {}, {{Boundary::hbm_dram_rw, 1e9}})});
        busy.launches[0].metrics.push_back({busy.texts.intern(metric_of(HardwareUnit::l1tex)), 99.6});
        const auto words_of = [](const Profile& profile, const Move& move) {
            const Walk walk = walk_of(profile, {move});
            return move_limit_words(scenario_rows(walk.scenario, walk.effect).at(0));
        };
        const std::string no_flop = words_of(busy, halved_bytes());
        QVERIFY2(no_flop.find("L1TEX is nearest to its limit (99.6 %)") != std::string::npos,
                 no_flop.c_str());
        // What takes the time is not known then: it stays as it was measured, and so does the class.
        const KernelModel model = kernel_model(point_of(busy), {});
        const KernelState after = moved(model.measured, model, halved_bytes());
        QCOMPARE(class_of(after, model, {}), KernelClass::near_roof);
        QCOMPARE(limit_without_roof(after, model)->share, 0.996);
        Profile waiting = kernel_of(0.124);
        waiting.launches[0].metrics.push_back({waiting.texts.intern(metric_of(HardwareUnit::sm)), 71});
        const std::string counted = words_of(waiting, halved_bytes());
        QVERIFY2(counted.find("SM is 71.0 % busy") != std::string::npos, counted.c_str());
    }
    // 8192 x 8192 in 120 us: 40 % of HBM, which no bytes take. 7 of 8 launches of 2 us are saved.
    void a_batch_of_a_kernel_that_waits_saves_its_launches_alone() {
        const MadeByPreset eight = by_preset(row_of_weights(8192, 120e-6), "batch", 8);
        QCOMPARE(eight.unpromised, std::optional(UnpromisedReason::no_roof));
        const Walk walk = walk_of(row_of_weights(8192, 120e-6), {eight.move});
        QVERIFY(qFuzzyCompare(walk.effect.after.time.value(), 120e-6 - 2e-6 * 7 / 8));
        QVERIFY(state_of(scenario_rows(walk.scenario, walk.effect).at(0)).find("promises the launches") !=
                std::string::npos);
        QVERIFY(scenario_sentence(walk.scenario, walk.effect).find("only the launches") != std::string::npos);
        const MadeByPreset narrow = by_preset(row_of_weights(8192, 120e-6), "int4", 1);
        QCOMPARE(narrow.unpromised, std::optional(UnpromisedReason::no_roof));
        QVERIFY(!by_preset(row_of_weights(8192, 60e-6), "batch", 8).unpromised);
        // On a roof that it leaves, no launch is shorter than that roof allows.
        Move four;
        four.inputs = 4;
        four.bytes = {0.25, 0.25, 1, 0.25};
        const Walk at_l1 = walk_of(bound_by_l1(), {four});
        QCOMPARE(at_l1.effect.steps.at(0).unpromised, std::optional(UnpromisedReason::bound_elsewhere));
        QVERIFY(qFuzzyCompare(at_l1.effect.after.time.value(), 4.1e-3 - 2e-6 * 3 / 4));
    }
    void two_batches_in_turn_fill_one_launch() {
        const KernelModel model = kernel_model(point_of(row_of_weights(4096, 12.1e-6)), {});
        Move batch = by_preset(row_of_weights(4096, 12.1e-6), "batch", 3).move;
        const KernelState once = moved(model.measured, model, batch);
        const KernelState twice = moved(once, model, batch);
        QCOMPARE(twice.inputs, 9.0);
        QVERIFY(!unpromised_reason(batch, model, once, twice, {}));
    }
    void what_a_batch_gains_is_told_per_input() {
        Move batch;
        batch.inputs = 8;
        batch.bytes[hbm] = 0.125;
        const Walk walk = walk_of(kernel_of(1.1e-3), {batch});
        QVERIFY(!walk.effect.steps.at(0).unpromised);
        QVERIFY(waterfall(walk.scenario, walk.effect).at(1).per_input);
        QVERIFY(scenario_sentence(walk.scenario, walk.effect).find("per input") != std::string::npos);
        const Walk single = walk_of(kernel_of(1.1e-3), {halved_bytes()});
        QVERIFY(!waterfall(single.scenario, single.effect).at(1).per_input);
        QVERIFY(scenario_sentence(single.scenario, single.effect).find("per input") == std::string::npos);
    }
    void state_sentence_table_and_json_say_so() {
        const Profile waiting = kernel_of(0.124);
        const Walk walk = walk_of(waiting, {halved_bytes()});
        const ScenarioRow row = scenario_rows(walk.scenario, walk.effect).at(0);
        QVERIFY(state_of(row).ends_with("promises nothing"));
        QVERIFY(move_limit_words(row).find("124x below DRAM") != std::string::npos);
        const auto says = [](const std::string& text) {
            return text.find("promises nothing") != std::string::npos;
        };
        QVERIFY(says(scenario_sentence(walk.scenario, walk.effect)));
        QVERIFY(says(to_csv(scenario_table(walk.scenario, walk.analysis, walk.effect))));
        QVERIFY(to_scenario_report_json(walk.scenario, walk.analysis, walk.effect)
                    .find("\"promises_nothing\":\"no_roof\"") != std::string::npos);
        const Walk sound = walk_of(kernel_of(1.1e-3), {halved_bytes()});
        QVERIFY(!says(scenario_sentence(sound.scenario, sound.effect)));
        QVERIFY(to_scenario_report_json(sound.scenario, sound.analysis, sound.effect)
                    .find("\"promises_nothing\":null") != std::string::npos);
    }
    void a_slower_move_takes_no_time_that_was_never_gained() {
        const auto bytes_times = [](double factor) {
            Move move;
            move.bytes = {factor, factor, 1, factor};
            return move;
        };
        const Profile profile = kernel_of(0.124);
        const auto counted = [&](const std::vector<Move>& moves) {
            const Walk walk = walk_of(profile, moves);
            return walk.effect.after.time / walk.effect.before.time;
        };
        QVERIFY(qFuzzyCompare(counted({bytes_times(0.25), bytes_times(4)}), 1.0));
        QVERIFY(qFuzzyCompare(counted({bytes_times(0.25), bytes_times(2)}), 1.0));
        QVERIFY(qFuzzyCompare(counted({bytes_times(0.25), bytes_times(8)}), 2.0));
    }
    // What is typed is said of the kernel: the double of its time is that, also after a move of no promise.
    void typed_times_count_whole_and_undo_each_other() {
        const auto bytes_times = [](double factor) {
            Move move;
            move.bytes = {factor, factor, 1, factor};
            return move;
        };
        const auto time_times = [](double factor) {
            Move move;
            move.time_rule = MoveTime::factor;
            move.time = factor;
            return move;
        };
        const Profile profile = kernel_of(0.124);
        const auto counted = [](const Profile& of, const std::vector<Move>& moves) {
            const Walk walk = walk_of(of, moves);
            return walk.effect.after.time / walk.effect.before.time;
        };
        const Move less = bytes_times(0.25);
        const Move half = time_times(0.5);
        const Move twice = time_times(2);
        QVERIFY(qFuzzyCompare(counted(profile, {less, half, twice, half, twice}), 1.0));
        QVERIFY(qFuzzyCompare(counted(profile, {less, twice}), 2.0));
        QVERIFY(qFuzzyCompare(counted(profile, {twice, less}), 2.0));
        // 11 us, 10 us at the roof: a tenth of the bytes would be shorter than a launch, a fifth is not.
        const Profile brief = kernel_of(11e-6, 1, 1e7);
        QVERIFY(qFuzzyCompare(counted(brief, {bytes_times(0.1)}), 2.0 / 11));
        QVERIFY(qFuzzyCompare(counted(brief, {bytes_times(0.2)}), 0.2));
        QVERIFY(qFuzzyCompare(counted(brief, {bytes_times(0.1), bytes_times(2)}), 0.2));
        QVERIFY(
            qFuzzyCompare(counted(brief, {bytes_times(0.1), bytes_times(2), bytes_times(0.9)}), 2.0 / 11));
        QVERIFY(qFuzzyCompare(counted(brief, {bytes_times(0.1), bytes_times(10), bytes_times(0.2)}), 0.2));
    }
    // A launch of 97.8 ms: seven eighths of its 2 us are no change that shows. Of 0.1 ms they are.
    void launches_that_do_not_show_are_promised_no_time_data() {
        QTest::addColumn<double>("time");
        QTest::addColumn<bool>("shows");
        QTest::newRow("long") << 97.8e-3 << false;
        QTest::newRow("short") << 1e-4 << true;
    }
    void launches_that_do_not_show_are_promised_no_time() {
        QFETCH(double, time);
        QFETCH(bool, shows);
        Move batch;
        batch.inputs = 8;
        batch.bytes[hbm] = 0.125;
        const Walk walk = walk_of(kernel_of(time, 1, 1e6), {batch});
        const ScenarioRow row = scenario_rows(walk.scenario, walk.effect).at(0);
        QVERIFY(row.step->unpromised.has_value());
        QCOMPARE(walk.effect.after.time < walk.effect.before.time, shows);
        QCOMPARE(saves_launches(row.kernel->model, row.step->before, row.step->after), shows);
        QCOMPARE(waterfall(walk.scenario, walk.effect).at(1).promises_nothing, !shows);
    }
    void what_promises_nothing_is_no_time_of_the_program() {
        const Walk walk = walk_of(kernel_of(0.124), {halved_bytes()});
        QCOMPARE(walk.effect.after.time.value(), walk.effect.before.time.value());
        QCOMPARE(walk.effect.steps.at(0).program.time.value(), walk.effect.before.time.value());
        QVERIFY(walk.effect.kernels.at(0).state.time->value() < 0.07);  // by its roofs
        const Analysis after = moved_analysis(walk.analysis, walk.effect);
        const KernelPoint& drawn = after.points.at(0);
        QCOMPARE(drawn.time_share, 1.0);
        QCOMPARE(drawn.time->value(), 0.124);
        QCOMPARE(*drawn.performance, *walk.analysis.points.at(0).performance);
        QVERIFY(qFuzzyCompare(drawn.at(hbm)->intensity->value(), 0.2));
        QVERIFY(qFuzzyCompare(drawn.gap->factor, 248.0));
        const auto bars = waterfall(walk.scenario, walk.effect);
        QVERIFY(bars.at(1).promises_nothing && bars.at(1).from == bars.at(1).to);
        QCOMPARE(amount_words(bars.at(1)), std::string("promises nothing"));
        QCOMPARE(bars.back().to.value(), 0.124);
        QCOMPARE(kernel_speed_up_told(walk), std::string("–"));
        QCOMPARE(kernel_speed_up_told(walk_of(kernel_of(1.1e-3), {halved_bytes()})), std::string("2.00x"));
        const QJsonObject report = report_of(walk);
        QCOMPARE(report["speed_up"].toDouble(), 1.0);
        QCOMPARE(report["after"]["time_s"].toDouble(), 0.124);
        QCOMPARE(report["moves"][0]["after"]["time_s"].toDouble(), 0.124);
        QVERIFY(qFuzzyCompare(report["moves"][0]["after"]["vertical_gap"].toDouble(), 248.0));
        const std::string time = "time " + changed_time_words(Seconds(0.124), Seconds(0.124));
        const ScenarioStep& step = walk.effect.steps.at(0);
        const auto lines =
            gain_words(halved_bytes(), walk.effect.kernels.at(0).model, step.before, step.after, {});
        QCOMPARE(std::ranges::count(lines, time), 1);
    }
    // 124 times as long as its roof: half the bytes and then half the time leave half of what was measured.
    void moves_after_it_count_by_themselves() {
        Move faster;
        faster.time_rule = MoveTime::factor;
        faster.time = 0.5;
        const Walk walk = walk_of(kernel_of(0.124), {halved_bytes(), faster});
        QVERIFY(walk.effect.steps.at(0).unpromised && !walk.effect.steps.at(1).unpromised);
        QCOMPARE(walk.effect.after.time.value(), 0.062);
        QCOMPARE(walk.effect.kernels.at(0).state.time->value(), 0.031);
        const Walk at_roof = walk_of(kernel_of(0.124), {halved_bytes(), to_the_roof()});
        QCOMPARE(at_roof.effect.after.time.value(), at_roof.effect.kernels.at(0).state.time->value());
        QVERIFY(at_roof.effect.after.time.value() < 0.6e-3);
    }
    // Too short by itself, and in one launch with many more long enough.
    void what_is_too_short_alone_counts_in_a_batch() {
        Move batch;
        batch.inputs = 1000;
        const Walk walk = walk_of(kernel_of(2e-6, 1, 1.9e6), {halved_bytes(), batch});
        QCOMPARE(walk.effect.steps.at(0).unpromised, std::optional(UnpromisedReason::too_short));
        QCOMPARE(walk.effect.steps.at(0).program.time.value(), 2e-6);
        QVERIFY(!walk.effect.steps.at(1).unpromised);
        QCOMPARE(walk.effect.after.time.value(), walk.effect.kernels.at(0).state.time->value());
    }
    void a_dot_under_the_hand_tells_the_same_program() {
        const Profile waiting = kernel_of(0.124);
        const Walk walk = walk_of(waiting, {});
        auto hand = DragSolver::begin(waiting, walk.analysis, {}, walk.effect, 0, MemoryLevel::hbm).value();
        const ChartPlace start = hand.start(MemoryLevel::hbm).value();
        hand.to({start.x * 2, start.y * 2}, DragMode::keep_efficiency, false);
        const ScenarioEffect let_go = effect_of(hand.scenario(), waiting, walk.analysis);
        QCOMPARE(let_go.after.time.value(), 0.124);
        const std::string program = "program " + changed_time_words(Seconds(0.124), let_go.after.time);
        QVERIFY(std::ranges::count(hand.words(), program) == 1);
        QVERIFY(qFuzzyCompare(hand.place(hbm)->y, start.y) && qFuzzyCompare(hand.place(hbm)->x, start.x * 2));
        QVERIFY(std::ranges::count(hand.words(),
                                   "time " + changed_time_words(Seconds(0.124), Seconds(0.124))) == 1);
        QCOMPARE(hand.kernel_class(), KernelClass::latency_bound);
    }
    // After a preset, or a drag of its own that it goes on from.
    void a_dot_that_was_promised_nothing_is_taken_up_where_it_is_drawn() {
        const Profile waiting = kernel_of(0.124);
        Move preset = halved_bytes();
        preset.preset = "tile";
        for (const Move& move : {preset, halved_bytes()}) {
            const Walk walk = walk_of(waiting, {move});
            auto hand = DragSolver::begin(waiting, walk.analysis, walk.scenario, walk.effect, 0, hbm).value();
            const ChartPlace start = hand.start(hbm).value();
            const Analysis drawn = moved_analysis(walk.analysis, walk.effect);
            QVERIFY(qFuzzyCompare(start.y, drawn.points.at(0).performance->value()));
            hand.to({start.x * 1.5, start.y}, DragMode::right_only, false);
            QVERIFY(qFuzzyCompare(hand.place(hbm)->y, start.y));
            hand.to({start.x, start.y * 2}, DragMode::up_only, false);
            QVERIFY(qFuzzyCompare(hand.place(hbm)->y, start.y * 2));
            const ScenarioEffect let_go = effect_of(hand.scenario(), waiting, walk.analysis);
            QVERIFY(qFuzzyCompare(let_go.after.time.value(), 0.062));
            QVERIFY(qFuzzyCompare(moved_analysis(walk.analysis, let_go).points.at(0).performance->value(),
                                  start.y * 2));
        }
    }
    void the_lines_of_a_gain_end_with_it() {
        const KernelModel model = kernel_model(point_of(kernel_of(0.124)), {});
        const KernelState after = moved(model.measured, model, halved_bytes());
        const auto lines = gain_words(halved_bytes(), model, model.measured, after, {});
        QCOMPARE(lines.back(), to_text(UnpromisedReason::no_roof, model, model.measured, after));
    }
};

}  // namespace tst_promise

ROOFWALK_TEST(tst_promise, TestPromise, NoApplication)
#include "tst_promise.moc"

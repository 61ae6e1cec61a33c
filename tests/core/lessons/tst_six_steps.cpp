// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/six_steps.h"

#include <fmt/format.h>

#include <QTest>

#include "core/base/text.h"
#include "core/import/json/json_reader.h"
#include "core/report/kernel_page.h"
#include "core/roofline/verdict_words.h"
#include "core/scenario/scenario_effect.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_six_steps {

using namespace roofwalk;

namespace {

constexpr std::string_view known = R"("duration_ns": 1440514, "flops": {"fp32": 2e9}, "bytes": {"hbm": 8e8})";

std::shared_ptr<const Profile> profile_of(std::string_view members,
                                          std::string_view device = R"({"name": "NVIDIA A100-SXM4-40GB"})") {
    auto profile = read_json(fmt::format(R"({{"format": "roofwalk-profile", "version": 1, "devices": [{}],
                        "kernels": [{{"name": "chain", {}}}]}})",
                                         device, members),
                             "steps.json");
    if (!profile) qFatal("%s", to_line(profile.error()).c_str());
    return std::make_shared<const Profile>(*std::move(profile));
}

/// One kernel as it is measured, bound where an operation is given.
WorkspaceInputs inputs_of(std::string_view members, const std::string& operation = {}) {
    WorkspaceInputs inputs{profile_of(members), {}, {}, {}};
    if (!operation.empty())
        inputs.spec.bindings.rules.push_back({.pattern = "chain", .operation = operation});
    return inputs;
}

std::array<ChecklistItem, 6> steps_of(const WorkspaceInputs& inputs) {
    return six_steps(*make_result(inputs), 0U);
}

/// "done to_do cannot": a state for each step.
std::string states(const std::array<ChecklistItem, 6>& steps) {
    std::string text;
    for (const ChecklistItem& step : steps)
        text += step.state == ItemState::done ? 'd' : step.state == ItemState::to_do ? 't' : 'c';
    return text;
}

bool holds(const ChecklistItem& step, std::string_view figure) {
    if (step.figure.find(figure) != std::string::npos) return true;
    qWarning("%s", step.figure.c_str());
    return false;
}

}  // namespace

class TestSixSteps : public QObject {
    Q_OBJECT

  private slots:
    void nothing_open_begins_with_a_report() {
        const auto steps = six_steps({}, std::nullopt);
        QCOMPARE(states(steps), std::string("tccccc"));
        QCOMPARE(steps[0].action, std::string("open"));
        for (std::size_t i = 1; i < steps.size(); ++i)
            QVERIFY(steps[i].action.empty() && steps[i].figure.empty());
    }
    void without_a_selection_a_kernel_is_to_be_selected() {
        const auto steps = six_steps(*make_result(inputs_of(known)), std::nullopt);
        QCOMPARE(states(steps), std::string("dtcccc"));
        QVERIFY(holds(steps[0], "1 kernel, 1.44 ms"));
        QCOMPARE(steps[1].action, std::string("next"));
    }
    void everything_known_has_its_figures_S0_39() {
        // A100 40 GB: 1555 GB/s. 2 GFLOP over 0.8 GB are 2.5; 0.8 GB take 514.5 us, and 2.8 times that were.
        const auto steps = steps_of(inputs_of(known));
        QCOMPARE(states(steps), std::string("ddddtt"));
        QVERIFY(holds(steps[1], "AI 2.50 FLOP/byte at HBM, 1.39 TFLOP/s"));
        QVERIFY(holds(steps[2], "HBM roof, memory side"));
        QCOMPARE(steps[2].action, std::string("dock_ceilings/ceiling_hbm"));
        QVERIFY(holds(steps[3], "2.80x below HBM"));
        QCOMPARE(steps[4].action, std::string("bind_operation"));
        QCOMPARE(steps[5].action, std::string("what_if_menu"));
    }
    void an_operation_closes_the_horizontal_gap() {
        // 5e7 elements of 4 bytes read and written are half of the bytes; the ridge is at 19.5e12 / 1555e9.
        const auto steps = steps_of(inputs_of(known, "elementwise n=5e7 ops=40"));
        QCOMPARE(states(steps), std::string("dddddt"));
        QVERIFY(holds(steps[4], "2.00x left of its algorithm"));
        QVERIFY(holds(steps[4], "worth up to 2.00x"));
    }
    void of_a_kernel_that_was_only_timed_hardly_anything_can_be_told() {
        const auto steps = steps_of(inputs_of(R"("duration_ns": 1000000)"));
        QCOMPARE(states(steps), std::string("ttcctt"));
        QVERIFY(holds(steps[0], "FLOP"));
        QVERIFY(holds(steps[0], "HBM traffic"));
        QCOMPARE(steps[0].action, std::string("dock_details/copy_command"));
        // With an operation it has a place, and that was not counted.
        const auto modelled = steps_of(inputs_of(R"("duration_ns": 1000000)", "elementwise n=5e7 ops=40"));
        QCOMPARE(modelled[0].state, ItemState::to_do);
        QCOMPARE(modelled[1].state, ItemState::to_do);
        QVERIFY(holds(modelled[1], "AI 5.00 FLOP/byte"));
        QCOMPARE(modelled[4].state, ItemState::cannot);
    }
    // Counting again would not tell which GPU it was.
    void a_file_that_names_no_gpu_asks_for_it_and_not_for_counters() {
        WorkspaceInputs inputs = inputs_of(known);
        inputs.profile = profile_of(known, R"({"name": ""})");
        const WorkspaceResult result = *make_result(inputs);
        QVERIFY(lacks_only_a_ceiling(result.analysis->points.front()));
        const auto steps = six_steps(result, 0U);
        QVERIFY(steps[0].action.empty());
        QCOMPARE(steps[2].state, ItemState::to_do);
        QCOMPARE(steps[2].action, std::string(name_device_action));
        const TextPage page = kernel_page(*result.inputs.profile, *result.analysis, 0);
        const auto offers = [&](std::string_view words) {
            return std::ranges::any_of(page.blocks, [&](const TextBlock& block) {
                return block.kind == BlockKind::action && (block.label == words || block.text == words);
            });
        };
        QVERIFY(offers(name_device_action) && !offers(copy_detail_action));
        // Of a kernel that lacks more than that, its name would not give a roof.
        inputs.profile = profile_of(R"("duration_ns": 1000000)", R"({"name": ""})");
        const ChecklistItem roof = steps_of(inputs)[2];
        QVERIFY(roof.state == ItemState::cannot && roof.action != name_device_action);
    }
    void what_is_not_known_is_not_0() {
        const auto steps = steps_of(inputs_of(R"("flops": {"fp32": 0}, "bytes": {"smem": 0})"));
        QCOMPARE(steps[0].state, ItemState::to_do);
        QVERIFY(holds(steps[0], "1 kernel; not collected"));
        const auto idle =
            steps_of(inputs_of(R"("duration_ns": 1000, "flops": {"fp32": 0}, "bytes": {"smem": 0})"));
        for (const auto* each : {&steps, &idle})
            QVERIFY((*each)[1].figure.find("0 B") == std::string::npos);
    }
    void bytes_without_work_have_a_limit_and_no_place() {
        // 0.8 GB in 643.1 us are 80 % of 1555 GB/s.
        const auto steps = steps_of(inputs_of(R"("duration_ns": 643087, "bytes": {"hbm": 8e8})"));
        QCOMPARE(states(steps), std::string("ttddtt"));
        QVERIFY(holds(steps[0], "FLOP"));
        QVERIFY(holds(steps[1], "1.24 TB/s of HBM"));
        QVERIFY(holds(steps[2], "HBM is nearest to its limit"));
        QVERIFY(holds(steps[2], "memory side"));
        QVERIFY(holds(steps[3], "1.25x below the limit of HBM"));
    }
    void work_that_was_counted_in_part_is_to_be_collected() {
        const auto steps = steps_of(inputs_of(
            R"("duration_ns": 1440514, "flops": {"fp32": 2e9}, "bytes": {"hbm": 8e8}, "uncounted_work": ["tensor"])"));
        QCOMPARE(steps[0].state, ItemState::to_do);
        QVERIFY(holds(steps[1], "≥"));
    }
    void above_its_roof_by_what_was_typed_no_gap_is_done() {
        // 1e10 FLOP in 100 us are 100 of 19.5 TFLOP/s: these are the sizes of several launches.
        const auto steps = steps_of(
            inputs_of(R"("duration_ns": 100000, "bytes": {"hbm": 2e7})", "elementwise n=1e7 ops=1000"));
        QCOMPARE(steps[3].state, ItemState::to_do);
        QVERIFY(holds(steps[3], "5.13x"));
        QCOMPARE(steps[4].state, ItemState::to_do);
        QVERIFY(holds(steps[4], "one launch"));
        QCOMPARE(steps[4].action, std::string("bind_operation"));
    }
    void a_unit_that_is_nearer_than_the_roof_is_told_as_in_the_details() {
        // 0.1 GB in a millisecond are 6.43 % of 1555 GB/s; the SM is 45 % busy.
        const WorkspaceInputs inputs = inputs_of(
            R"("duration_ns": 1000000, "flops": {"fp32": 1e9}, "bytes": {"hbm": 1e8, "l2": 1e8, "smem": 1e8},
               "metrics": {"sm__throughput.avg.pct_of_peak_sustained_elapsed": 45})");
        const auto result = *make_result(inputs);
        const ChecklistItem step = six_steps(result, 0U)[3];
        QVERIFY(holds(step, "2.22x below the limit of SM (45.0 % busy), 15.6x below HBM"));
        QVERIFY(verdict_sentences(result.analysis->points[0]).text().find("2.22x below") !=
                std::string::npos);
    }
    void a_device_without_ceilings_is_to_be_named() {
        WorkspaceInputs inputs{profile_of(known, R"({"name": "A board that nobody knows"})"), {}, {}, {}};
        const auto steps = steps_of(inputs);
        QCOMPARE(states(steps), std::string("ddtctt"));
        QCOMPARE(steps[2].action, std::string("dock_ceilings"));
        const WorkspaceResult result = *make_result(inputs);
        const TextPage page = kernel_page(*result.inputs.profile, *result.analysis, 0);
        QVERIFY(std::ranges::any_of(page.blocks, [&](const TextBlock& block) {
            return block.kind == BlockKind::action &&
                   (block.label == steps[2].action || block.text == steps[2].action);
        }));
    }
    void a_move_is_to_be_checked_and_a_comparison_checks_it() {
        // 643.1 us are 1.25 times what the bytes take.
        WorkspaceInputs inputs =
            inputs_of(R"("duration_ns": 643087, "flops": {"fp32": 2e9}, "bytes": {"hbm": 8e8})");
        Move move;
        move.kernel.name = "chain";
        move.bytes[MemoryLevel::hbm] = 0.5;
        inputs.spec.scenario.moves.push_back(move);
        const auto steps = steps_of(inputs);
        QCOMPARE(states(steps), std::string("ddddtt"));
        QVERIFY(holds(steps[5], "322 µs instead of 643 µs"));
        QVERIFY(holds(steps[5], "program 2.00x faster"));
        QCOMPARE(steps[5].action, std::string("compare_with"));
        // Far from every roof it promises nothing.
        WorkspaceInputs far = inputs_of(known);
        far.spec.scenario = inputs.spec.scenario;
        QVERIFY(holds(steps_of(far)[5], "1.44 ms instead of 1.44 ms, as no roof promises the 720 µs"));
        QVERIFY(holds(steps_of(far)[5], "the program 1.00x"));
        // Nor does the page tell another distance than the chart draws.
        const auto result = make_result(far);
        const ScenarioEffect& effect = result->what_if->effect;
        const TextPage page = kernel_page(*far.profile, *result->analysis, 0, {.scenario = &effect});
        const std::string distance =
            format_factor(moved_analysis(*result->analysis, effect).points.at(0).gap->factor) + " below ";
        QVERIFY(std::ranges::any_of(page.blocks, [&](const TextBlock& block) {
            return block.text.find("1.44 ms instead of 1.44 ms, ") != std::string::npos &&
                   block.text.find(distance) != std::string::npos;
        }));
        // What is measured stands in the other steps.
        QVERIFY(holds(steps[1], "AI 2.50"));

        inputs = inputs_of(R"("duration_ns": 720257, "flops": {"fp32": 2e9}, "bytes": {"hbm": 4e8})");
        inputs.baselines.push_back({"older.json", profile_of(known), {}});
        const auto checked = steps_of(inputs);
        QCOMPARE(states(checked), std::string("ddddtd"));
        QVERIFY(holds(checked[5], "right and up: 2.00x faster, 2.00x fewer bytes"));
        QCOMPARE(checked[5].action, std::string("dock_compare"));
        const auto unselected = six_steps(*make_result(inputs), std::nullopt);
        QCOMPARE(unselected[5].state, ItemState::done);
        // The newest one moved again.
        inputs.profile =
            profile_of(R"("duration_ns": 643087, "flops": {"fp32": 2e9}, "bytes": {"hbm": 8e8})");
        inputs.spec.scenario.moves.push_back(move);
        QVERIFY(holds(steps_of(inputs)[5], "promise 322 µs; measured: 643 µs, in the older report 1.44 ms"));
    }
    void nothing_is_checked_where_nothing_was_compared() {
        WorkspaceInputs inputs = inputs_of(known);
        inputs.baselines.push_back({"untimed.json", profile_of(R"("bytes": {"hbm": 8e8})"), {}});
        for (const std::optional<std::uint32_t> selected :
             {std::optional(0U), std::optional<std::uint32_t>()}) {
            const ChecklistItem step = six_steps(*make_result(inputs), selected)[5];
            QCOMPARE(step.state, ItemState::to_do);
            QCOMPARE(step.action, std::string("compare_with"));
        }
        // The kernel that is selected is in one report only.
        inputs.profile = profile_of(fmt::format(R"({}}}, {{"name": "other", "duration_ns": 1000)", known));
        inputs.baselines = {{"older.json", profile_of(known), {}}};
        const auto result = *make_result(inputs);
        for (std::uint32_t point = 0; point < 2; ++point)
            QCOMPARE(six_steps(result, point)[5].state,
                     result.analysis->points[point].name == "chain" ? ItemState::done : ItemState::to_do);
        QCOMPARE(six_steps(result, std::nullopt)[5].state, ItemState::done);
    }
    void launches_without_figures_are_to_be_collected_and_keep_their_time() {
        // 0.8 GB in 643.1 us, and a launch of which nothing but the time is known.
        WorkspaceInputs inputs = inputs_of(
            R"("duration_ns": 643087, "flops": {"fp32": 2e9}, "bytes": {"hbm": 8e8}}, {"name": "chain", "duration_ns": 356913)");
        Move move;
        move.kernel.name = "chain";
        move.bytes[MemoryLevel::hbm] = 0.5;
        inputs.spec.scenario.moves.push_back(move);
        const auto result = make_result(inputs);
        const auto steps = six_steps(*result, 0U);
        QCOMPARE(steps[0].state, ItemState::to_do);
        QVERIFY(holds(steps[5], "678 µs instead of 1.00 ms"));
        const TextPage page =
            kernel_page(*inputs.profile, *result->analysis, 0, {.scenario = &result->what_if->effect});
        QVERIFY(std::ranges::any_of(page.blocks, [](const TextBlock& block) {
            return block.text.find("678 µs instead of 1.00 ms") != std::string::npos;
        }));
    }
    void the_page_has_a_button_for_each_step_that_has_one() {
        const TextPage page = six_steps_page(*make_result(inputs_of(known)), 0U);
        const auto count = [&](BlockKind kind) {
            return std::ranges::count(page.blocks, kind, &TextBlock::kind);
        };
        QCOMPARE(count(BlockKind::heading), 6);
        QCOMPARE(count(BlockKind::action), 6);
    }
};

}  // namespace tst_six_steps

ROOFWALK_TEST(tst_six_steps, TestSixSteps, NoApplication)
#include "tst_six_steps.moc"

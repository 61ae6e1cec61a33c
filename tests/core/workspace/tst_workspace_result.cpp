// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/workspace_result.h"

#include <QTest>

#include "core/devices/device_file.h"
#include "core/report/kernel_filter.h"
#include "core/workspace/load_files.h"
#include "core/workspace/open_file.h"
#include "tests/support/folder_tests.h"
#include "tests/support/samples.h"

namespace tst_workspace_result {

using namespace roofwalk;

namespace {

WorkspaceResult result_of(std::initializer_list<double> times, std::vector<bool> matches = {}) {
    auto analysis = std::make_shared<Analysis>();
    for (const double time : times) {
        KernelPoint& point = analysis->points.emplace_back();
        if (time >= 0) point.time = Seconds(time);
    }
    WorkspaceResult result;
    result.analysis = std::move(analysis);
    result.matches = std::move(matches);
    return result;
}

/// A sample that comes with Roofwalk.
WorkspaceInputs sample() {
    const auto path = test::data_folder() / ".." / ".." / "resources" / "samples" / "llm-decode-h100.json";
    const Result<OpenFile> file = read_open_file(path.string());
    if (!file) qFatal("the sample cannot be read");
    return {file->profile, {}, {}, {}};
}

/// The same with a change of the spec.
template <class Change>
WorkspaceResult changed(const WorkspaceResult& before, Change change) {
    WorkspaceInputs inputs = before.inputs;
    change(inputs.spec);
    return *make_result(std::move(inputs), before);
}

}  // namespace

class TestWorkspaceResult : public QObject {
    Q_OBJECT

  private slots:
    void what_to_do_about_a_part_comes_first_where_anything_is() {
        const auto told = [](const char* hint) {
            auto profile = std::make_shared<Profile>();
            profile->sources.emplace_back().partial = true;
            profile->warnings.push_back({{ErrorCode::truncated, "The file is cut", "", hint}, {}});
            OpenFile file;
            file.profile = profile;
            return partial_notice(file)->hint;
        };
        const std::string always = told("");
        QVERIFY(!always.empty() && !always.starts_with(' '));
        QCOMPARE(told("Copy it again."), "Copy it again. " + always);
    }

    void matching_ends_when_it_is_cancelled() {
        std::stop_source stop;
        const Progress progress{{}, stop.get_token()};
        const WorkspaceResult result = result_of({1, 2, 3});
        int asked = 0;
        const KernelFilter filter = [&](const KernelPoint& point) {
            ++asked;
            return point.time->value() > 1;
        };
        QVERIFY(matching_points(*result.analysis, filter, progress) == (std::vector{false, true, true}));
        stop.request_stop();
        QVERIFY(!matching_points(*result.analysis, filter, progress));
        QCOMPARE(asked, 3);
    }

    void without_a_filter_every_kernel_matches() {
        QVERIFY(matching_points(*result_of({1, 2}).analysis, {}) == std::vector<bool>());
    }

    void the_longest_shown_stands_in_for_a_hidden_selection() {
        const auto drawn = [](const ViewFocus& focus, std::vector<bool> matches) {
            return drawn_selection(result_of({1, -1, 3, 5}, std::move(matches)), focus);
        };
        QVERIFY(!drawn({}, {}));
        const ViewFocus focus{3, {0, 1, 2}, {}};
        QCOMPARE(drawn(focus, {}), std::optional(3U));
        QCOMPARE(drawn(focus, {true, true, true, true}), std::optional(3U));
        QCOMPARE(drawn(focus, {true, true, true, false}), std::optional(2U));
        QCOMPARE(drawn(focus, {true, true, false, false}), std::optional(0U));
        QCOMPARE(drawn(focus, {false, true, false, false}), std::optional(1U));
        QVERIFY(!drawn(focus, {false, false, false, false}));
    }

    void what_does_not_change_is_taken_from_the_result_before() {
        const WorkspaceResult first = *make_result(sample());
        QVERIFY(first.analysis && first.what_if && !first.comparison && !first.projection);

        const WorkspaceResult filtered =
            changed(first, [](WorkspaceSpec& spec) { spec.view.filter = "gemv"; });
        QVERIFY(filtered.analysis == first.analysis && filtered.what_if == first.what_if);
        QCOMPARE(filtered.matches.size(), first.analysis->points.size());

        const WorkspaceResult projected = changed(
            filtered, [](WorkspaceSpec& spec) { spec.view.other_device.emplace().name = "H100 SXM"; });
        QVERIFY(projected.projection != nullptr && projected.analysis == first.analysis);
        QVERIFY(projected.matches == filtered.matches);

        const WorkspaceResult grouped =
            changed(projected, [](WorkspaceSpec& spec) { spec.view.analysis.group_by = GroupBy::launch; });
        QVERIFY(grouped.analysis != first.analysis);
        QVERIFY(grouped.projection != projected.projection && grouped.what_if != first.what_if);
        QCOMPARE(grouped.matches.size(), grouped.analysis->points.size());
    }

    void another_gpu_may_be_one_that_a_person_described() {
        const Result<Device> board = read_device(R"({"bandwidth": 9e11, "peak": 4e13})", "board.json");
        QVERIFY(board);
        const WorkspaceResult result = changed(*make_result(sample()), [&](WorkspaceSpec& spec) {
            spec.view.other_device = described_part(*board);
        });
        QVERIFY(result.projection);
        QCOMPARE(result.projection->projected.device, std::string("board"));
        QCOMPARE(result.projection->device.ceilings.find(Boundary::hbm_dram_rw)->rate.value(), 9e11);
        const Scene scene = scene_of(result, scene_options(result.inputs.spec, {}, Theme::print));
        QVERIFY(std::ranges::any_of(scene.roofs, [](const Roof& roof) {
            return roof.line == RoofLine::other_device && roof.rate == 9e11;
        }));
        // Of a name that no table knows, and nothing else, there are no roofs.
        const WorkspaceResult unknown =
            changed(result, [](WorkspaceSpec& spec) { spec.view.other_device->ceilings = {}; });
        QVERIFY(!unknown.projection);
    }

    void a_result_made_in_parts_is_the_one_made_at_once() {
        const WorkspaceResult first = *make_result(sample());
        WorkspaceResult parts = changed(first, [](WorkspaceSpec& spec) { spec.view.filter = "time > 10%"; });
        parts = changed(
            parts, [](WorkspaceSpec& spec) { spec.view.other_device.emplace().name = "A100 SXM 80 GB"; });
        parts = changed(parts, [](WorkspaceSpec& spec) { spec.view.analysis.clock = ClockBasis::boost; });
        const WorkspaceResult whole = *make_result(parts.inputs);
        QVERIFY(parts.matches == whole.matches && parts.ranking == whole.ranking);
        const SceneOptions options = scene_options(parts.inputs.spec, {}, Theme::print);
        const Scene one = scene_of(parts, options);
        const Scene other = scene_of(whole, options);
        QCOMPARE(one.summary, other.summary);
        QCOMPARE(one.caption, other.caption);
        QCOMPARE(one.roofs.size(), other.roofs.size());
        QCOMPARE(one.dots.size(), other.dots.size());
        QVERIFY(one.x == other.x && one.y == other.y);
    }
};

}  // namespace tst_workspace_result

ROOFWALK_TEST(tst_workspace_result, TestWorkspaceResult, NoApplication)
#include "tst_workspace_result.moc"

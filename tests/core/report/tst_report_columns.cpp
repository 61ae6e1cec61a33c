// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <set>

#include "core/import/open_profile.h"
#include "core/report/comparison_table.h"
#include "core/report/kernel_filter.h"
#include "core/report/kernel_page.h"
#include "core/report/report_columns.h"
#include "core/roofline/summary.h"
#include "core/scenario/scenario_report.h"
#include "tests/core/report/report_fixture.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/support/samples.h"

namespace tst_report_columns {

using namespace roofwalk;

namespace {

/// The first that occurs twice; empty where none does.
std::string twice(const std::vector<std::string>& words) {
    std::set<std::string> seen;
    for (const std::string& word : words)
        if (!seen.insert(word).second) return word;
    return {};
}

template <class Row>
std::string id_twice(const std::vector<ColumnRule<Row>>& columns) {
    std::vector<std::string> ids;
    for (const auto& rule : columns)
        ids.push_back(rule.column.id);
    return twice(ids);
}

/// Whether the places in the window are 1, 2, 3 and so on.
template <class Row>
bool has_every_place(const std::vector<ColumnRule<Row>>& columns) {
    std::set<std::size_t> places;
    std::size_t shown = 0;
    for (const auto& rule : columns)
        if (rule.column.window > 0) {
            places.insert(rule.column.window);
            ++shown;
        }
    return !places.empty() && places.size() == shown && *places.rbegin() == shown;
}

}  // namespace

class TestReportColumns : public QObject {
    Q_OBJECT

  private slots:
    void what_fewer_bytes_or_launches_save_is_a_column_where_a_kernel_has_it() {
        if (test::sample_reports().empty()) QSKIP("samples are not beside this checkout");
        const auto place_in = [](const char* name, std::string_view column = "fewer_bytes_time") {
            const auto profile = open_profile(test::sample(name));
            const Analysis analysis = analyse(*profile, {});
            for (const KernelColumn& rule : report_columns(*profile, analysis))
                if (rule.column.id == column) return rule.column.place;
            return ColumnPlace::window_only;
        };
        QVERIFY(place_in("2025.1.1_t4_wmma") == ColumnPlace::detail);
        QVERIFY(place_in("2024.1.1_a100-80gb") == ColumnPlace::detail);
        QVERIFY(place_in("2020.3.1_a100_6kernels") == ColumnPlace::files_only);
        QVERIFY(place_in("2024.3.2_rtx4080s", "fewer_launches_time") == ColumnPlace::detail);
        QVERIFY(place_in("2021.3.1_gtx1650", "fewer_launches_time") == ColumnPlace::detail);
        QVERIFY(place_in("2024.3.2_rtx4080s") == ColumnPlace::files_only);
    }
    // Table, order, page and the line of the session tell one recoverable time, as a figure or as a range.
    void the_recoverable_time_is_the_same_wherever_it_is_told() {
        if (test::sample_reports().empty()) QSKIP("samples are not beside this checkout");
        for (const char* name :
             {"2025.1.1_t4_wmma", "2023.3.1_rtx2070s", "2025.1.0_gh200_triton_3kernels_sec"}) {
            const auto profile = open_profile(test::sample(name));
            const Analysis analysis = analyse(*profile, {});
            const ReportTable table = report_table(*profile, analysis);
            const auto column = std::ranges::find(table.columns, "recoverable_time", &ReportColumn::id);
            const std::vector<std::uint32_t> rows = ranked_points(analysis);
            Gain all{};
            double before = INFINITY;
            for (std::size_t row = 0; row < rows.size(); ++row) {
                const Gain gain = gain_of(analysis.points[rows[row]]).value();
                const ReportCell& cell = table.rows[row][std::size_t(column - table.columns.begin())];
                QCOMPARE(cell.number, std::optional(gain.same.value()));
                QCOMPARE(cell.up_to, gain.is_range() ? std::optional(gain.most.value()) : std::nullopt);
                QCOMPARE(cell.text.find("–") != std::string::npos, gain.is_range());
                QVERIFY2(gain.most.value() <= before, name);
                before = gain.most.value();
                all.same += gain.same;
                all.most += gain.most;
                const TextPage page = kernel_page(*profile, analysis, rows[row]);
                for (const Seconds end : {gain.same, gain.most})  // of a range with what reaches each
                    QVERIFY2(
                        end.value() <= 0 || std::ranges::any_of(page.blocks,
                                                                [&](const TextBlock& block) {
                                                                    return block.text.find(format(end)) !=
                                                                           std::string::npos;
                                                                }),
                        name);
            }
            QVERIFY2(session_line(analysis).find(gain_words(all)) != std::string::npos, name);
        }
    }
    void throughput_and_directions_are_columns() {
        Profile profile = test::saxpy_profile();
        profile.launches.front().metrics.push_back({profile.texts.intern(metric_of(HardwareUnit::l2)), 62.5});
        for (TrafficSample& sample : profile.launches.front().traffic) {
            sample.read = sample.total / 4;
            sample.write = sample.total / 4 * 3;
        }
        const Analysis analysis = analyse(profile, {});
        const std::vector<KernelColumn> columns = report_columns(profile, analysis);
        const auto column = [&](std::string_view id) {
            return std::ranges::find(columns, id, [](const KernelColumn& rule) { return rule.column.id; });
        };
        const KernelPoint& point = analysis.points.front();
        QVERIFY(column("l2_throughput") != columns.end() && column("hbm_bytes_read") != columns.end());
        QCOMPARE(*column("l2_throughput")->cell(point).number, 0.625);
        QVERIFY(!column("dram_throughput")->cell(point).number);
        QVERIFY(column("hbm_bytes_read")->column.place == ColumnPlace::detail);
    }
    void an_id_stands_for_one_column() {
        const Profile profile = test::saxpy_profile();
        const Analysis analysis = analyse(profile, {});
        QCOMPARE(id_twice(report_columns(profile, analysis)), std::string());
        QVERIFY(has_every_place(report_columns(profile, analysis)));

        const std::vector<AnalysedProfile> runs{{&profile, &analysis}, {&profile, &analysis}};
        const Comparison comparison = compare_runs(runs);
        QCOMPARE(id_twice(comparison_columns(comparison)), std::string());
        QVERIFY(has_every_place(comparison_columns(comparison)));
        QCOMPARE(id_twice(projection_columns(runs.front(), {})), std::string());
        QVERIFY(has_every_place(projection_columns(runs.front(), {})));
        const ScenarioEffect effect;
        QCOMPARE(id_twice(scenario_columns(analysis.options, effect)), std::string());
        QVERIFY(has_every_place(scenario_columns(analysis.options, effect)));
    }

    void a_column_of_the_window_and_a_short_word_are_explained() {
        for (const KernelColumn& rule : point_columns({}))
            if (rule.column.window > 0 || !rule.column.word.empty())
                QVERIFY2(!rule.column.meaning.empty(), rule.column.id.c_str());
    }

    void the_word_of_every_column_is_its_own_and_filters() {
        std::vector<std::string> words;
        for (const KernelColumn& rule : filter_columns()) {
            const ReportColumn& column = rule.column;
            words.push_back(column.word.empty() ? column.id : column.word);
            const bool has_unit = !column.unit.empty() && !column.unit.ends_with("/byte");
            const std::string value = column.id == "class" ? "memory-bound"
                                      : !column.numeric()  ? "some_word"
                                      : column.unit == "s" ? "1 ms"
                                      : has_unit           ? "1 M"
                                                           : "1";
            const auto filter = parse_kernel_filter(words.back() + " = " + value);
            QVERIFY2(filter.has_value(), filter ? "" : filter.error().what.c_str());
        }
        QCOMPARE(twice(words), std::string());
        for (const std::string_view word : {"name", "class", "bound", "time", "gap", "roof", "perf", "ai",
                                            "ai.l2", "ai.l1", "ai.smem", "launches", "failed"})
            QVERIFY2(std::ranges::find(words, word) != words.end(), std::string(word).c_str());
    }

    void every_column_filters_by_its_own_figures_under_its_id_and_its_heading() {
        const Profile profile = test::saxpy_profile();
        AnalysisOptions options;
        options.group_by = GroupBy::launch;
        const Analysis analysis = analyse(profile, options);
        const KernelPoint& first = analysis.points.front();
        std::vector<std::string> headings;
        for (const KernelColumn& rule : filter_columns(profile, analysis)) {
            const ReportColumn& column = rule.column;
            headings.push_back(column.title);
            const std::string heading = fmt::format("\"{}\"", column.title);
            // "roof" is the word of another
            const std::vector<std::string> names{heading, column.id == "roof" ? heading : column.id};
            const ReportCell cell = rule.cell(first);
            const bool is_known = column.numeric() ? cell.number.has_value() : cell.known && cell.applies;
            const double scale = column.kind == ColumnKind::share ? 100 : 1;
            const std::string value = !column.numeric()
                                          ? fmt::format("\"{}\"", rule.text_of(first).value_or("word"))
                                          : fmt::format("{} {}", cell.number.value_or(1) * scale,
                                                        column.unit.ends_with("/byte") ? "" : column.unit);
            for (const std::string& name : names)
                for (const auto& [comparison, found] : {std::pair(" = ", true), std::pair(" != ", false)}) {
                    if (column.id == "class" && !found) continue;
                    const std::string text = name + comparison + value;
                    const auto filter = parse_kernel_filter(text, &profile, &analysis);
                    QVERIFY2(filter.has_value(), filter ? "" : filter.error().what.c_str());
                    if (!column.numeric() || scale == 1)
                        QVERIFY2((*filter)(first) == (found && is_known), text.c_str());
                }
        }
        QCOMPARE(twice(headings), std::string());
        for (const char* of_launches : {"grid != x", "launch > 0", "device = x", "hbm_bytes_read > 1 B"})
            QVERIFY2(!(*parse_kernel_filter(of_launches))(first), of_launches);  // of which analysis?
    }

    void a_row_sorts_and_filters_by_the_number_in_its_cell() {
        const Profile profile = test::saxpy_profile();
        const Analysis analysis = analyse(profile, {});
        for (const KernelColumn& rule : report_columns(profile, analysis))
            for (const KernelPoint& point : analysis.points) {
                if (!rule.column.numeric()) continue;
                const ReportCell cell = rule.cell(point);
                QVERIFY2(!cell.number || rule.number_of(point) == cell.number, rule.column.id.c_str());
                QVERIFY2(cell.number || cell.known || !rule.number_of(point), rule.column.id.c_str());
            }
    }

    void the_window_shows_the_figures_of_the_table() {
        const Profile profile = test::saxpy_profile();
        const Analysis analysis = analyse(profile, {});
        const ReportTable table = report_table(profile, analysis);
        const auto rows = ranked_points(analysis);
        const auto shown = window_columns(
            point_columns(analysis.options),
            [&](std::uint32_t row) -> const KernelPoint& { return analysis.points[rows[row]]; });
        QCOMPARE(shown.front().column.id, std::string("kernel"));
        for (const auto& rule : shown) {
            const auto same = std::ranges::find(table.columns, rule.column.id, &ReportColumn::id);
            QVERIFY2(same != table.columns.end(), rule.column.id.c_str());
            QCOMPARE(same->title, rule.column.title);
            for (std::uint32_t row = 0; row < rows.size(); ++row) {
                const ReportCell& in_table = table.rows[row][std::size_t(same - table.columns.begin())];
                const ReportCell cell = rule.cell(row);
                QCOMPARE(cell.number, in_table.number);
                if (!cell.number) QCOMPARE(cell.text, in_table.text);
            }
        }
    }

    void a_level_that_a_person_hid_shows_no_figures() {
        const Profile profile = test::saxpy_profile();
        const Analysis analysis = analyse(profile, with_level({}, MemoryLevel::hbm, false));
        const auto shown =
            window_columns(point_columns(analysis.options),
                           [&](std::uint32_t row) -> const KernelPoint& { return analysis.points[row]; });
        const auto intensity =
            std::ranges::find(shown, "hbm_intensity", [](const auto& rule) { return rule.column.id; });
        QVERIFY(intensity != shown.end());
        QVERIFY(!intensity->cell(1).number && !intensity->number_of(1));
        QVERIFY(analysis.points[1].at(MemoryLevel::hbm)->intensity.has_value());
    }
};

}  // namespace tst_report_columns

ROOFWALK_TEST(tst_report_columns, TestReportColumns, NoApplication)
#include "tst_report_columns.moc"

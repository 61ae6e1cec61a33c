// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRegularExpression>
#include <QTest>
#include <algorithm>

#include "core/operations/op_binding.h"
#include "core/report/kernel_page.h"
#include "core/report/report_cells.h"
#include "core/report/report_table.h"
#include "tests/core/report/report_fixture.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_report_table {

using namespace roofwalk;

namespace {

ReportTable table_of(const Profile& profile, const AnalysisOptions& options = {}) {
    return report_table(profile, analyse(profile, options));
}

const ReportCell& cell(const ReportTable& table, std::size_t row, std::string_view column) {
    const auto it = std::ranges::find(table.columns, column, &ReportColumn::id);
    if (it == table.columns.end()) qFatal("there is no column %s", std::string(column).c_str());
    return table.rows.at(row).at(static_cast<std::size_t>(it - table.columns.begin()));
}

const ReportColumn& column(const ReportTable& table, std::string_view id) {
    const auto it = std::ranges::find(table.columns, id, &ReportColumn::id);
    if (it == table.columns.end()) qFatal("there is no column %s", std::string(id).c_str());
    return *it;
}

}  // namespace

class TestReportTable : public QObject {
    Q_OBJECT

  private slots:
    void launches_that_differ_are_told_from_what_to_what() {
        Profile profile = test::saxpy_profile();
        QVERIFY(table_of(profile).note.empty());
        QVERIFY(!cell(table_of(profile), 0, "launch_range").applies);
        Launch slower = profile.launches[1];
        slower.duration = *slower.duration * 4;
        profile.launches.push_back(slower);
        const ReportTable table = table_of(profile);
        QCOMPARE(cell(table, 0, "launches").number.value(), 2.0);
        QCOMPARE(cell(table, 0, "launch_range").text, std::string("25.0 to 100 GFLOP/s"));
        QCOMPARE(cell(table, 0, "performance_min").number.value(), 0.25e11);
        QCOMPARE(cell(table, 0, "performance_max").number.value(), 1e11);
        QVERIFY2(table.note.find("2 launches, 25.0 to 100 GFLOP/s") != std::string::npos, table.note.c_str());
    }
    void a_time_that_counting_may_have_stretched_is_marked_with_what_it_gives() {
        Profile profile = test::saxpy_profile();
        profile.warnings.clear();
        for (const char* column : {"time", "time_share", "recoverable_time", "performance", "share_of_limit",
                                   "vertical_gap", "practical_efficiency", "hbm_bandwidth", "hbm_share"}) {
            profile.warnings.clear();
            QVERIFY(!cell(table_of(profile), 0, column).approximate);
            profile.warnings.push_back({{}, {LaunchIndex{1}}, true});
            const ReportCell marked = cell(table_of(profile), 0, column);
            QVERIFY(marked.approximate && marked.number);
            QVERIFY2(marked.text.starts_with('~'), marked.text.c_str());
            QCOMPARE(std::ranges::count(marked.text, '~'), 1);
            // A share of the whole is in doubt with the time of any.
            const bool of_all = column == std::string_view("time_share");
            QCOMPARE(cell(table_of(profile), 1, column).approximate, of_all);
        }
    }
    void what_was_not_measured_is_marked_and_explained() {
        Profile profile = test::saxpy_profile();
        QVERIFY(!cell(table_of(profile), 0, "hbm_bytes").approximate);
        QCOMPARE(cell(table_of(profile), 0, "hbm_bytes_origin").text, std::string("measured"));
        for (Launch& launch : profile.launches)
            for (TrafficSample& sample : launch.traffic)
                if (level_of(sample.boundary) == MemoryLevel::hbm) {
                    sample.origin = Origin::estimated;
                    sample.source = profile.texts.intern("a share of the peak");
                }
        const ReportTable table = table_of(profile);
        for (const char* id : {"hbm_bytes", "hbm_intensity", "hbm_bandwidth", "hbm_share"})
            QVERIFY2(cell(table, 0, id).text.starts_with('~'), id);
        for (const char* id : {"work", "performance", "time"})
            QVERIFY2(!cell(table, 0, id).text.starts_with('~'), id);
        QCOMPARE(cell(table, 0, "hbm_bytes_origin").text, std::string("estimated"));
        QCOMPARE(cell(table, 0, "work_origin").text, std::string("measured"));
        QVERIFY(to_text(table, TextColumns::main).find("a share of the peak") != std::string::npos);
        QVERIFY(to_csv(table).find('~') == std::string::npos);
    }
    void numbers_are_those_of_the_exercise() {
        const ReportTable table = table_of(test::saxpy_profile());
        QCOMPARE(cell(table, 0, "time_share").number.value(), 2.0 / 3);
        QCOMPARE(cell(table, 0, "hbm_intensity").number.value(), 2e8 / 1.2e9);
        QCOMPARE(cell(table, 0, "performance").number.value(), 1e11);
        QCOMPARE(cell(table, 0, "roof").number.value(), 800e9 / 6);
        QCOMPARE(cell(table, 0, "vertical_gap").number.value(), 4.0 / 3);
        QCOMPARE(cell(table, 0, "share_of_limit").number.value(), 0.75);
        QCOMPARE(cell(table, 0, "speed_of_light").number.value(), 1.5e-3);
        QCOMPARE(cell(table, 0, "practical_efficiency").number.value(), 0.75 / 0.88);
        QCOMPARE(cell(table, 0, "practical_band").text, std::string("–"));  // its counters contradict
        QCOMPARE(cell(table, 0, "binding_ceiling").text, std::string("DRAM"));
        QCOMPARE(cell(table, 0, "hbm_boundary").text, std::string("hbm/dram-rw"));
    }

    void numbers_for_people_have_units() {
        const ReportTable table = table_of(test::saxpy_profile());
        const auto shown = [&](const char* id) {
            return cell(table, 0, id).text + " " + column(table, id).shown_unit;
        };
        QCOMPARE(shown("time"), std::string("2.00 ms"));
        QCOMPARE(shown("performance"), std::string("100 GFLOP/s"));
        QCOMPARE(shown("hbm_bytes"), std::string("1.20 GB"));
        QCOMPARE(cell(table, 0, "share_of_limit").text, std::string("75.0 %"));
        QCOMPARE(cell(table, 0, "vertical_gap").text, std::string("1.33x"));
    }

    void a_lower_bound_says_so_and_stays_a_number() {
        Profile profile = test::saxpy_profile();
        profile.launches[1].uncounted.tensor = true;
        const ReportTable table = table_of(profile);
        QCOMPARE(cell(table, 0, "performance").text, std::string("≥ 100"));
        QCOMPARE(cell(table, 0, "work").text, std::string("≥ 200"));
        QCOMPARE(cell(table, 0, "hbm_intensity").text, std::string("≥ 0.167"));
        QCOMPARE(cell(table, 0, "performance").number.value(), 1e11);
        QCOMPARE(cell(table, 0, "uncounted_work").text, std::string("tensor"));
        QCOMPARE(cell(table, 0, "hbm_bytes").text, std::string("1.20"));
        for (const char* claim : {"roof", "speed_of_light", "practical_efficiency", "compute_ceiling"}) {
            QVERIFY(!cell(table, 0, claim).number);
            QCOMPARE(cell(table, 0, claim).text, std::string("work incomplete"));
        }
        QCOMPARE(cell(table, 0, "vertical_gap").text, std::string("1.33x to DRAM"));  // what is nearest
        QCOMPARE(cell(table, 0, "binding_ceiling").text, std::string("DRAM"));
        QCOMPARE(cell(table, 0, "share_of_limit").text, std::string("75.0 %"));
        QCOMPARE(cell(table, 1, "uncounted_work").text, std::string("not measured"));
        QCOMPARE(cell(table_of(test::saxpy_profile()), 0, "uncounted_work").text, std::string("none"));
    }

    void pipes_that_nothing_looked_at_are_told_once_below_the_rows() {
        Profile profile = test::saxpy_profile();
        QCOMPARE(table_of(profile).note.find("FP64"), std::string::npos);
        profile.launches[1].unchecked = {.fp64 = true, .fp16 = true, .tensor = true};
        const ReportTable table = table_of(profile);
        QVERIFY2(table.note.find("only FP32 was counted") != std::string::npos, table.note.c_str());
        QVERIFY2(table.note.find("FP64, FP16 and tensor work") != std::string::npos, table.note.c_str());
        QCOMPARE(table.note.find("only FP32"), table.note.rfind("only FP32"));
        QCOMPARE(cell(table, 0, "performance").text, std::string("100"));
    }

    void launches_have_the_number_that_they_have_in_their_file() {
        AnalysisOptions options;
        options.group_by = GroupBy::launch;
        const Profile one = test::saxpy_profile();
        const std::array files{&one, &one};
        const ReportTable table = table_of(merge_profiles(files), options);
        QCOMPARE(table.columns[1].id, std::string("launch"));
        QCOMPARE(table.rows.size(), 6U);
        for (const std::size_t row : {0U, 1U})
            QCOMPARE(cell(table, row, "launch").text, std::string("1"));
        for (const std::size_t row : {2U, 3U})
            QCOMPARE(cell(table, row, "launch").number.value(), 0.0);
        QVERIFY(to_text(table, TextColumns::main).find("  Launch  ") != std::string::npos);
        const ReportTable by_kernel = table_of(one);
        QVERIFY(to_text(by_kernel, TextColumns::every).find("  Launch  ") == std::string::npos);
        QVERIFY(!cell(by_kernel, 0, "launch").number);
    }

    void rows_say_their_report_where_there_are_several() {
        Profile one = test::saxpy_profile();
        one.sources.front().path = "/runs/rank0.jsonl";
        Profile other = test::saxpy_profile();
        other.sources.front().path = "/runs/rank1.jsonl";
        const std::array files{&one, &other};
        const ReportTable table = table_of(merge_profiles(files));
        std::vector<std::string> reports;
        for (std::size_t row = 0; row < table.rows.size(); ++row)
            reports.push_back(cell(table, row, "source").text);
        QCOMPARE(std::ranges::count(reports, "rank0.jsonl"), 3);
        QCOMPARE(std::ranges::count(reports, "rank1.jsonl"), 3);
        QVERIFY(to_text(table, TextColumns::main).find("  Report  ") != std::string::npos);
        // Files have the same columns whatever is open.
        const ReportTable alone = table_of(one);
        QCOMPARE(cell(alone, 0, "source").text, std::string("rank0.jsonl"));
        QVERIFY(to_text(alone, TextColumns::every).find("Report") == std::string::npos);
        QVERIFY(std::ranges::equal(alone.columns, table.columns, {}, &ReportColumn::id, &ReportColumn::id));
    }

    void a_time_from_cycles_is_told_from_a_timed_one() {
        Profile profile = test::saxpy_profile();
        QCOMPARE(cell(table_of(profile), 0, "duration_origin").text, std::string("measured"));
        for (Launch& launch : profile.launches)
            launch.duration_origin = TimeOrigin::derived;
        QCOMPARE(cell(table_of(profile), 0, "duration_origin").text, std::string("derived"));
    }
    void the_details_say_which_time_is_not_by_a_timer() {
        Profile profile = test::saxpy_profile();
        const auto origin = [&](TimeOrigin of) {
            for (Launch& launch : profile.launches)
                launch.duration_origin = of;
            const Analysis analysis = analyse(profile, {});
            const auto timed = std::ranges::find_if(
                analysis.points, [](const KernelPoint& point) { return point.time.has_value(); });
            const FactTable facts = launch_facts(profile, analysis, *timed);
            const auto row = std::ranges::find(facts.rows, "Time origin",
                                               [](const FactRow& fact) { return fact.cells[0].text; });
            return row == facts.rows.end() ? std::string() : row->cells[1].text;
        };
        QCOMPARE(origin(TimeOrigin::measured), std::string());
        QVERIFY(!origin(TimeOrigin::derived).empty());
        QVERIFY(!origin(TimeOrigin::alike).empty());
        QVERIFY(origin(TimeOrigin::derived) != origin(TimeOrigin::alike));
    }

    void nvtx_and_stream_are_told_where_they_are_known() {
        Profile profile = test::saxpy_profile();
        profile.nvtx_stacks.push_back({"step", "forward"});
        profile.launches[1].nvtx = static_cast<NvtxIndex>(1);
        profile.launches[1].stream = 7;
        const ReportTable table = table_of(profile);
        QCOMPARE(cell(table, 0, "nvtx").text, std::string("step / forward"));
        QCOMPARE(cell(table, 0, "stream").text, std::string("7"));
        QVERIFY(!cell(table, 1, "nvtx").known && !cell(table, 1, "stream").known);
    }

    void rows_come_by_share_of_time() {
        const ReportTable table = table_of(test::saxpy_profile());
        QCOMPARE(table.rows.size(), 3U);
        QVERIFY(cell(table, 0, "kernel").text.starts_with("void saxpy"));
        QCOMPARE(cell(table, 2, "kernel").text, std::string("failed"));
        QCOMPARE(cell(table, 2, "failed").number.value(), 1.0);
    }

    void not_measured_is_not_zero() {
        const ReportTable table = table_of(test::saxpy_profile());
        QCOMPARE(cell(table, 0, "smem_bytes").number.value(), 0.0);
        QCOMPARE(cell(table, 0, "smem_intensity").text, std::string("no bytes"));
        QVERIFY(!cell(table, 0, "l2_bytes").number);
        QVERIFY(!cell(table, 0, "l2_bytes").known);
        QVERIFY(!cell(table, 1, "work").number);
        QCOMPARE(cell(table, 1, "work").text, std::string("not measured"));
        QVERIFY(!cell(table, 2, "time_share").number);
        QVERIFY(!cell(table, 2, "grid").known);
    }

    void what_does_not_apply_is_not_called_unmeasured() {
        Profile profile = test::saxpy_profile();
        profile.launches[1].work.front().work = Flops(0);
        const ReportTable table = table_of(profile);
        QCOMPARE(cell(table, 0, "roof").text, std::string("–"));
        QCOMPARE(cell(table, 0, "compute_ceiling").text, std::string("–"));
        QVERIFY(cell(table, 0, "roof").known && !cell(table, 0, "roof").number);
        QCOMPARE(cell(table, 0, "binding_ceiling").text, std::string("DRAM"));
        QCOMPARE(cell(table, 1, "roof").text, std::string("not measured"));
        QCOMPARE(cell(table, 1, "compute_ceiling").text, std::string("not measured"));
    }

    void a_device_without_ceilings_is_not_a_missing_measurement() {
        Profile profile = test::saxpy_profile();
        profile.devices.front().ceilings = {};
        const ReportTable table = table_of(profile);
        for (const std::string_view column :
             {"binding_ceiling", "share_of_limit", "vertical_gap", "roof", "practical_efficiency",
              "practical_band", "speed_of_light", "compute_ceiling"})
            QCOMPARE(cell(table, 0, column).text, std::string("no ceiling known"));
        for (const std::string_view column : {"binding_ceiling", "share_of_limit", "vertical_gap"})
            QCOMPARE(cell(table, 1, column).text, std::string("no ceiling known"));  // of bytes alone
    }

    void above_the_roof_there_is_no_practical_band() {
        Profile profile = test::saxpy_profile();
        profile.launches[1].duration = Seconds(1e-6);
        const ReportTable table = table_of(profile);
        QCOMPARE(cell(table, 1, "class").text, std::string("above the roof (counters contradict)"));
        QCOMPARE(cell(table, 1, "practical_band").text, std::string("–"));
    }

    void launches_that_differ_are_various() {
        Profile profile = test::saxpy_profile();
        profile.launches.push_back(profile.launches[1]);
        profile.launches.back().grid = {2, 1, 1};
        const ReportTable table = table_of(profile);
        QCOMPARE(cell(table, 0, "grid").text, std::string("various"));
        QCOMPARE(cell(table, 0, "block").text, std::string("256x1x1"));
        QCOMPARE(cell(table, 0, "device").text, std::string("Machine, 20 TFLOP/s"));
    }

    void levels_switched_off_have_no_columns_on_a_terminal() {
        AnalysisOptions options;
        options.levels = {true, false, true, false};
        const ReportTable table = table_of(test::saxpy_profile(), options);
        const std::string text = to_text(table, TextColumns::every);
        const auto has = [&](std::string_view title) { return text.find(title) != std::string::npos; };
        QVERIFY(has("AI DRAM") && has("Bytes L1"));
        QVERIFY(!has("AI L2") && !has("Bytes SMEM"));
        QCOMPARE(column(table, "hbm_bytes").shown_unit,
                 column(table_of(test::saxpy_profile()), "hbm_bytes").shown_unit);
    }

    void the_roof_of_l1_that_is_not_that_of_ncu_is_told_of_its_gpu_where_it_is_shown() {
        Profile profile = test::saxpy_profile();
        profile.devices.front().name = "Tesla T4";
        profile.devices.front().compute_capability = ComputeCapability{7, 5};
        const auto tells = [&](bool shown) {
            AnalysisOptions options;
            options.levels = {true, true, shown, shown};
            return table_of(profile, options).note.find("Tesla T4 move 64 B") != std::string::npos;
        };
        QVERIFY(tells(true) && !tells(false));
        profile.launches[1].traffic.pop_back();  // that of SMEM
        QVERIFY(!tells(true));
    }

    void every_file_has_the_same_columns() {
        const auto head = [](const Profile& profile, const AnalysisOptions& options = {}) {
            const std::string csv = to_csv(table_of(profile, options));
            return csv.substr(0, csv.find('\r'));
        };
        const std::string plain = head(test::saxpy_profile());
        QVERIFY(plain.find("l1_bytes [byte]") != std::string::npos);
        QVERIFY(plain.find("operation,") != std::string::npos);
        AnalysisOptions launches;
        launches.group_by = GroupBy::launch;
        QCOMPARE(head(test::saxpy_profile(), launches), plain);
        AnalysisOptions few;
        few.levels = {true, false, false, false};
        QCOMPARE(head(test::saxpy_profile(), few), plain);
        Profile bound = test::saxpy_profile();
        bound.launches[1].algorithm = bound.texts.intern("axpy n=50000000 dtype=fp32");
        AnalysisOptions with_operation;
        with_operation.launch_operations =
            std::make_shared<const LaunchOperations>(bind_operations(bound, {}));
        QCOMPARE(head(bound, with_operation), plain);
        Profile by_l1 = test::saxpy_profile();
        by_l1.launches[1].traffic.push_back(
            {Boundary::l1_unified, Origin::measured, TextId::none, Bytes(1e15), {}, {}});
        by_l1.devices.front().ceilings.bandwidth.push_back({Boundary::l1_unified, ByteRate(2e13), {}});
        QVERIFY(analyse(by_l1, {}).options.levels[MemoryLevel::l1]);
        QCOMPARE(head(by_l1), plain);
    }

    void what_a_file_does_not_know_is_an_empty_field() {
        const std::string csv = to_csv(table_of(test::saxpy_profile()));
        const auto fields = [&](qsizetype line) {
            return QString::fromStdString(csv).split("\r\n").at(line).split(',');
        };
        const qsizetype at = fields(0).indexOf("l1_bytes [byte]");
        QVERIFY(at > 0);
        const QStringList failed = fields(3);
        QCOMPARE(failed.front(), QString("failed"));
        QCOMPARE(failed.at(at), QString());
    }

    void a_column_has_one_unit() {
        Profile profile = test::saxpy_profile();
        profile.launches[0].duration = Seconds(3e-6);
        const ReportTable table = table_of(profile);
        QCOMPARE(cell(table, 0, "time").text, std::string("2.00"));
        QCOMPARE(cell(table, 1, "time").text, std::string("0.00300"));
        QCOMPARE(column(table, "time").shown_unit, std::string("ms"));
        QCOMPARE(column(table, "smem_bytes").shown_unit, column(table, "hbm_bytes").shown_unit);
    }

    void what_is_far_below_the_unit_of_its_column_has_its_own() {
        Profile profile = test::saxpy_profile();
        profile.launches[0].duration = Seconds(8.29e-6);
        profile.launches[1].duration = Seconds(20);
        const ReportTable table = table_of(profile);
        QCOMPARE(column(table, "time").shown_unit, std::string("s"));
        QCOMPARE(cell(table, 0, "time").text, std::string("20.0"));
        QCOMPARE(cell(table, 1, "time").text, std::string("8.29 µs"));
        QCOMPARE(cell(table, 1, "time").number.value(), 8.29e-6);  // as CSV and JSON have it
        for (const std::string& text :
             {to_text(table, TextColumns::every), to_markdown(table, TextColumns::every)})
            QVERIFY(!QRegularExpression("\\de-\\d").match(QString::fromStdString(text)).hasMatch());
    }

    void numbers_within_a_factor_of_a_million_have_one_unit() {
        ReportTable table{.columns = {{.id = "performance", .unit = "FLOP/s"}}, .rows = {}};
        for (const double value : {13e12, 11e12, 9.89e9, 737e6, 0.0})
            table.rows.push_back({{.number = value, .text = {}}});
        use_one_unit_per_column(table);
        QCOMPARE(table.columns[0].shown_unit, std::string("GFLOP/s"));
        QCOMPARE(cell(table, 0, "performance").text, std::string("13,000"));
        QCOMPARE(cell(table, 3, "performance").text, std::string("0.737"));
    }

    void a_column_has_the_unit_of_most_of_its_numbers() {
        ReportTable table{.columns = {{.id = "performance", .unit = "FLOP/s"}}, .rows = {}};
        for (const double value : {2.5e15, 3e12, 165e9, 20e9, 4e9, 0.0})
            table.rows.push_back({{.number = value, .text = {}}});
        use_one_unit_per_column(table);
        QCOMPARE(table.columns[0].shown_unit, std::string("TFLOP/s"));
        QCOMPARE(cell(table, 0, "performance").text, std::string("2500"));
        QCOMPARE(cell(table, 2, "performance").text, std::string("0.165"));
        table.rows[2][0].number = 1e8;
        table.rows[3][0].number = 3e8;
        table.rows[1][0].number = 2e7;
        use_one_unit_per_column(table);
        QCOMPARE(table.columns[0].shown_unit, std::string("GFLOP/s"));
        QCOMPARE(cell(table, 0, "performance").text, std::string("2.50 PFLOP/s"));
        QCOMPARE(cell(table, 4, "performance").text, std::string("4.00"));
    }

    void an_intensity_is_a_plain_number() {
        Profile profile = test::saxpy_profile();
        profile.launches[1].traffic.front().total = Bytes(20);
        const ReportTable table = table_of(profile);
        QCOMPARE(cell(table, 0, "hbm_intensity").text, std::string("1.00e7"));
        QCOMPARE(column(table, "hbm_intensity").shown_unit, std::string("FLOP/byte"));
    }

    void without_work_there_is_no_intensity() {
        Profile profile = test::saxpy_profile();
        profile.launches[1].work.front().work = Flops(0);
        const ReportTable table = table_of(profile);
        QCOMPARE(cell(table, 0, "hbm_intensity").text, std::string("no FLOP"));
        QCOMPARE(cell(table, 0, "smem_intensity").text, std::string("no FLOP"));
        QVERIFY(!cell(table, 0, "hbm_intensity").number);
        QCOMPARE(cell(table, 1, "hbm_intensity").text, std::string("not measured"));
    }

    void what_contradicting_counters_do_not_tell_is_called_so() {
        Profile profile = test::saxpy_profile();
        for (std::size_t i = 0; i < profile.launches.size(); ++i)
            profile.warnings.push_back(
                {{ErrorCode::contradiction, "Mixed", "", ""}, {static_cast<LaunchIndex>(i)}, false, true});
        const ReportTable table = table_of(profile);
        for (const char* id :
             {"work", "performance", "hbm_intensity", "l2_bytes", "l2_bandwidth", "l2_share"}) {
            QCOMPARE(cell(table, 1, id).text, std::string("contradicted"));
            QVERIFY(!cell(table, 1, id).number);
        }
        QVERIFY(cell(table, 0, "hbm_intensity").number);
    }

    void a_kernel_without_a_name_has_a_word_for_it() {
        const ReportTable table = table_of(test::saxpy_profile(""));
        QCOMPARE(cell(table, 1, "kernel").text, std::string("unnamed"));
        QVERIFY(to_markdown(table, TextColumns::every).find("| unnamed |") != std::string::npos);
    }

    void markdown_and_text_show_the_same_names() {
        const ReportTable table = table_of(test::saxpy_profile(std::string(200, 'k')));
        for (const TextColumns columns : {TextColumns::any_width, TextColumns::every})
            for (const std::string& name : shown_columns(table, columns).names)
                if (name.find('<') == std::string::npos)  // which Markdown escapes
                    QVERIFY2(to_markdown(table, columns).find("\n| " + name + " |") != std::string::npos,
                             name.c_str());
    }

    void markdown_shows_names_as_they_are() {
        const auto lines = test::lines_of(
            to_markdown(table_of(test::saxpy_profile("a|b<script>*_`\n")), TextColumns::every));
        QCOMPARE(lines.size(), 5U);
        QVERIFY2(lines[3].starts_with("| a\\|b\\<script\\>\\*\\_\\`"), lines[3].c_str());
        QVERIFY(lines[3].find("not measured") != std::string::npos);
    }
};

}  // namespace tst_report_table

ROOFWALK_TEST(tst_report_table, TestReportTable, NoApplication)
#include "tst_report_table.moc"

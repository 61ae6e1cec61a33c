// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <algorithm>

#include "core/devices/match_device.h"
#include "core/report/comparison_table.h"
#include "tests/core/compare/run_fixture.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/support/samples.h"
#include "tests/support/schema.h"

namespace tst_comparison_export {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

LaunchFacts timed(std::string name, double time) {
    LaunchFacts facts;
    facts.name = std::move(name);
    facts.time = time;
    return facts;
}

const ReportCell& cell(const ReportTable& table, std::size_t row, const std::string& column) {
    const auto found = std::ranges::find(table.columns, column, &ReportColumn::id);
    if (found == table.columns.end()) qFatal("no column %s", column.c_str());
    return table.rows[row][static_cast<std::size_t>(found - table.columns.begin())];
}

QJsonObject parsed(const std::string& text) {
    return QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
}

QJsonObject schema(const char* name) {
    const auto path = data_folder() / ".." / ".." / "resources" / "schema" / name;
    QFile file(QString::fromStdString(path.string()));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QJsonDocument::fromJson(file.readAll()).object();
}

}  // namespace

class TestComparisonExport : public QObject {
    Q_OBJECT

  private slots:
    void a_damaged_report_is_told_below_the_rows() {
        const Run before({timed("a", 2e-3)});
        Run after({timed("a", 1e-3)});
        QVERIFY(comparison_table(compare({&before, &after})).note.empty());
        after.profile.sources.resize(1);
        after.profile.sources.front().path = "new.json";
        after.profile.sources.front().format = SourceFormat::roofwalk_json;
        after.profile.sources.front().partial = true;
        QCOMPARE(comparison_table(compare({&before, &after})).note,
                 std::string("new.json is incomplete; kernels and their time may be missing."));
    }
    void a_row_holds_both_sides() {
        const Run before({timed("a", 2e-3)});
        const Run after({timed("a", 1e-3)});
        const ReportTable table = comparison_table(compare({&before, &after}));
        QCOMPARE(cell(table, 0, "verdict").text, std::string("up"));
        QCOMPARE(cell(table, 0, "speed_up").number, std::optional(2.0));
        QCOMPARE(cell(table, 0, "time_before").number, std::optional(2e-3));
        QCOMPARE(cell(table, 0, "time_after").number, std::optional(1e-3));
        QCOMPARE(cell(table, 0, "share_of_limit_before").text, std::string("25.0 %"));
        QCOMPARE(cell(table, 0, "share_of_limit_after").text, std::string("50.0 %"));
        QCOMPARE(cell(table, 0, "hbm_intensity_before").number, std::optional(1.0));
        QVERIFY(!cell(table, 0, "l2_intensity_before").known);
        QCOMPARE(cell(table, 0, "class_before").text, std::string("low use (L2, L1/SMEM not judged)"));
        QCOMPARE(cell(table, 0, "time_noise").text, std::string("2.00 %"));
        QCOMPARE(cell(table, 0, "matched_by").text, std::string("same name, grid and NVTX range"));
        QCOMPARE(cell(table, 0, "notes").text, std::string());
    }
    void another_spelling_is_told() {
        const Run before({timed("void gemm<32>(float*)", 2e-3)});
        const Run after({timed("_Z4gemmILi64EEvPf", 1e-3)});
        const ReportTable table = comparison_table(compare({&before, &after}));
        const std::string basis(label_of(MatchBasis::other_spelling));
        QCOMPARE(cell(table, 0, "matched_by").text, basis);
        QVERIFY(cell(table, 0, "notes").text.find(basis) != std::string::npos);
    }
    void the_cell_has_the_first_note_and_json_all() {
        const Run before({timed("a", 2e-3), timed("a", 2e-3)});
        Run after({timed("a", 1e-3)});
        after.profile.launches[0].work.clear();
        after.profile.launches[0].traffic.clear();
        after.analyse_again();
        const Comparison comparison = compare({&before, &after});
        const auto notes = change_notes(before.view(), after.view(), comparison.paths.at(0).whole);
        QVERIFY(notes.size() > 2);
        const ReportTable table = comparison_table(comparison);
        QCOMPARE(cell(table, 0, "notes").text, notes[0] + " (" + std::to_string(notes.size() - 1) + " more)");
        const QJsonArray told =
            parsed(to_comparison_json(comparison))["paths"][0]["change"]["notes"].toArray();
        QCOMPARE(told.size(), qsizetype(notes.size()));
    }
    void kernels_of_one_report_have_one_side() {
        const Run before({timed("gone", 2e-3)});
        const Run after({timed("new", 1e-3)});
        const ReportTable table = comparison_table(compare({&before, &after}));
        QCOMPARE(cell(table, 0, "kernel").text, std::string("new"));
        QCOMPARE(cell(table, 0, "verdict").text, std::string("added"));
        QCOMPARE(cell(table, 0, "time_before").text, std::string("–"));
        QCOMPARE(cell(table, 1, "kernel").text, std::string("gone"));
        QCOMPARE(cell(table, 1, "verdict").text, std::string("removed"));
        QCOMPARE(cell(table, 1, "time_after").text, std::string("–"));
        QVERIFY(!cell(table, 1, "speed_up").number);
    }
    void steps_follow_the_whole_way() {
        const Run first({timed("a", 4e-3)});
        const Run second({timed("a", 2e-3)});
        const Run third({timed("a", 3e-3)});
        const ReportTable table = comparison_table(compare({&first, &second, &third}));
        QCOMPARE(table.rows.size(), std::size_t(3));
        const auto row = [&](std::size_t i) {
            return cell(table, i, "from_run").text + ">" + cell(table, i, "to_run").text + " " +
                   cell(table, i, "verdict").text;
        };
        QCOMPARE(row(0), std::string("1>3 up"));
        QCOMPARE(row(1), std::string("1>2 up"));
        QCOMPARE(row(2), std::string("2>3 wrong way"));
    }
    void the_json_has_exactly_the_fields_of_its_schema() {
        const Run first({timed("a", 4e-3), timed("gone", 1e-3)});
        const Run second({timed("a", 2e-3)});
        const Run third({timed("a", 1e-3)});
        const std::string text = to_comparison_json(compare({&first, &second, &third}));
        QCOMPARE(test::against_schema(text), std::string());
        const QJsonObject written = parsed(text);
        const QJsonObject published = schema("comparison.schema.json");
        QCOMPARE(written.keys(), published["properties"].toObject().keys());
        const QJsonObject path = written["paths"][0].toObject();
        QCOMPARE(path.keys(), published["properties"]["paths"]["items"]["properties"].toObject().keys());
        const QJsonObject definitions = published["$defs"].toObject();
        QCOMPARE(path["change"].toObject().keys(), definitions["change"]["properties"].toObject().keys());
        QCOMPARE(path["points"][0].toObject().keys(), definitions["point"]["properties"].toObject().keys());
        QCOMPARE(path["points"][0]["binding_id"].toString(), QString("hbm/dram-rw"));
        QCOMPARE(path["steps"].toArray().size(), 2);
        QCOMPARE(path["change"]["time"]["ratio"].toDouble(), 0.25);
        QVERIFY(path["change"]["levels"]["l2"]["bytes"].isNull());
        QCOMPARE(written["unmatched"][0]["removed"][0]["name"].toString(), QString("gone"));
        QCOMPARE(written["summary"]["verdicts"]["up"].toInt(), 1);
    }
    void the_schema_knows_every_verdict_and_basis() {
        const QJsonObject definitions = schema("comparison.schema.json")["$defs"].toObject();
        const QJsonArray verdicts = definitions["verdict"]["enum"].toArray();
        QCOMPARE(static_cast<std::size_t>(verdicts.size()), enum_size<ChangeVerdict>);
        for (const ChangeVerdict verdict : enumerators<ChangeVerdict>)
            QCOMPARE(verdicts[static_cast<qsizetype>(verdict)].toString().toStdString(),
                     std::string(id_of(verdict)));
        const QJsonArray bases = definitions["change"]["properties"]["matched_by"]["enum"].toArray();
        QCOMPARE(static_cast<std::size_t>(bases.size()), enum_size<MatchBasis>);
        for (const MatchBasis basis : enumerators<MatchBasis>)
            QCOMPARE(bases[static_cast<qsizetype>(basis)].toString().toStdString(),
                     std::string(id_of(basis)));
    }
    void other_devices_have_a_row_for_each_kernel() {
        const Run run({timed("a", 2e-3)});
        const std::vector<ProjectedKernels> roofs{
            project_kernels(run.view(), *find_known_device("H100 SXM"))};
        const ReportTable table = projection_table(run.view(), roofs);
        QCOMPARE(cell(table, 0, "device").text, std::string("Test GPU"));
        QCOMPARE(cell(table, 0, "other_device").text, std::string("H100 SXM"));
        QCOMPARE(cell(table, 0, "other_bound").text, std::string("memory (DRAM)"));
        QCOMPARE(cell(table, 0, "roof_speed_up").text, std::string("1.68x by roofs"));
        const ProjectedKernel& change = roofs.front().kernels.front();
        QCOMPARE(cell(table, 0, "level").text,
                 std::string(label_of(change.here.level.value(), change.here.memory)));
        QCOMPARE(cell(table, 0, "other_level").text,
                 std::string(label_of(change.there.level.value(), change.there.memory)));
        QCOMPARE(cell(table, 0, "other_intensity").number.value(), change.there.intensity->value());
        QCOMPARE(cell(table, 0, "other_ridge").number.value(), change.there.ridge->value());
        const std::string json = to_projection_json(run.view(), roofs);
        QCOMPARE(test::against_schema(json), std::string());
        const QJsonObject written = parsed(json);
        const QJsonObject published = schema("roof-comparison.schema.json");
        QCOMPARE(written.keys(), published["properties"].toObject().keys());
        const QJsonObject kernel = written["devices"][0]["kernels"][0].toObject();
        QCOMPARE(kernel["there"].toObject().keys(),
                 published["$defs"]["bound"]["properties"].toObject().keys());
        QCOMPARE(kernel["there"]["class"].toString(), QString("memory_bound"));
        QCOMPARE(kernel["there"]["binding"].toString(), QString("DRAM"));
        QCOMPARE(kernel["there"]["binding_id"].toString(), QString("hbm/dram-rw"));
        QVERIFY(kernel["there"]["at_least_by_id"].isNull());
        QVERIFY(kernel["there"]["at_least_s"].isNull() && kernel["speed_up_at_most"].isNull());
        const std::string text = to_text(table, TextColumns::every);
        QVERIFY(text.find("At least there") == std::string::npos);
        QVERIFY(text.find("Speed-up at most") == std::string::npos);
    }
    void the_launch_floor_binds_by_its_id_and_has_no_speed_up() {
        LaunchFacts brief;
        brief.time = 1.73e-6;
        brief.bytes = {{Boundary::hbm_dram_rw, 8e3}};
        for (const bool counted : {true, false}) {
            brief.flops = counted ? std::optional(8e3) : std::nullopt;
            const Run run({brief, brief}, GroupBy::kernel, {*find_known_device("A100 SXM 80 GB")});
            const std::vector<ProjectedKernels> roofs{
                project_kernels(run.view(), *find_known_device("H100 SXM"))};
            const ReportTable table = projection_table(run.view(), roofs);
            QVERIFY(!cell(table, 0, "roof_speed_up").number && !cell(table, 0, "known_speed_up").number);
            QCOMPARE(cell(table, 0, "roof_speed_up").text, std::string(counted ? "–" : "not known"));
            QCOMPARE(cell(table, 0, counted ? "other_least_time" : "other_time_at_least").number.value(),
                     4e-6);
            const std::string json = to_projection_json(run.view(), roofs);
            QCOMPARE(test::against_schema(json), std::string());
            const QJsonObject kernel = parsed(json)["devices"][0]["kernels"][0].toObject();
            const QJsonObject there = kernel["there"].toObject();
            QCOMPARE(kernel["launches"].toInt(), 2);
            QCOMPARE(there["binding_id"].toString(), QString(counted ? "launch_floor" : ""));
            QCOMPARE(there["at_least_by_id"].toString(), QString(counted ? "" : "launch_floor"));
            QVERIFY(there["class"].isNull());
            QCOMPARE(there["launch_floor"]["time_s"].toDouble(), 2e-6);
            QCOMPARE(there["launch_floor"]["source"].toString(), QString("usual"));
            QCOMPARE(kernel["here"]["launch_floor"]["source"].toString(), QString("report"));
        }
    }
    void of_a_kernel_that_waits_the_speed_up_is_by_roofs_only() {
        LaunchFacts facts;
        for (const auto& [time, word, id] :
             {std::tuple(0.75e-3, "", "memory_bound"), std::tuple(2e-3, " by roofs", "low_use")}) {
            facts.time = time;
            const Run run({facts});
            const std::vector<ProjectedKernels> roofs{
                project_kernels(run.view(), *find_known_device("H100 SXM"))};
            const ReportTable table = projection_table(run.view(), roofs);
            QCOMPARE(cell(table, 0, "roof_speed_up").text, "1.68x" + std::string(word));
            QCOMPARE(cell(table, 0, "class").text, class_text(run.analysis.points.front()));
            const QJsonObject kernel =
                parsed(to_projection_json(run.view(), roofs))["devices"][0]["kernels"][0].toObject();
            QCOMPARE(kernel["class"].toString(), QString(id));
        }
    }
    void levels_that_nobody_judged_have_the_ids_of_levels() {
        LaunchFacts facts;
        facts.flops.reset();
        facts.bytes = {{Boundary::l2_sm_sectors, 1e8}};
        for (const char* own : {"H100 SXM", "RTX 3080"}) {
            const Run run({facts}, GroupBy::kernel, {*find_known_device(own)});
            const std::vector<ProjectedKernels> roofs{
                project_kernels(run.view(), *find_known_device("H100 SXM"))};
            const std::string json = to_projection_json(run.view(), roofs);
            QCOMPARE(test::against_schema(json), std::string());
            QCOMPARE(parsed(json)["devices"][0]["kernels"][0]["there"]["not_judged"].toArray(),
                     (QJsonArray{"hbm", "l1", "smem", "compute"}));
        }
    }
    void what_is_known_on_one_side_only_has_ids() {
        LaunchFacts busy;
        busy.bytes = {{Boundary::hbm_dram_rw, 1.2e9}};
        Run run({busy}, GroupBy::kernel, {*find_known_device("A100 SXM 80 GB")});
        const TextId metric = run.profile.texts.intern(metric_of(HardwareUnit::sm));
        run.profile.launches[0].metrics.push_back({metric, 90});
        run.analyse_again();
        LaunchFacts slow;
        slow.sm_clock = 1e7;
        const Run at_slow_clock({slow});
        const auto side = [](const Run& of, const char* name) {
            const std::string json = to_projection_json(
                of.view(), std::vector{project_kernels(of.view(), *find_known_device("H100 SXM"))});
            if (const std::string why = test::against_schema(json); !why.empty()) qFatal("%s", why.c_str());
            return parsed(json)["devices"][0]["kernels"][0][name].toObject();
        };
        QCOMPARE(side(run, "there")["unit_here"].toString(), QString("sm"));
        QVERIFY(side(run, "here")["unit_here"].isNull());
        QVERIFY(side(run, "here")["at_measured_clock_id"].isNull());
        QCOMPARE(side(at_slow_clock, "here")["at_measured_clock_id"].toString(), QString("fp32"));
        QVERIFY(side(at_slow_clock, "there")["unit_here"].isNull());
    }
    void nothing_counted_is_no_ceiling_that_lacks() {
        LaunchFacts failed;
        failed.flops.reset();
        failed.bytes.clear();
        const Run run({failed});
        const std::vector<ProjectedKernels> roofs{
            project_kernels(run.view(), *find_known_device("H100 SXM"))};
        const ReportTable table = projection_table(run.view(), roofs);
        for (const char* column : {"least_time", "other_least_time"}) {
            QVERIFY(!cell(table, 0, column).number);
            QCOMPARE(cell(table, 0, column).text, std::string("not measured"));
        }
    }
    void a_level_without_a_ceiling_there_leaves_limits() {
        LaunchFacts facts;
        facts.bytes = {{Boundary::hbm_dram_rw, 1.2e9}, {Boundary::l2_sm_sectors, 1.2e9}};
        const Run run({facts}, GroupBy::kernel, {*find_known_device("H100 SXM")});
        const std::vector<ProjectedKernels> roofs{project_kernels(run.view(), *find_known_device("B200"))};
        const ReportTable table = projection_table(run.view(), roofs);
        QCOMPARE(cell(table, 0, "other_bound").text, std::string("HBM by bytes; no L2 ceiling"));
        QVERIFY(!cell(table, 0, "roof_speed_up").number && !cell(table, 0, "other_least_time").number);
        QCOMPARE(cell(table, 0, "other_time_at_least").number.value(), 1.2e9 / 7.7e12);
        QCOMPARE(cell(table, 0, "other_time_at_least_by").text, std::string("HBM; L2 not judged"));
        const double most = roofs.front().kernels.front().speed_up_at_most().value();
        QCOMPARE(cell(table, 0, "roof_speed_up_at_most").number.value(), most);
        const QJsonObject kernel =
            parsed(to_projection_json(run.view(), roofs))["devices"][0]["kernels"][0].toObject();
        QVERIFY(kernel["there"]["speed_of_light_s"].isNull());
        QCOMPARE(kernel["there"]["at_least_s"].toDouble(), 1.2e9 / 7.7e12);
        QCOMPARE(kernel["there"]["at_least_by"].toString(), QString("HBM"));
        QCOMPARE(kernel["there"]["at_least_by_id"].toString(), QString("hbm/dram-rw"));
        QCOMPARE(kernel["speed_up_at_most"].toDouble(), most);
    }
};

}  // namespace tst_comparison_export

ROOFWALK_TEST(tst_comparison_export, TestComparisonExport, NoApplication)
#include "tst_comparison_export.moc"

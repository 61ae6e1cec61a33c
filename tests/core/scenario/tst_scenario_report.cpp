// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario_report.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <algorithm>

#include "core/import/open_profile.h"
#include "core/scenario/move_words.h"
#include "tests/core/roofline/profiles.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/support/samples.h"
#include "tests/support/schema.h"

namespace tst_scenario_report {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr MemoryLevel hbm = MemoryLevel::hbm;

/// Two kernels of 4 ms, both bound by HBM at half of their roofs, and one without a time.
struct Walk {
    Walk() {
        profile = profile_of(
            machine({compute_ceiling(fp32, 1e14)}, {bandwidth_ceiling(Boundary::hbm_dram_rw, 1e12)}),
            {launch(4e-3, {{fp32, 1e9}}, {{Boundary::hbm_dram_rw, 2e9}}),
             launch(4e-3, {{fp32, 1e9}}, {{Boundary::hbm_dram_rw, 2e9}}),
             launch({}, {{fp32, 1e9}}, {{Boundary::hbm_dram_rw, 2e9}})});
        AnalysisOptions options;
        options.group_by = GroupBy::launch;
        options.thresholds.latency = 0.4;  // half of their roofs is what limits them here
        analysis = analyse(profile, options);
        scenario.name = "Walk";
        for (const double factor : {0.5, 0.25}) {
            Move& move = scenario.moves.emplace_back();
            move.kernel = key_of(profile, analysis, analysis.points[1]);
            move.name = "less";
            move.bytes[hbm] = factor;
        }
        scenario.moves.push_back(scenario.moves[0]);
        scenario.moves[2].on = false;
        scenario.moves.push_back(scenario.moves[0]);
        scenario.moves[3].kernel.name = "gone";
        scenario.moves[3].assumption = "it is there";
        effect = effect_of(scenario, profile, analysis);
    }

    [[nodiscard]] const ReportCell& cell(std::size_t row, std::string_view column) const {
        const auto it = std::ranges::find(table.columns, column, &ReportColumn::id);
        return table.rows.at(row).at(static_cast<std::size_t>(it - table.columns.begin()));
    }

    /// The number with the unit of its column.
    [[nodiscard]] std::string shown(std::size_t row, std::string_view column) const {
        return cell(row, column).text + " " +
               std::ranges::find(table.columns, column, &ReportColumn::id)->shown_unit;
    }

    Profile profile;
    Analysis analysis;
    Scenario scenario;
    ScenarioEffect effect;
    ReportTable table;
};

QStringList required(const QJsonValue& schema) {
    QStringList names;
    for (const QJsonValue& name : schema["required"].toArray())
        names.append(name.toString());
    names.sort();
    return names;
}

}  // namespace

class TestScenarioReport : public QObject {
    Q_OBJECT

  private slots:
    void the_sentence_tells_times_and_what_is_left_out() {
        const Walk walk;
        QCOMPARE(
            scenario_sentence(walk.scenario, walk.effect),
            std::string("Scenario \"Walk\": 2 of 4 moves made. The program takes 4.50 ms instead of 8.00 "
                        "ms (1.78x faster); 1 of 3 rows has no time and is left out."));
        QCOMPARE(scenario_sentence({}, {}),
                 std::string("Scenario: 0 moves made. The time of the program is not known."));
    }
    // Its throughput was sampled in another pass, or its time is in doubt.
    void the_sentence_marks_a_share_as_its_row_does() {
        const auto path = sample("2024.3.2_rtx4080s");
        if (path.empty()) QSKIP("samples are not beside this checkout");
        Walk walk;
        walk.profile = open_profile(path).value();
        walk.analysis = analyse(walk.profile, {});
        Move halved;
        halved.bytes = {0.5, 0.5, 1, 1};
        halved.kernel = key_of(walk.profile, walk.analysis, walk.analysis.points.at(0));
        walk.scenario.moves = {halved};
        walk.effect = effect_of(walk.scenario, walk.profile, walk.analysis);
        walk.table = scenario_table(walk.scenario, walk.analysis, walk.effect);
        const std::string sentence = scenario_sentence(walk.scenario, walk.effect);
        QVERIFY2(sentence.find(", at " + walk.cell(1, "share_of_limit").text + ".") != std::string::npos,
                 sentence.c_str());
    }
    void the_sentence_tells_of_moves_that_change_nothing() {
        Walk walk;
        const auto told = [&] {
            walk.effect = effect_of(walk.scenario, walk.profile, walk.analysis);
            return QString::fromStdString(scenario_sentence(walk.scenario, walk.effect));
        };
        walk.scenario.moves[0].bytes[hbm] = 1;
        // The bytes of L2 were never measured: there are none to take.
        walk.scenario.moves[1].bytes = {1, 0.5, 1, 1};
        QVERIFY2(told().contains("moves made, 2 of which change nothing. "), qPrintable(told()));
        QVERIFY(state_of(scenario_rows(walk.scenario, walk.effect)[1]).ends_with("changes nothing"));
        walk.scenario.moves.front().work = 0.5;
        QVERIFY2(told().contains("moves made, 1 of which changes nothing. "), qPrintable(told()));
        walk.scenario.moves.erase(walk.scenario.moves.begin());
        QVERIFY2(told().contains("1 of 3 moves made, which changes nothing. "), qPrintable(told()));
    }
    void the_table_walks_down_the_steps() {
        Walk walk;
        walk.table = scenario_table(walk.scenario, walk.analysis, walk.effect);
        QCOMPARE(walk.table.rows.size(), std::size_t{5});
        for (const auto& row : walk.table.rows)
            QCOMPARE(row.size(), walk.table.columns.size());
        QCOMPARE(walk.shown(0, "program_time"), std::string("8.00 ms"));
        QCOMPARE(walk.shown(0, "program_hbm_bytes"), std::string("6.00 GB"));
        QCOMPARE(walk.shown(1, "time_before"), std::string("4.00 ms"));
        QCOMPARE(walk.shown(1, "time"), std::string("2.00 ms"));
        QCOMPARE(walk.shown(1, "program_saved"), std::string("2.00 ms"));
        QCOMPARE(walk.shown(2, "time_before"), std::string("2.00 ms"));
        QCOMPARE(walk.shown(2, "program_time"), std::string("4.50 ms"));
        QCOMPARE(walk.shown(2, "program_saved"), std::string("1.50 ms"));
        QCOMPARE(walk.shown(2, "hbm_bytes"), std::string("0.250 GB"));
        QCOMPARE(walk.cell(2, "binding_ceiling").text, std::string("DRAM"));
        QCOMPARE(walk.cell(2, "share_of_limit").text, std::string("50.0 %"));
        QCOMPARE(walk.cell(2, "l2_bytes").text, std::string("not measured"));
        QVERIFY(!walk.cell(2, "l2_bytes").known);
        QCOMPARE(walk.cell(2, "state").text, std::string("made"));
        QCOMPARE(walk.cell(3, "state").text, std::string("off"));
        QCOMPARE(walk.cell(4, "state").text, std::string("not made: the report has no kernel of this name"));
        QCOMPARE(walk.cell(4, "program_time").text, std::string("–"));
        QCOMPARE(walk.cell(4, "assumption").text, std::string("it is there"));
    }
    void the_json_has_exactly_the_fields_of_its_schema() {
        const Walk walk;
        const std::string text = to_scenario_report_json(walk.scenario, walk.analysis, walk.effect);
        QCOMPARE(against_schema(text), std::string());
        const QJsonObject written = QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
        QFile file(QString::fromStdString(
            (data_folder() / ".." / ".." / "resources" / "schema" / "scenario-report.schema.json").string()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject schema = QJsonDocument::fromJson(file.readAll()).object();
        QCOMPARE(written.keys(), required(schema));
        const QJsonObject made = written["moves"][1].toObject();
        QCOMPARE(made.keys(), schema["$defs"]["move"]["properties"].toObject().keys());
        QCOMPARE(written["moves"][3].toObject().keys(), required(schema["$defs"]["move"]));
        QCOMPARE(made["after"].toObject().keys(), required(schema["$defs"]["state"]));
        QCOMPARE(made["program"].toObject().keys(), required(schema["$defs"]["totals"]));
    }
    void the_json_holds_the_numbers() {
        const Walk walk;
        const QJsonObject written = QJsonDocument::fromJson(QByteArray::fromStdString(to_scenario_report_json(
                                                                walk.scenario, walk.analysis, walk.effect)))
                                        .object();
        QCOMPARE(written["before"]["time_s"].toDouble(), 8e-3);
        QCOMPARE(written["speed_up"].toDouble(), 8.0 / 4.5);
        QCOMPARE(written["rows_without_time"].toInt(), 1);
        QVERIFY(written["after"]["bytes"]["l2"].isNull());
        const QJsonObject second = written["moves"][1].toObject();
        QCOMPARE(second["before"]["bytes"]["hbm"].toDouble(), 1e9);
        QCOMPARE(second["after"]["vertical_gap"].toDouble(), 2.0);
        QCOMPARE(second["program"]["time_s"].toDouble(), 4.5e-3);
        QCOMPARE(written["moves"][2]["made"].toBool(), false);
        QCOMPARE(written["moves"][2]["why_not"].toString(), QString("off"));
    }
};

}  // namespace tst_scenario_report

ROOFWALK_TEST(tst_scenario_report, TestScenarioReport, NoApplication)
#include "tst_scenario_report.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <set>

#include "core/advice/rule.h"
#include "core/operations/op_binding.h"
#include "core/report/advice_report.h"
#include "tests/core/advice/kernels.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/support/samples.h"
#include "tests/support/schema.h"

namespace tst_advice_report {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

QJsonObject published() {
    const auto path = data_folder() / ".." / ".." / "resources" / "schema" / "advice.schema.json";
    QFile file(QString::fromStdString(path.string()));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QJsonDocument::fromJson(file.readAll()).object();
}

/// A kernel below the memory roof of which one cause is indicated, one ruled out and others not measured.
Profile gather() {
    Profile profile = with_metrics(far_below_memory_roof(),
                                   {{"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio", 8},
                                    {"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio", 32},
                                    {"sm__warps_active.avg.pct_of_peak_sustained_active", 90},
                                    {"launch__waves_per_multiprocessor", 0.5}});
    profile.kernels[0].name = "evil<\"*`\x1b[31m`*\">(int)";
    return profile;
}

AdviceReport report_on(const Profile& profile, const Analysis& analysis) {
    return advise_ranked(profile, analysis, {}, 0);
}

std::string written_text() {
    const Profile profile = gather();
    const Analysis analysis = analyse(profile, {});
    return to_json(report_on(profile, analysis), profile, analysis);
}

QJsonObject written() {
    const std::string text = written_text();
    return QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
}

QStringList fields_of(const QJsonObject& schema, const char* name) {
    return schema["$defs"][name]["properties"].toObject().keys();
}

std::set<QString> texts_of(const QJsonValue& list) {
    std::set<QString> texts;
    for (const auto& text : list.toArray())
        texts.insert(text.toString());
    return texts;
}

}  // namespace

class TestAdviceReport : public QObject {
    Q_OBJECT

  private slots:
    void a_kernel_above_its_roof_is_told_why() {
        Profile profile = gather();
        profile.launches[0].duration = *profile.launches[0].duration * 1e-3;
        const Analysis analysis = analyse(profile, {});
        QCOMPARE(analysis.points.at(0).verdict.kernel_class, KernelClass::above_roof);
        const AdviceReport report = report_on(profile, analysis);
        QVERIFY(!report.kernels.at(0).above_roof.empty());
        const auto json =
            QJsonDocument::fromJson(QByteArray::fromStdString(to_json(report, profile, analysis)));
        QCOMPARE(json["kernels"][0]["above_roof"].toArray().size(),
                 static_cast<qsizetype>(report.kernels[0].above_roof.size()));
    }
    void the_json_fits_its_schema() { QCOMPARE(test::against_schema(written_text()), std::string()); }
    void json_has_exactly_the_fields_of_its_schema() {
        const QJsonObject schema = published();
        const QJsonObject json = written();
        QCOMPARE(json.keys(), schema["properties"].toObject().keys());
        QCOMPARE(json["thresholds"].toObject().keys(),
                 schema["properties"]["thresholds"]["properties"].toObject().keys());
        const QJsonObject kernel = json["kernels"][0].toObject();
        QCOMPARE(kernel.keys(), fields_of(schema, "kernel"));
        QCOMPARE(kernel["position"].toObject().keys(), fields_of(schema, "position"));
        QCOMPARE(kernel["position"]["primary_worth"].toObject().keys(), fields_of(schema, "step_worth"));
        QCOMPARE(kernel["levels"].toObject().keys(), fields_of(schema, "levels"));
        QCOMPARE(kernel["levels"]["reuse"][0].toObject().keys(), fields_of(schema, "reuse"));
        QCOMPARE(kernel["questions"][0].toObject().keys(), fields_of(schema, "answer"));
        QCOMPARE(kernel["questions"][0]["figures"][0].toObject().keys(), fields_of(schema, "figure"));
        const QJsonObject advice = kernel["indicated"][0].toObject();
        QCOMPARE(advice.keys(), fields_of(schema, "advice"));
        QCOMPARE(advice["evidence"][0].toObject().keys(), fields_of(schema, "evidence"));
        QCOMPARE(advice["worth"].toObject().keys(), fields_of(schema, "worth"));
        QCOMPARE(kernel["not_measured"][0]["missing"][0].toObject().keys(), fields_of(schema, "missing"));
    }
    void the_schema_lists_every_rule_position_and_class() {
        const QJsonObject schema = published();
        std::set<QString> rules;
        for (const auto list : {latency_rules(), compute_rules(), traffic_rules(), validity_rules()})
            for (const AdviceRule& rule : list)
                rules.insert(QString::fromStdString(std::string(rule.id)));
        QCOMPARE(texts_of(schema["$defs"]["advice"]["properties"]["rule"]["enum"]), rules);
        std::set<QString> positions;
        for (const RoofPosition position : enumerators<RoofPosition>)
            positions.insert(QString::fromStdString(std::string(id_of(position))));
        QCOMPARE(texts_of(schema["$defs"]["position"]["properties"]["id"]["enum"]), positions);
        QCOMPARE(texts_of(schema["$defs"]["kernel"]["properties"]["class"]["enum"]).size(),
                 enum_size<KernelClass>);
    }
    void json_holds_the_numbers() {
        const QJsonObject kernel = written()["kernels"][0].toObject();
        QCOMPARE(kernel["class"].toString(), QString("latency_bound"));
        QCOMPARE(kernel["position"]["id"].toString(), QString("below_both"));
        QCOMPARE(kernel["indicated"][0]["rule"].toString(), QString("uncoalesced_access"));
        QCOMPARE(kernel["indicated"][0]["evidence"][0]["value"].toDouble(), 8.0);
        QCOMPARE(kernel["indicated"][0]["worth"]["factor"].toDouble(), 4.0);
        QCOMPARE(kernel["ruled_out"][0]["rule"].toString(), QString("low_occupancy"));
        QCOMPARE(kernel["warnings"][0]["rule"].toString(), QString("less_than_one_wave"));
        QVERIFY(kernel["collect"].toString().startsWith("--section SourceCounters --section WarpStateStats"));
        // 0.3 s of HBM in 1 s, with the same bytes and instructions.
        QCOMPARE(kernel["position"]["primary_worth"]["time_s"].toDouble(), 0.7);
        QVERIFY(!kernel["position"]["primary_worth"]["at_stake"].toBool());
    }
    void text_breaks_its_lines_at_the_width() {
        const Profile profile = gather();
        const Analysis analysis = analyse(profile, {});
        const AdviceReport report = report_on(profile, analysis);
        for (const int width : {60, 100}) {
            const QString text =
                QString::fromStdString(to_text(report, analysis, static_cast<std::size_t>(width)));
            for (const QString& line : text.split('\n'))
                QVERIFY2(line.size() <= width || !line.trimmed().contains(' ') || line.contains("__") ||
                             line.startsWith("  ncu "),
                         qPrintable(line));
        }
        QCOMPARE(to_text(report, analysis, 0), to_text(report, analysis, 400));
    }
    void a_damaged_file_is_told_before_the_sum() {
        Profile profile = gather();
        profile.sources.resize(1);
        profile.sources.front().path = "cut.json";
        profile.sources.front().format = SourceFormat::roofwalk_json;
        profile.sources.front().partial = true;
        const Analysis analysis = analyse(profile, {});
        const AdviceReport report = report_on(profile, analysis);
        const std::string told = "cut.json is incomplete; kernels and their time may be missing.";
        const std::string text = to_text(report, analysis, 0);
        QVERIFY2(text.starts_with(told + "\nAt most "), text.c_str());
        QVERIFY(to_markdown(report, analysis).starts_with("# Advice\n\n" + told + "\n\nAt most "));
        QVERIFY(to_json(report, profile, analysis).find("\"partial\":\"" + told) != std::string::npos);
        profile.sources.front().partial = false;
        QVERIFY(report_on(profile, analysis).partial.empty());
    }
    void nothing_in_a_name_acts() {
        const Profile profile = gather();
        const Analysis analysis = analyse(profile, {});
        const AdviceReport report = report_on(profile, analysis);
        QVERIFY(to_text(report, analysis, 0).find('\x1b') == std::string::npos);
        const std::string markdown = to_markdown(report, analysis);
        QVERIFY(markdown.find("## evil\\<") != std::string::npos);
        QVERIFY(markdown.find('\x1b') == std::string::npos);
    }
    void an_operation_is_told_with_what_is_assumed_of_it() {
        Profile profile = gather();
        profile.launches[0].algorithm = profile.texts.intern("copy n=1000");
        AnalysisOptions options;
        options.launch_operations = std::make_shared<const LaunchOperations>(bind_operations(profile, {}));
        const Analysis analysis = analyse(profile, options);
        const AdviceReport report = report_on(profile, analysis);
        QVERIFY(to_text(report, analysis, 0).find("dtype=fp32 is assumed") != std::string::npos);
        QVERIFY(to_json(report, profile, analysis).find("dtype=fp32 is assumed") != std::string::npos);
    }
    void the_longest_come_first_and_no_more_than_asked_for() {
        AnalysisOptions by_launch;
        by_launch.group_by = GroupBy::launch;
        Launch longer = at_memory_roof();
        longer.duration = Seconds(5);
        const Profile profile = profile_of(round_machine(), {at_memory_roof(), longer, below_memory_roof()});
        const Analysis analysis = analyse(profile, by_launch);
        QCOMPARE(advise_ranked(profile, analysis, {}, 0).kernels.size(), std::size_t{3});
        const AdviceReport one = advise_ranked(profile, analysis, {}, 1);
        QCOMPARE(one.kernels.size(), std::size_t{1});
        QCOMPARE(one.kernels[0].point, 1U);
    }
    void there_is_one_command_and_it_can_be_run() {
        const Profile profile = gather();
        const Analysis analysis = analyse(profile, {});
        const AdviceReport report = report_on(profile, analysis);
        QVERIFY(report.collect.before.empty());
        QVERIFY(report.collect.command.starts_with("ncu --set full "));
        QVERIFY(report.collect.command.ends_with(" -o roofwalk_report ./your_program"));
        for (const std::string& text : {to_text(report, analysis, 60), to_markdown(report, analysis)}) {
            QCOMPARE(QString::fromStdString(text).count("ncu --"), 1);
            QVERIFY(text.find("  " + report.collect.command + "\n") != std::string::npos);
        }
    }
    void figures_of_a_model_are_told_once_and_not_to_be_profiled() {
        const auto modelled = [](Launch launch) {
            for (auto& traffic : launch.traffic)
                traffic.origin = Origin::modelled;
            for (auto& work : launch.work)
                work.origin = Origin::modelled;
            return launch;
        };
        AnalysisOptions by_launch;
        by_launch.group_by = GroupBy::launch;
        const Profile profile = profile_of(
            round_machine(), {modelled(below_memory_roof()), modelled(at_memory_roof()), at_compute_roof()});
        const Analysis analysis = analyse(profile, by_launch);
        const AdviceReport report = report_on(profile, analysis);
        const QString text = QString::fromStdString(to_text(report, analysis, 0)).simplified();
        QCOMPARE(text.count("no exact counts"), 1);
        QVERIFY(text.contains("of kernel 1, 2 that are no exact counts"));
        QVERIFY(text.contains("DRAM (modelled), L2 (modelled), SMEM (modelled), FP32 (modelled)"));
        QCOMPARE(ids_of(report.kernels[0].advice.not_measured), std::string("more_bytes"));

        const Profile only = profile_of(round_machine(), {modelled(below_memory_roof())});
        QVERIFY(report_on(only, analyse(only, {})).collect.command.empty());
    }
    void a_session_without_kernels_says_so() {
        const Profile profile = profile_of(round_machine(), {});
        const Analysis analysis = analyse(profile, {});
        const AdviceReport report = report_on(profile, analysis);
        QCOMPARE(to_text(report, analysis, 0), std::string("No kernels.\n"));
        QCOMPARE(to_markdown(report, analysis), std::string("# Advice\n\nNo kernels.\n"));
    }
};

}  // namespace tst_advice_report

ROOFWALK_TEST(tst_advice_report, TestAdviceReport, NoApplication)
#include "tst_advice_report.moc"

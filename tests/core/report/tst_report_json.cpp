// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <map>

#include "core/report/report_table.h"
#include "core/roofline/summary.h"
#include "tests/core/report/report_fixture.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_report_json {

using namespace roofwalk;

namespace {

std::string report_text(const Profile& profile, const AnalysisOptions& options = {}) {
    return to_report_json(profile, analyse(profile, options));
}

QJsonObject report_of(const Profile& profile, const AnalysisOptions& options = {}) {
    QJsonParseError error;
    const auto document =
        QJsonDocument::fromJson(QByteArray::fromStdString(report_text(profile, options)), &error);
    if (error.error != QJsonParseError::NoError) qWarning("%s", qPrintable(error.errorString()));
    return document.object();
}

}  // namespace

class TestReportJson : public QObject {
    Q_OBJECT

  private slots:
    void numbers_are_those_of_the_exercise() {
        const QJsonObject report = report_of(test::saxpy_profile());
        QCOMPARE(report["format"].toString(), QString("roofwalk-report"));
        QCOMPARE(report["version"].toInt(), 1);
        const QJsonObject saxpy = report["points"][0].toObject();
        QCOMPARE(saxpy["time_s"].toDouble(), 2e-3);
        QCOMPARE(saxpy["levels"]["hbm"]["intensity"].toDouble(), 1.0 / 6);
        QCOMPARE(saxpy["levels"]["hbm"]["bound_s"].toDouble(), 1.5e-3);
        QCOMPARE(saxpy["vertical_gap"]["factor"].toDouble(), 4.0 / 3);
        QCOMPARE(saxpy["binding"]["boundary"].toString(), QString("hbm/dram-rw"));
        QCOMPARE(saxpy["side"].toString(), QString("memory"));
        QCOMPARE(saxpy["placement"].toString(), QString("chart"));
    }

    void every_point_says_its_kind() {
        Profile profile = test::saxpy_profile();
        profile.launches[0].kind = LaunchKind::graph;
        AnalysisOptions options;
        options.group_by = GroupBy::launch;
        std::map<QString, int> kinds;
        for (const QJsonValue& point : report_of(profile, options)["points"].toArray())
            ++kinds[point["kind"].toString()];
        QCOMPARE(kinds["graph"], 1);
        QCOMPARE(kinds["kernel"], static_cast<int>(profile.launches.size()) - 1);
    }

    void what_was_not_measured_is_null() {
        const QJsonObject report = report_of(test::saxpy_profile());
        const QJsonObject saxpy = report["points"][0].toObject();
        QVERIFY(saxpy["levels"]["l2"].isNull());
        QCOMPARE(saxpy["levels"]["smem"]["bytes"].toDouble(-1), 0.0);
        QVERIFY(saxpy["levels"]["smem"]["intensity"].isNull());
        const QJsonObject failed = report["points"][2].toObject();
        QVERIFY(failed["time_s"].isNull() && failed["work"].isNull() && failed["vertical_gap"].isNull());
        QCOMPARE(failed["failed"].toInt(), 1);
    }

    void figures_of_some_launches_come_with_these_and_their_time() {
        Profile profile = test::saxpy_profile();
        profile.warnings.clear();
        Launch timed;
        timed.kernel = profile.launches[1].kernel;
        timed.duration = Seconds(6e-3);
        profile.launches.push_back(timed);
        const QJsonObject saxpy = report_of(profile, {})["points"][0].toObject();
        QCOMPARE(saxpy["launches"].toInt(), 2);
        QCOMPARE(saxpy["known_launches"].toInt(), 1);
        QCOMPARE(saxpy["time_s"].toDouble(), 8e-3);
        QCOMPARE(saxpy["known_time_s"].toDouble(), 2e-3);
        QCOMPARE(saxpy["performance"].toDouble(), 1e11);  // 0.2 GFLOP in 2 ms
        const QJsonObject awkward = report_of(profile, {})["points"][1].toObject();
        QCOMPARE(awkward["known_launches"].toInt(), 1);
        QCOMPARE(awkward["known_time_s"].toDouble(), 1e-3);
    }
    void a_launch_is_told_from_the_next() {
        Profile profile = test::saxpy_profile();
        profile.nvtx_stacks.push_back({"step", "forward"});
        profile.launches[1].nvtx = static_cast<NvtxIndex>(1);
        profile.launches[1].stream = 7;
        AnalysisOptions options;
        options.group_by = GroupBy::launch;
        const QJsonObject saxpy = report_of(profile, options)["points"][0].toObject();
        QCOMPARE(saxpy["launch"].toInt(-1), 1);
        QCOMPARE(saxpy["grid"].toArray(), (QJsonArray{1000, 1, 1}));
        QCOMPARE(saxpy["block"].toArray(), (QJsonArray{256, 1, 1}));
        QCOMPARE(saxpy["nvtx"].toString(), QString("step / forward"));
        QCOMPARE(saxpy["stream"].toInt(), 7);
        const QJsonObject unknown = report_of(profile, options)["points"][1].toObject();
        QCOMPARE(unknown["launch"].toInt(-1), 0);
        for (const char* member : {"grid", "block", "nvtx", "stream"})
            QVERIFY(unknown.contains(member) && unknown[member].isNull());
    }

    void of_launches_in_one_row_only_what_they_share_is_told() {
        Profile profile = test::saxpy_profile();
        profile.launches.push_back(profile.launches[1]);
        profile.launches.back().block = {128, 1, 1};
        const QJsonObject saxpy = report_of(profile)["points"][0].toObject();
        QVERIFY(saxpy["launch"].isNull() && saxpy["block"].isNull());
        QCOMPARE(saxpy["grid"].toArray(), (QJsonArray{1000, 1, 1}));
    }

    void without_a_time_no_share_of_it_is_told() {
        Profile profile = test::saxpy_profile();
        for (Launch& launch : profile.launches)
            launch.duration.reset();
        const QJsonObject summary = report_of(profile)["summary"].toObject();
        QVERIFY(summary[QString("time_s")].isNull());
        for (const char* list : {"classes", "sides", "reports"}) {
            const QJsonArray shares = summary[QString(list)].toArray();
            QVERIFY(!shares.isEmpty());
            for (const auto& share : shares)
                QVERIFY(share.toObject()[QString("share_of_time")].isNull());
        }
    }
    void of_a_report_both_ends_of_what_can_be_recovered_are_told() {
        const Profile profile = test::saxpy_profile();
        const Gain gain = *report_shares(analyse(profile, {})).at(0).recoverable;
        const QJsonValue report = report_of(profile)["summary"].toObject()[QString("reports")][0];
        QCOMPARE(report[QString("recoverable_time_s")].toDouble(), gain.same.value());
        QCOMPARE(report[QString("recoverable_most_s")].toDouble(), gain.most.value());
    }
    void recoverable_time_names_its_limit() {
        Profile profile = test::saxpy_profile();
        profile.warnings.clear();  // its counters contradict
        QCOMPARE(report_of(profile)["points"][0]["recoverable_limit"]["boundary"].toString(),
                 QString("hbm/dram-rw"));
        profile.launches[1].metrics.push_back({profile.texts.intern(metric_of(HardwareUnit::sm)), 90});
        const QJsonObject saxpy = report_of(profile)["points"][1].toObject();  // the other loses more now
        QCOMPARE(saxpy["recoverable_limit"]["unit"].toString(), QString("sm"));
        QVERIFY(qFuzzyCompare(saxpy["recoverable_time_s"].toDouble(), 2e-3 * (1 - 0.9)));
        QCOMPARE(saxpy["vertical_gap"]["efficiency"].toDouble(), 0.75);
        // What binds is the unit, in every place, and the roof stands beside it.
        QCOMPARE(saxpy["binding"].toObject(), saxpy["recoverable_limit"].toObject());
        QCOMPARE(saxpy["share_of_limit"].toDouble(), 0.9);
        QCOMPARE(saxpy["roof"]["boundary"].toString(), QString("hbm/dram-rw"));
        QCOMPARE(saxpy["roof"]["share"].toDouble(), 0.75);
        QVERIFY(saxpy["hbm_bytes_at_least"].isNull());
    }

    void what_nothing_looked_at_is_no_lower_bound() {
        Profile profile = test::saxpy_profile();
        QVERIFY(report_of(profile)["points"][0]["unchecked_work"].toArray().isEmpty());
        profile.launches[1].unchecked = {.fp64 = true, .tensor = true};
        const QJsonObject saxpy = report_of(profile)["points"][0].toObject();
        QCOMPARE(saxpy["unchecked_work"].toArray(), (QJsonArray{"fp64", "tensor"}));
        QVERIFY(saxpy["uncounted_work"].toArray().isEmpty());
        QVERIFY(saxpy["vertical_gap"].isObject());
    }

    void lower_bounds_are_numbers_without_a_gap() {
        Profile profile = test::saxpy_profile();
        QVERIFY(report_of(profile)["points"][0]["uncounted_work"].toArray().isEmpty());
        profile.launches[1].uncounted = {.packed_fp32 = true, .fp16 = true, .tensor = false};
        const QJsonObject saxpy = report_of(profile)["points"][0].toObject();
        QCOMPARE(saxpy["uncounted_work"].toArray(), (QJsonArray{"packed_fp32", "fp16"}));
        QCOMPARE(saxpy["work"].toDouble(), 2e8);
        QCOMPARE(saxpy["class"].toString(), QString("memory_bound"));
        QCOMPARE(saxpy["nearest_limit"]["boundary"].toString(), QString("hbm/dram-rw"));
        QCOMPARE(saxpy["nearest_limit"]["share"].toDouble(), 0.75);
        QCOMPARE(saxpy["levels"]["hbm"]["bound_s"].toDouble(), 1.5e-3);
        QVERIFY(saxpy["binding"].isNull() && saxpy["vertical_gap"].isNull());
    }

    void typed_ceilings_stand_beside_the_name_of_their_device() {
        const Profile profile = test::saxpy_profile();
        AnalysisOptions options;
        const std::string device = profile.devices.front().name;
        options.overrides[device].bandwidth = {{Boundary::hbm_dram_rw, ByteRate(5e12), {}}};
        const QJsonObject typed = report_of(profile, options).value("options")["overrides"].toObject();
        QCOMPARE(typed.keys(), QStringList{QString::fromStdString(device)});
        QVERIFY(report_of(profile).value("options")["overrides"].toObject().isEmpty());
    }

    void every_ceiling_says_where_it_comes_from() {
        const QJsonObject report = report_of(test::saxpy_profile());
        const int set = report["points"][0]["ceiling_set"].toInt(-1);
        const QJsonArray ceilings = report["ceiling_sets"][set].toArray();
        QVERIFY(!ceilings.isEmpty());
        for (const QJsonValue ceiling : ceilings) {
            QVERIFY(ceiling["rate"].toDouble() > 0);
            QVERIFY(!ceiling["provenance"]["source"].toString().isEmpty());
        }
    }

    void options_and_warnings_are_kept() {
        const QJsonObject report = report_of(test::saxpy_profile());
        QCOMPARE(report["options"]["levels"]["l2"]["boundary"].toString(), QString("l2/sm-sectors"));
        QCOMPARE(report["options"]["practical"]["bandwidth"].toDouble(), 0.88);
        QCOMPARE(report["options"]["practical"]["little_room"].toDouble(), 0.75);
        QVERIFY(report["points"][0]["practical_band"].isNull());  // its counters contradict each other
        const QJsonObject warning = report["warnings"][0].toObject();
        QCOMPARE(warning["code"].toString(), QString("contradiction"));
        QCOMPARE(warning["where"].toString(), QString("run.json, launch 1"));
        QCOMPARE(warning["launches"].toArray(), QJsonArray({1}));
    }

    void folders_are_left_out() {
        const std::string text = report_text(test::saxpy_profile());
        QCOMPARE(text.find("jane"), std::string::npos);
        QVERIFY(text.find("run.json") != std::string::npos);
    }

    void the_same_analysis_gives_the_same_bytes() {
        QCOMPARE(report_text(test::saxpy_profile()), report_text(test::saxpy_profile()));
    }
};

}  // namespace tst_report_json

ROOFWALK_TEST(tst_report_json, TestReportJson, NoApplication)
#include "tst_report_json.moc"

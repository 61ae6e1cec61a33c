// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/advice/thresholds.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_thresholds {

using namespace roofwalk;

class TestThresholds : public QObject {
    Q_OBJECT

  private slots:
    void every_threshold_has_a_name_and_starts_in_its_range() {
        const AdviceThresholds defaults;
        QCOMPARE(advice_threshold_specs().size(), sizeof(AdviceThresholds) / sizeof(double));
        for (const ThresholdSpec& spec : advice_threshold_specs())
            QVERIFY2(defaults.*(spec.member) > 0 && defaults.*(spec.member) <= spec.highest, spec.id.data());
    }
    void json_sets_every_threshold() {
        AdviceThresholds changed;
        QString json;
        for (const ThresholdSpec& spec : advice_threshold_specs()) {
            changed.*(spec.member) /= 4;
            json += QString(R"(%1"%2":%3)").arg(json.isEmpty() ? "{" : ",", spec.id.data());
            json = json.arg(changed.*(spec.member), 0, 'g', 17);
        }
        QVERIFY(changed != AdviceThresholds{});
        const auto read = thresholds_from_json((json + "}").toStdString());
        QVERIFY(read.has_value());
        QVERIFY(*read == changed);
    }
    void what_json_leaves_out_stays() {
        AdviceThresholds base;
        base.waves = 2;
        const auto read = thresholds_from_json(R"({"occupancy": 0.25})", base);
        QVERIFY(read.has_value());
        QCOMPARE(read->occupancy, 0.25);
        QCOMPARE(read->waves, 2.0);
        QCOMPARE(read->tensor_use, 0.8);
    }
    void json_that_is_wrong_is_told_data() {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("what");
        QTest::newRow("not JSON") << "{"
                                  << "not JSON";
        QTest::newRow("a list") << "[1]"
                                << "object is expected";
        QTest::newRow("unknown") << R"({"ocupancy": 0.4})"
                                 << "no threshold 'ocupancy'";
        QTest::newRow("no number") << R"({"occupancy": "a lot"})"
                                   << "t.json, occupancy";
        QTest::newRow("too large") << R"({"occupancy": 50})"
                                   << "occupancy is 50";
        QTest::newRow("twice") << R"({"waves": 1, "waves": 2})"
                               << "t.json, waves";
        QTest::newRow("null") << R"({"waves": 1, "occupancy": null})"
                              << "occupancy is null";
        QTest::newRow("unknown null") << R"({"ocupancy": null})"
                                      << "no threshold 'ocupancy'";
        QTest::newRow("two unknown") << R"({"ocupancy": 1, "active": 1})"
                                     << "no threshold 'ocupancy'";
        QTest::newRow("negative") << R"({"waves": -1})"
                                  << "t.json, waves";
    }
    void json_that_is_wrong_is_told() {
        QFETCH(QString, json);
        QFETCH(QString, what);
        const auto read = thresholds_from_json(json.toStdString(), {}, "t.json");
        QVERIFY(!read);
        const std::string told = read.error().what + "; " + read.error().where;
        QVERIFY2(told.find(what.toStdString()) != std::string::npos, told.c_str());
        QVERIFY(read.error().where.starts_with("t.json"));
        QVERIFY(read.error().code == ErrorCode::bad_json || read.error().code == ErrorCode::bad_schema);
    }
    void an_assignment_sets_one_threshold() {
        AdviceThresholds thresholds;
        QVERIFY(set_threshold(thresholds, "shortest_time=5e-6").has_value());
        QCOMPARE(thresholds.shortest_time, 5e-6);
        const auto misspelt = set_threshold(thresholds, "ocupancy=0.4");
        QVERIFY(!misspelt);
        QCOMPARE(misspelt.error().hint, std::string("Did you mean occupancy?"));
        for (const char* none :
             {"occupancy", "occupancy=", "occupancy=x", "occupancy=nan", "occupancy=0.4x", "=1"})
            QVERIFY2(!set_threshold(thresholds, none), none);
        QCOMPARE(thresholds.occupancy, 0.5);
    }
};

}  // namespace tst_thresholds

ROOFWALK_TEST(tst_thresholds, TestThresholds, NoApplication)
#include "tst_thresholds.moc"

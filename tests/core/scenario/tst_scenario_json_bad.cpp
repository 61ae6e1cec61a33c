// SPDX-License-Identifier: GPL-3.0-or-later
// Scenarios that cannot be: each with its place and what to do.
#include <QTest>

#include "core/scenario/scenario_json.h"
#include "tests/support/qt_strings.h"

using namespace roofwalk;

class TestScenarioJsonBad : public QObject {
    Q_OBJECT

  private slots:
    void bad_scenarios_say_what_and_where_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("where");
        const auto row = [](const char* name, const char* text, ErrorCode code, const char* what,
                            const char* where) {
            QTest::newRow(name) << QString(text) << static_cast<int>(code) << QString(what) << QString(where);
        };
        const auto bad = ErrorCode::bad_schema;
        row("empty", "", ErrorCode::bad_json, "not JSON", "s.json, line 1");
        row("comma", "{\"moves\":[\n{\"kernel\":\"a\"}\n{\"kernel\":\"b\"}]}", ErrorCode::bad_json,
            "not JSON", "s.json, line 3");
        row("cut off", "{\"moves\":[\n{\"kernel\":", ErrorCode::bad_json, "not JSON", "s.json, line 2");
        row("list", "[]", bad, "An object is expected", "s.json");
        row("other", R"({"name":"x"})", bad, "no scenario", "s.json");
        row("profile", R"({"format":"roofwalk-profile","moves":[]})", bad, "no scenario", "s.json");
        row("version", R"({"version":2,"moves":[]})", ErrorCode::unsupported_version, "version",
            "s.json, version");
        row("twice", R"({"moves":[],"moves":[]})", bad, "occurs twice", "s.json, moves");
        row("moves", R"({"moves":{}})", bad, "An array is expected", "s.json, moves");
        row("kernel", R"({"moves":[{"name":"x"}]})", bad, "which kernel", "s.json, moves[0]");
        row("kernel number", R"({"moves":[{"kernel":1}]})", bad, "A text is expected",
            "s.json, moves[0].kernel");
        row("group", R"({"moves":[{"kernel":"k","group":"x"}]})", bad, "grouping is unknown",
            "s.json, moves[0].group");
        row("grid", R"({"moves":[{"kernel":"k","grid":[1,2,3,4]}]})", bad, "three sizes",
            "s.json, moves[0].grid");
        row("level", R"({"moves":[{"kernel":"k","bytes":{"l3":1}}]})", bad, "level is unknown",
            "s.json, moves[0].bytes.l3");
        row("factor 0", R"({"moves":[{"kernel":"k","bytes":{"hbm":0}}]})", bad, "not between",
            "s.json, moves[0].bytes.hbm");
        row("factor below 0", R"({"moves":[{"kernel":"k","work":-1}]})", bad, "not between",
            "s.json, moves[0].work");
        row("factor large", R"({"moves":[{"kernel":"k","time":1e10}]})", bad, "not between",
            "s.json, moves[0].time");
        row("time", R"({"moves":[{"kernel":"k","time":"fast"}]})", bad, "rule for the time",
            "s.json, moves[0].time");
        row("time null", R"({"moves":[{"kernel":"k","time":[]}]})", bad, "A factor is expected",
            "s.json, moves[0].time");
        row("pipe", R"({"moves":[{"kernel":"k","pipe":{"from":"fp32"}}]})", bad, "leaves and goes to",
            "s.json, moves[0].pipe");
        row("pipe id", R"({"moves":[{"kernel":"k","pipe":{"from":"fp32","to":"gpu"}}]})", bad,
            "pipe is unknown", "s.json, moves[0].pipe.to");
    }
    void bad_scenarios_say_what_and_where() {
        QFETCH(QString, text);
        QFETCH(int, code);
        QFETCH(QString, what);
        QFETCH(QString, where);
        const auto scenario = read_scenario(text.toStdString(), "s.json");
        QVERIFY(!scenario);
        QCOMPARE(static_cast<int>(scenario.error().code), code);
        QVERIFY2(QString::fromStdString(scenario.error().what).contains(what), scenario.error().what.c_str());
        QCOMPARE(QString::fromStdString(scenario.error().where), where);
    }
    void deep_nesting_is_refused() {
        const std::string deep = "{\"moves\":[],\"x\":" + std::string(100'000, '[');
        QVERIFY(!read_scenario(deep, "s.json"));
        const std::string closed = deep + std::string(100'000, ']') + "}";
        QVERIFY(!read_scenario(closed, "s.json"));
    }
    void every_cut_of_a_scenario_is_refused() {
        Scenario scenario;
        scenario.moves.emplace_back().kernel.name = "k";
        std::string text = to_json(scenario);
        text.pop_back();
        for (std::size_t length = 0; length < text.size(); ++length)
            QVERIFY(!read_scenario(text.substr(0, length), "s.json"));
        QVERIFY(read_scenario(text, "s.json").has_value());
    }
};

QTEST_APPLESS_MAIN(TestScenarioJsonBad)
#include "tst_scenario_json_bad.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Scenarios that cannot be: each with its place and what to do.
#include <QTest>

#include "core/scenario/scenario_json.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_scenario_json_bad {

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
        row("pipe member", R"({"moves":[{"kernel":"k","pipe":{"from":"fp32","to":"fp16","form":1}}]})", bad,
            "member is unknown", "s.json, moves[0].pipe.form");
        row("needs member", R"({"moves":[{"kernel":"k","needs":{"byte":0.5}}]})", bad, "member is unknown",
            "s.json, moves[0].needs.byte");
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
    void a_misspelt_member_is_named_with_what_may_be_meant() {
        const auto scenario =
            read_scenario(R"({"$schema":"x","nmae":"n","moves":[{"kernel":"k"},{"kernel":"k","tiem":0.5},)"
                          R"({"kernel":"k","tiem":"to_roof","colour":1}]})",
                          "s.json");
        QVERIFY(scenario.has_value());
        const std::vector<Notice> members = members_without_effect(*scenario, "s.json");
        QCOMPARE(members.size(), std::size_t{3});
        QCOMPARE(to_line(members[0]),
                 std::string("The member 'nmae' is not known and has no effect (s.json, nmae). Did you mean "
                             "name?"));
        QCOMPARE(to_line(members[1]),
                 std::string("The member 'tiem' is not known and has no effect, 2 times (s.json, "
                             "moves[1].tiem). Did you mean time?"));
        QVERIFY(members[2].hint.find("kept") != std::string::npos);
        QCOMPARE(members_without_effect(*scenario, "s.roofwalk", "scenario.")[1].where,
                 std::string("s.roofwalk, scenario.moves[1].tiem"));
        QVERIFY(members_without_effect({}, "s.json").empty());
    }
    void what_could_not_be_read_is_not_written() {
        Scenario scenario;
        Move move;
        move.kernel.name = "k";
        scenario.moves.assign(most_moves, move);
        QCOMPARE(*to_scenario_file(scenario, "s.json"), to_json(scenario));
        scenario.moves.push_back(move);
        const auto many = to_scenario_file(scenario, "s.json");
        QVERIFY(!many);
        QVERIFY2(many.error().what.find("There are more than 100,000 moves") != std::string::npos,
                 many.error().what.c_str());
        scenario.moves.assign(1, move);
        scenario.moves[0].time_rule = MoveTime::factor;
        scenario.moves[0].time = 1e12;
        QCOMPARE(to_scenario_file(scenario, "s.json").error().where, std::string("s.json, moves[0].time"));
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

}  // namespace tst_scenario_json_bad

ROOFWALK_TEST(tst_scenario_json_bad, TestScenarioJsonBad, NoApplication)
#include "tst_scenario_json_bad.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Sessions that cannot be: each with its place and what to do.
#include <QTest>

#include "core/workspace/session_json.h"
#include "tests/core/workspace/whole_session.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_session_json_bad {

using namespace roofwalk;

namespace {

/// A session with one more member.
QString with(const char* member) {
    return QStringLiteral(R"({"format":"roofwalk-session","version":1,%1})").arg(QString::fromUtf8(member));
}

}  // namespace

class TestSessionJsonBad : public QObject {
    Q_OBJECT

  private slots:
    void bad_sessions_say_what_and_where_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("where");
        const auto row = [](const char* name, const QString& text, ErrorCode code, const char* what,
                            const char* where) {
            QTest::newRow(name) << text << static_cast<int>(code) << QString(what) << QString(where);
        };
        const auto bad = [](const char* name, const char* member, const char* what, const char* where) {
            QTest::newRow(name) << with(member) << static_cast<int>(ErrorCode::bad_schema) << QString(what)
                                << "s.roofwalk, " + QString(where);
        };
        row("empty", "", ErrorCode::bad_json, "not JSON", "s.roofwalk, line 1");
        row("cut off", "{\"format\":\n\"roofwalk-session\",", ErrorCode::bad_json, "not JSON",
            "s.roofwalk, line 2");
        row("list", "[]", ErrorCode::bad_schema, "An object is expected", "s.roofwalk");
        row("other", R"({"format":"roofwalk-profile","version":1})", ErrorCode::bad_schema, "no session",
            "s.roofwalk");
        row("no version", R"({"format":"roofwalk-session"})", ErrorCode::bad_schema, "version",
            "s.roofwalk, version");
        row("newer, though its members look wrong",
            R"({"sources":7,"version":2,"format":"roofwalk-session"})", ErrorCode::unsupported_version,
            "version", "s.roofwalk, version");
        bad("twice", R"("notes":"a","notes":"b")", "occurs twice", "notes");
        bad("notes", R"("notes":1)", "A text is expected", "notes");
        bad("sources", R"("sources":{})", "An array is expected", "sources");
        bad("source", R"("sources":["a.json"])", "An object is expected", "sources[0]");
        bad("no path", R"("sources":[{"hash":"x"}])", "which file", "sources[0]");
        bad("empty path", R"("sources":[{"path":""}])", "no path", "sources[0].path");
        bad("path with a zero", R"("sources":[{"path":"a\u0000b"}])", "no path", "sources[0].path");
        bad("group", R"("view":{"group":"x"})", "grouping is unknown", "view.group");
        bad("clock", R"("view":{"clock":"slow"})", "clock basis is unknown", "view.clock");
        bad("operations", R"("view":{"operations":1})", "A text is expected", "view.operations");
        bad("levels", R"("view":{"levels":["l3"]})", "name is unknown", "view.levels[0]");
        bad("boundaries", R"("view":{"boundaries":["l2"]})", "boundary is unknown", "view.boundaries[0]");
        bad("practical", R"("view":{"practical":{"compute":1.5}})", "at most 1", "view.practical.compute");
        bad("ridge behind", R"("view":{"near_ridge":{"low":1.5}})", "at most 1", "view.near_ridge.low");
        bad("ridge ahead", R"("view":{"near_ridge":{"high":0.5}})", "at least 1", "view.near_ridge.high");
        bad("pipes", R"("view":{"hidden_pipes":["gpu"]})", "pipe is unknown", "view.hidden_pipes[0]");
        bad("gaps", R"("view":{"gaps":-1})", "whole number", "view.gaps");
        bad("noise", R"("view":{"comparison":{"noise":2}})", "between 0 and 1", "view.comparison.noise");
        bad("arrows", R"("view":{"comparison":{"arrows":10001}})", "10,000", "view.comparison.arrows");
        bad("baseline without a path", R"("baselines":[{"hash":"x"}])", "which file", "baselines[0]");
        bad("axes", R"("view":{"axes":{"x":[1,2]}})", "both axes", "view.axes");
        bad("axis backwards", R"("view":{"axes":{"x":[2,1],"y":[1,2]}})", "lower one first", "view.axes.x");
        bad("axis at zero", R"("view":{"axes":{"x":[0,1],"y":[1,2]}})", "above 0", "view.axes.x[0]");
        bad("axis of three", R"("view":{"axes":{"x":[1,2,3],"y":[1,2]}})", "two ends", "view.axes.x");
        bad("selection", R"("view":{"selection":[{}]})", "which kernel", "view.selection[0]");
        bad("ceiling", R"("ceilings":[{"device":"A","ceilings":[{"kind":"x","rate":1}]}])", "kind",
            "ceilings[0].ceilings[0]");
        bad("ceilings twice", R"("ceilings":[{"device":"A"},{"device":"A"}])", "twice", "ceilings[1]");
        bad("bound kernel", R"("bindings":{"kernels":[{"kernel":"k"}]})", "name and an operation",
            "bindings.kernels[0]");
        bad("launch", R"("bindings":{"kernels":[{"kernel":"k","launch":-1}]})", "whole number",
            "bindings.kernels[0].launch");
        bad("rule", R"("bindings":{"rules":[{"operation":"copy"}]})", "pattern and an operation",
            "bindings.rules[0]");
        bad("rule subject", R"("bindings":{"rules":[{"in":"grid"}]})", "searched in", "bindings.rules[0].in");
        bad("threshold", R"("advice":{"occupancy":7})", "not between 0 and 1", "advice.occupancy");
        bad("threshold text", R"("advice":{"occupancy":"x"})", "A number is expected", "advice.occupancy");
        bad("scenario", R"("scenario":{"moves":[{"kernel":"k","bytes":{"hbm":0}}]})", "not between",
            "scenario.moves[0].bytes.hbm");
        bad("no scenario", R"("scenario":{"format":"roofwalk-profile"})", "no scenario", "scenario");
    }
    void bad_sessions_say_what_and_where() {
        QFETCH(QString, text);
        QFETCH(int, code);
        QFETCH(QString, what);
        QFETCH(QString, where);
        const auto session = read_session(text.toStdString(), "s.roofwalk");
        QVERIFY(!session);
        QVERIFY2(QString::fromStdString(session.error().what).contains(what), session.error().what.c_str());
        QCOMPARE(QString::fromStdString(session.error().where), where);
        QCOMPARE(static_cast<int>(session.error().code), code);
    }

    void more_sources_than_a_session_can_have_are_refused() {
        WorkspaceSpec session;
        session.sources.assign(most_sources + 1, {"a.json", ""});
        const auto read = read_session(to_json(session), "s.roofwalk");
        QVERIFY(!read);
        QCOMPARE(read.error().where, std::string("s.roofwalk, sources[10000]"));
    }

    void deep_nesting_is_refused() {
        const std::string deep = with(R"("x":)").chopped(1).toStdString() + std::string(100'000, '[') +
                                 std::string(100'000, ']') + "}";
        QVERIFY(!read_session(deep, "s.roofwalk"));
    }

    void every_cut_of_a_session_is_refused() {
        std::string text = to_json(test::whole_session());
        text.pop_back();
        for (std::size_t length = 0; length < text.size(); ++length)
            QVERIFY(!read_session(text.substr(0, length), "s.roofwalk"));
        QVERIFY(read_session(text, "s.roofwalk").has_value());
    }
    void lists_that_nobody_makes_are_refused_data() {
        QTest::addColumn<QString>("open");
        QTest::addColumn<QString>("item");
        QTest::addColumn<QString>("close");
        QTest::addColumn<int>("most");
        QTest::addColumn<QString>("what");
        QTest::newRow("sources") << R"("sources":[)"
                                 << R"({"path":"a"})"
                                 << "]" << static_cast<int>(most_sources) << "more than 10,000 sources";
        QTest::newRow("selection") << R"("view":{"selection":[)"
                                   << R"({"kernel":"a"})"
                                   << "]}" << static_cast<int>(most_selected)
                                   << "more than 10,000 selected kernels";
        QTest::newRow("rules") << R"("bindings":{"rules":[)"
                               << R"({"pattern":"a","operation":"axpy n=1"})"
                               << "]}" << static_cast<int>(most_rules) << "more than 10,000 rules";
        QTest::newRow("bound") << R"("bindings":{"kernels":[)"
                               << R"({"kernel":"a","operation":"axpy n=1"})"
                               << "]}" << static_cast<int>(most_bound) << "more than 100,000 bound kernels";
        QTest::newRow("moves") << R"("scenario":{"moves":[)"
                               << R"({"kernel":"a"})"
                               << "]}" << static_cast<int>(most_moves) << "more than 100,000 moves";
    }
    void lists_that_nobody_makes_are_refused() {
        QFETCH(QString, open);
        QFETCH(QString, item);
        QFETCH(QString, close);
        QFETCH(int, most);
        QFETCH(QString, what);
        const auto session_of = [&](int count) {
            QString items = item;
            items += (QLatin1Char(',') + item).repeated(count - 1);
            return read_session(with(qPrintable(open + items + close)).toStdString(), "s.roofwalk");
        };
        QVERIFY(session_of(most));
        const auto refused = session_of(most + 1);
        QVERIFY(!refused);
        QVERIFY(refused.error().code == ErrorCode::too_large);
        QVERIFY2(refused.error().what.find(what.toStdString()) != std::string::npos,
                 refused.error().what.c_str());
        QVERIFY(refused.error().where.find("[" + std::to_string(most) + "]") != std::string::npos);
    }
    void a_pipe_is_listed_once() {
        const auto session = read_session(
            with(R"("view":{"extra_pipes":["fp16","fp32","fp16"]})").toStdString(), "s.roofwalk");
        QVERIFY(session);
        QCOMPARE(session->view.scene.extra_pipes.size(), std::size_t{2});
    }
    void no_more_names_and_gaps_are_drawn_than_anybody_reads() {
        for (const char* member : {R"("view":{"names":10001})", R"("view":{"gaps":10001})"}) {
            const auto session = read_session(with(member).toStdString(), "s.roofwalk");
            QVERIFY(!session);
            QCOMPARE(session.error().what, std::string("No more than 10,000 kernels are drawn so"));
        }
        QVERIFY(read_session(with(R"("view":{"names":10000,"gaps":10000})").toStdString(), "s.roofwalk"));
    }
};

}  // namespace tst_session_json_bad

ROOFWALK_TEST(tst_session_json_bad, TestSessionJsonBad, NoApplication)
#include "tst_session_json_bad.moc"

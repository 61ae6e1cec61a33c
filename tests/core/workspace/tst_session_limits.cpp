// SPDX-License-Identifier: GPL-3.0-or-later
// What is written can be read again: at the limits of a session, and never beyond them.
#include <QTest>

#include "core/workspace/session_json.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_session_limits {

using namespace roofwalk;

namespace {

Session at_the_limits() {
    Session session;
    session.sources.assign(most_sources, {"rank.ncu-rep", ""});
    session.baselines.assign(most_sources, {"old.ncu-rep", ""});
    session.view.selection.assign(most_selected, {GroupBy::launch, "k", {1, 1, 1}, {1, 1, 1}, 0});
    session.view.scene.labelled = session.view.scene.gaps = most_drawn;
    session.view.comparison.arrows = most_drawn;
    session.bindings.user.assign(most_bound, {"k", 0, "copy n=8"});
    session.bindings.rules.assign(most_rules, {"k", "copy n=8"});
    Move move;
    move.kernel.name = "k";
    session.scenario.moves.assign(most_moves, move);
    return session;
}

using More = void (*)(Session& session);

}  // namespace


class TestSessionLimits : public QObject {
    Q_OBJECT

  private slots:
    void what_is_written_at_the_limits_is_read() {
        const Session session = at_the_limits();
        const Result<std::string> text = to_session_file(session, "s.roofwalk");
        QVERIFY2(text, text ? "" : to_line(text.error()).c_str());
        QCOMPARE(to_json(*read_session(*text, "s.roofwalk")), *text);
    }

    void what_could_not_be_read_is_not_written_data() {
        QTest::addColumn<More>("more");
        QTest::addColumn<QString>("what");
        const auto row = [](const char* name, More more, const char* what) {
            QTest::newRow(name) << more << QString(what);
        };
        row(
            "sources",
            [](Session& s) {
                s.sources.resize(most_sources + 1, {"a", ""});
            },
            "There are more than 10,000 sources");
        row(
            "baselines",
            [](Session& s) {
                s.baselines.resize(most_sources + 1, {"a", ""});
            },
            "There are more than 10,000 sources");
        row(
            "selection",
            [](Session& s) {
                s.view.selection.resize(most_selected + 1, {GroupBy::launch, "k", {}, {}, 0});
            },
            "There are more than 10,000 selected kernels");
        row(
            "bound",
            [](Session& s) {
                s.bindings.user.resize(most_bound + 1, {"k", 0, "copy n=8"});
            },
            "There are more than 100,000 bound kernels");
        row(
            "rules",
            [](Session& s) {
                s.bindings.rules.resize(most_rules + 1, {"k", "copy n=8"});
            },
            "There are more than 10,000 rules");
        row(
            "moves",
            [](Session& s) {
                Move move;
                move.kernel.name = "k";
                s.scenario.moves.resize(most_moves + 1, move);
            },
            "There are more than 100,000 moves");
        row(
            "length", [](Session& s) { s.notes.assign(std::size_t{64} << 20U, 'n'); },
            "The session is longer than 64 MiB");
    }
    void what_could_not_be_read_is_not_written() {
        QFETCH(More, more);
        QFETCH(QString, what);
        Session session;
        more(session);
        const Result<std::string> text = to_session_file(session, "s.roofwalk");
        QVERIFY(!text);
        QVERIFY(text.error().code == ErrorCode::too_large);
        QCOMPARE(QString::fromStdString(text.error().what),
                 "The session was not written, since it could not be opened again: " + what);
        QVERIFY(text.error().where.starts_with("s.roofwalk") && !text.error().hint.empty());
    }
};

}  // namespace tst_session_limits

ROOFWALK_TEST(tst_session_limits, TestSessionLimits, NoApplication)
#include "tst_session_limits.moc"

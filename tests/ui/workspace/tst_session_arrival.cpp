// SPDX-License-Identifier: GPL-3.0-or-later
// What a person does while files are read and closed is neither lost nor given to another session.
#include <QDialog>
#include <QFile>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPointer>
#include <QTimer>

#include "core/workspace/session_json.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/ui/file_content.h"
#include "tests/ui/message_words.h"
#include "tests/ui/shown_window.h"

namespace tst_session_arrival {

using namespace roofwalk;
using test::ShownWindow;
using test::told;

namespace {

Bindings one_rule() {
    Bindings bindings;
    bindings.rules = {{"sgemm", "gemm m=64 n=64 k=64"}};
    return bindings;
}

/// A window with one report, and beside it a session about another one, with a rule and a note.
struct Beside : ShownWindow {
    Beside() {
        ready = open({test::write_three_kernels(folder, "a.json")});
        test::set_bindings(document(), one_rule());
        document().set_notes("of the session");
        ready = settle() && ready;
        chooser.to_save = walk;
        action("save").trigger();
        action("close_all").trigger();
        ready = open({test::write_many_kernels(folder, "b.json", 3)}) && ready;
    }

    /// Closes a file through the menu of those that are open.
    void close_file(const QString& name) {
        action("close").trigger();
        QPointer<QMenu> menu = window.findChildren<QMenu*>("close_menu").back();
        for (QAction* entry : menu->actions())
            if (entry->text() == name) entry->trigger();
        menu->close();
    }

    QString walk = folder.filePath("walk.roofwalk");
    bool ready = false;
};

}  // namespace

class TestSessionArrival : public QObject {
    Q_OBJECT

  private slots:
    void rules_that_cannot_be_used_are_told() {
        Beside s;
        QVERIFY(s.ready);
        s.action("close_all").trigger();
        QFile file(s.walk);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QByteArray text = file.readAll();
        file.close();
        QVERIFY(text.contains("\"pattern\":\"sgemm\""));
        text.replace("\"pattern\":\"sgemm\"", "\"pattern\":\"(\"");
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        QVERIFY(s.open({s.walk}));
        QVERIFY2(told(s).contains("Rule 1"), qPrintable(told(s)));
    }
    void closing_the_last_files_one_upon_the_other_asks_first() {
        Beside b;
        QVERIFY(b.ready);
        QVERIFY(b.open({b.walk}));
        b.document().loader().open({b.folder.filePath("b.json")}, ReportLoader::Opening::add);
        QVERIFY(b.settle());
        b.chooser.keep = FileChooser::Keep::stay;
        const int asked = b.chooser.asked;
        b.close_file("a.json");
        b.close_file("b.json");
        QCOMPARE(b.chooser.asked, asked + 1);
        QVERIFY(b.settle());
        QVERIFY(!b.document().empty());
        QCOMPARE(b.document().notes(), QString("of the session"));
        QVERIFY(b.window.windowTitle().startsWith("walk.roofwalk"));

        b.chooser.keep = FileChooser::Keep::discard;
        b.action("close").trigger();
        QVERIFY(b.document().empty() && b.document().notes().isEmpty());
        QCOMPARE(b.window.windowTitle(), QString("Roofwalk"));
    }

    void work_done_while_a_session_is_read_is_not_overwritten() {
        Beside s;
        QVERIFY(s.ready);
        s.window.open({s.walk});
        QVERIFY(s.document().loader().session_arrives());
        s.document().set_notes("written meanwhile");
        QVERIFY(s.settle());
        QCOMPARE(s.document().notes(), QString("written meanwhile"));
        QCOMPARE(to_qt(s.document().files().front().path), s.folder.filePath("b.json"));
        QVERIFY2(told(s).contains("Nothing was opened") && told(s).contains("walk.roofwalk"),
                 qPrintable(told(s)));
    }

    void what_was_given_up_before_a_session_is_read_does_not_keep_it_away() {
        Beside s;
        QVERIFY(s.ready);
        s.document().set_notes("to be given up");
        s.chooser.keep = FileChooser::Keep::discard;
        s.window.open({s.walk});
        s.chart().zoom(2);
        s.document().select(1U);
        QVERIFY(s.settle());
        QCOMPARE(s.document().notes(), QString("of the session"));
        QCOMPARE(s.messages().count(), std::size_t{0});
    }

    void a_missing_report_that_is_added_later_is_named_once_and_known_again() {
        Beside s;
        QVERIFY(s.ready);
        const QString session = QStringLiteral(R"({"format":"roofwalk-session","version":1,
            "sources":[{"path":"gone.json","hash":"xxh3-128:00","size":7},{"path":"a.json"}]})");
        QFile file(s.folder.filePath("two.roofwalk"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(session.toUtf8());
        file.close();
        QVERIFY(s.open({file.fileName()}));
        s.messages().dismiss_all();
        s.document().loader().open({test::write_many_kernels(s.folder, "gone.json", 2)},
                                   ReportLoader::Opening::add);
        QVERIFY(s.settle());
        QVERIFY2(told(s).contains("not the same as"), qPrintable(told(s)));
        s.action("save").trigger();
        const auto saved =
            read_session(test::content(file.fileName()).toStdString(), file.fileName().toStdString());
        QVERIFY(saved);
        QCOMPARE(saved->sources.size(), std::size_t{2});
        QCOMPARE(saved->sources[1].path, std::string("gone.json"));
        QCOMPARE(saved->sources[1].unknown_members, std::string(R"("size":7)"));
    }

    void closing_everything_while_a_session_is_read_is_no_failure() {
        Beside s;
        QVERIFY(s.ready);
        s.window.open({s.walk});
        s.action("close_all").trigger();
        QVERIFY(s.settle());
        QCoreApplication::processEvents();
        QVERIFY(s.document().empty());
        QVERIFY2(s.messages().count() == 0, qPrintable(told(s)));
    }

    void a_session_whose_reports_are_all_missing_leaves_everything_also_while_a_file_is_closed() {
        Beside s;
        QVERIFY(s.ready);
        QVERIFY(QFile::remove(s.folder.filePath("a.json")));
        s.document().loader().open({test::write_many_kernels(s.folder, "c.json", 2)},
                                   ReportLoader::Opening::add);
        QVERIFY(s.settle());
        s.document().set_notes("mine");
        s.chooser.keep = FileChooser::Keep::discard;
        s.window.open({s.walk});
        s.document().loader().close(s.folder.filePath("c.json"));
        QVERIFY(s.settle());
        QCOMPARE(s.document().notes(), QString("mine"));
        QCOMPARE(s.document().files().size(), std::size_t{1});
        QVERIFY2(told(s).contains("no report of the session"), qPrintable(told(s)));
    }

    void a_session_that_arrives_ends_a_question_about_what_was_there() {
        Beside s;
        QVERIFY(s.ready);
        s.window.open({s.walk});
        QTimer::singleShot(0, &s.window, [] {
            const QPointer<QDialog> dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
            if (!dialog) return;  // the session was faster than this
            dialog->findChild<QPlainTextEdit*>("binding_rules")->setPlainText("kernel=copy n=8");
            QTimer::singleShot(5000, qApp, [dialog] {
                if (dialog) dialog->accept();
            });
        });
        s.action("bind_all").trigger();
        QVERIFY(s.settle());
        QCOMPARE(s.document().notes(), QString("of the session"));
        QVERIFY(s.document().spec().bindings == one_rule());
    }

    void a_session_that_arrives_is_not_saved_in_the_place_chosen_for_another() {
        Beside s;
        QVERIFY(s.ready);
        s.window.open({s.walk});
        s.chooser.to_save = s.folder.filePath("other.roofwalk");
        s.chooser.meanwhile = [&] { QVERIFY(s.settle()); };
        s.action("save_as").trigger();
        QCOMPARE(s.document().notes(), QString("of the session"));
        QVERIFY(!QFile::exists(s.chooser.to_save));
        QVERIFY2(told(s).contains("Nothing was saved"), qPrintable(told(s)));
    }
};

}  // namespace tst_session_arrival

ROOFWALK_TEST(tst_session_arrival, TestSessionArrival, QApplication)
#include "tst_session_arrival.moc"

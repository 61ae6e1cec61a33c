// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>

#include <fcntl.h>
#include <sys/stat.h>

#include "core/workspace/session_json.h"
#include "tests/support/folder_tests.h"
#include "tests/ui/file_content.h"
#include "tests/ui/message_words.h"
#include "tests/ui/shown_window.h"
#include "ui/workspace/autosave.h"
#include "ui/workspace/session_files.h"

namespace tst_session_conflicts {

using namespace roofwalk;
using test::content;
using test::ShownWindow;
using test::told;

namespace {

void write(const QString& path, const QByteArray& text) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) qFatal("cannot write");
}

std::string notes_in(const QString& path) {
    const Result<WorkspaceSpec> session = read_session(content(path).toStdString(), path.toStdString());
    return session ? session->notes : "unreadable";
}

/// What another program does to a session: it puts other notes there, in a new file with the name of the old.
void change_notes(const QString& path, const QByteArray& before, const QByteArray& after) {
    const QByteArray text = content(path).replace('"' + before + '"', '"' + after + '"');
    if (!text.contains(after)) qFatal("there are no such notes");
    write(path + ".new", text);
    if (rename(qPrintable(path + ".new"), qPrintable(path)) != 0) qFatal("cannot rename");
}

QStringList copies(const ShownWindow& s) {
    const QDir folder(s.settings.recovery_folder());
    QStringList paths;
    for (const QString& name : folder.entryList({"*.roofwalk"}, QDir::Files))
        paths.append(folder.filePath(name));
    return paths;
}

/// A session with the notes "first", open and saved.
struct SavedSession : ShownWindow {
    SavedSession() {
        report = test::write_three_kernels(folder, "a.json");
        QDir(folder.path()).mkpath("walks");
        path = folder.filePath("walks/walk.roofwalk");
        chooser.to_save = path;
        if (!open({report})) qFatal("the report does not open");
        document().set_notes("first");
        action("save").trigger();
        if (notes_in(path) != "first" || window.isWindowModified()) qFatal("the session was not saved");
    }

    /// Waits until what others did was noticed.
    [[nodiscard]] bool is_told() {
        return QTest::qWaitFor([this] { return messages().count() > 0; }, 10000);
    }

    QString report;
    QString path;
};

/// A session that is changed here and by somebody else.
struct Conflict : SavedSession {
    Conflict() {
        document().set_notes("mine");
        change_notes(path, "first", "theirs");
    }
};

QPushButton* offer(ShownWindow& s) {
    return s.window.findChild<QPushButton*>("message_offer");
}

/// Answers the question with a click on a button, or with a key where there is no name.
FileChooser::Conflict answered(const char* button, int key = 0) {
    QWidget window;
    DesktopFileChooser chooser;
    QTimer::singleShot(0, [button, key] {
        auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        if (box == nullptr) qFatal("nothing is asked");
        if (key != 0)
            QTest::keyClick(box, static_cast<Qt::Key>(key));
        else if (auto* found = box->findChild<QPushButton*>(button))
            QTest::mouseClick(found, Qt::LeftButton);
        else
            box->reject();
    });
    return chooser.ask_about_conflict(&window, "walk.roofwalk");
}

}  // namespace

class TestSessionConflicts : public QObject {
    Q_OBJECT

  private slots:
    void what_somebody_else_saved_stays_when_the_person_stays() {
        Conflict s;
        s.action("save").trigger();
        QCOMPARE(s.chooser.conflicts, 1);
        QCOMPARE(notes_in(s.path), std::string("theirs"));
        QVERIFY(s.window.isWindowModified());
        QCOMPARE(s.document().notes(), QString("mine"));
    }

    void it_can_be_saved_over() {
        Conflict s;
        s.chooser.conflict = FileChooser::Conflict::save_over;
        s.action("save").trigger();
        QCOMPARE(notes_in(s.path), std::string("mine"));
        QVERIFY(!s.window.isWindowModified());
        s.document().set_notes("mine again");
        s.action("save").trigger();
        QCOMPARE(s.chooser.conflicts, 1);
        QCOMPARE(notes_in(s.path), std::string("mine again"));
    }

    void it_can_be_saved_as_another_file() {
        Conflict s;
        s.chooser.conflict = FileChooser::Conflict::save_as;
        s.chooser.to_save = s.folder.filePath("other.roofwalk");
        s.action("save").trigger();
        QCOMPARE(notes_in(s.path), std::string("theirs"));
        QCOMPARE(notes_in(s.chooser.to_save), std::string("mine"));
        QVERIFY(s.window.windowTitle().startsWith("other.roofwalk"));
        QVERIFY(!s.window.isWindowModified());
    }

    void theirs_can_be_opened_and_mine_is_kept_aside() {
        Conflict s;
        s.chooser.conflict = FileChooser::Conflict::open_theirs;
        s.action("save").trigger();
        QVERIFY(s.settle());
        QTRY_COMPARE(s.document().notes(), QString("theirs"));
        QVERIFY(!s.window.isWindowModified());
        QCOMPARE(copies(s).size(), 1);
        QCOMPARE(notes_in(copies(s).front()), std::string("mine"));
        QVERIFY(offer(s) != nullptr);
        offer(s)->click();
        QVERIFY(s.settle());
        QTRY_COMPARE(s.document().notes(), QString("mine"));
        QVERIFY(s.window.isWindowModified());
        QVERIFY(s.window.windowTitle().startsWith("walk.roofwalk"));
        s.chooser.conflict = FileChooser::Conflict::save_over;
        s.action("save").trigger();
        QCOMPARE(s.chooser.conflicts, 2);
        QCOMPARE(notes_in(s.path), std::string("mine"));
        QVERIFY(copies(s).isEmpty());
    }

    void theirs_are_not_opened_where_mine_cannot_be_kept() {
        SavedSession s;
        QVERIFY(QDir(s.settings.recovery_folder()).removeRecursively());
        QFile in_the_way(s.settings.recovery_folder());
        QVERIFY(in_the_way.open(QIODevice::WriteOnly));
        s.document().set_notes("mine");
        change_notes(s.path, "first", "theirs");
        s.chooser.conflict = FileChooser::Conflict::open_theirs;
        s.action("save").trigger();
        QVERIFY(s.is_told());
        QVERIFY(s.settle());
        QCOMPARE(s.document().notes(), QString("mine"));
        QVERIFY(s.window.isWindowModified());
        QCOMPARE(notes_in(s.path), std::string("theirs"));
    }

    void the_window_stays_open_when_saving_before_its_end_is_given_up() {
        Conflict s;
        s.chooser.keep = FileChooser::Keep::save;
        QVERIFY(!s.window.close());
        QCOMPARE(s.chooser.conflicts, 1);
        QCOMPARE(notes_in(s.path), std::string("theirs"));
        s.chooser.keep = FileChooser::Keep::discard;
        QVERIFY(s.window.close());
    }

    void saving_under_its_own_name_asks_as_well() {
        Conflict s;
        s.action("save_as").trigger();
        QCOMPARE(s.chooser.conflicts, 1);
        QCOMPARE(notes_in(s.path), std::string("theirs"));
    }

    void a_change_that_shows_neither_in_size_nor_in_times_is_noticed() {
        SavedSession s;
        s.document().set_notes("mine");
        struct stat before {};
        QCOMPARE(stat(qPrintable(s.path), &before), 0);
        write(s.path, content(s.path).replace("first", "other"));
        const std::array<timespec, 2> times{before.st_atim, before.st_mtim};
        QCOMPARE(utimensat(AT_FDCWD, qPrintable(s.path), times.data(), 0), 0);
        s.action("save").trigger();
        QCOMPARE(s.chooser.conflicts, 1);
        QCOMPARE(notes_in(s.path), std::string("other"));
    }

    void the_same_content_in_another_file_is_no_change() {
        SavedSession s;
        QVERIFY(QFile::copy(s.path, s.path + ".copy"));
        QCOMPARE(rename(qPrintable(s.path + ".copy"), qPrintable(s.path)), 0);
        s.document().set_notes("mine");
        s.action("save").trigger();
        QCOMPARE(s.chooser.conflicts, 0);
        QCOMPARE(notes_in(s.path), std::string("mine"));
        QCOMPARE(s.messages().count(), std::size_t{0});
    }

    void where_nothing_is_unsaved_it_is_read_again_and_told() {
        SavedSession s;
        change_notes(s.path, "first", "theirs");
        QTRY_COMPARE_WITH_TIMEOUT(s.document().notes(), QString("theirs"), 10000);
        QVERIFY2(told(s).contains("read again") && told(s).contains(s.path), qPrintable(told(s)));
        QVERIFY(!s.window.isWindowModified());
        s.document().set_notes("mine");
        s.action("save").trigger();
        QCOMPARE(s.chooser.conflicts, 0);
        QCOMPARE(notes_in(s.path), std::string("mine"));
        change_notes(s.path, "mine", "theirs again");  // a file that was replaced is still watched
        QTRY_COMPARE_WITH_TIMEOUT(s.document().notes(), QString("theirs again"), 10000);
        QVERIFY(copies(s).isEmpty());
    }

    void nothing_is_read_again_under_an_open_dialog() {
        SavedSession s;
        s.action("export").trigger();
        auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
        QVERIFY(dialog != nullptr);
        change_notes(s.path, "first", "theirs");
        QTest::qWait(1000);
        QCOMPARE(s.document().notes(), QString("first"));
        dialog->reject();
        QTRY_COMPARE_WITH_TIMEOUT(s.document().notes(), QString("theirs"), 10000);
    }

    void a_change_while_it_is_read_again_is_not_lost() {
        SavedSession s;
        change_notes(s.path, "first", "theirs");
        QVERIFY(QTest::qWaitFor([&] { return s.document().loader().session_arrives(); }, 10000));
        s.document().set_notes("mine");
        QVERIFY(s.settle());
        QCOMPARE(s.document().notes(), QString("mine"));
        QVERIFY(s.window.isWindowModified());
        s.action("save").trigger();
        QCOMPARE(s.chooser.conflicts, 1);
        QCOMPARE(notes_in(s.path), std::string("theirs"));
    }

    void a_file_behind_a_link_is_watched_too() {
        SavedSession s;
        const QString link = s.folder.filePath("link.roofwalk");
        QVERIFY(QFile::link(s.path, link));
        QVERIFY(s.open({link}));
        s.messages().dismiss_all();
        change_notes(s.path, "first", "theirs");
        QTRY_COMPARE_WITH_TIMEOUT(s.document().notes(), QString("theirs"), 10000);
        s.document().set_notes("mine");
        s.action("save").trigger();
        QVERIFY(QFileInfo(link).isSymLink());
        QCOMPARE(notes_in(s.path), std::string("mine"));
    }

    void what_is_unsaved_stays_and_the_change_is_told() {
        Conflict s;
        QVERIFY(s.is_told());
        QVERIFY2(told(s).contains("unsaved changes here"), qPrintable(told(s)));
        QCOMPARE(s.document().notes(), QString("mine"));
        QCOMPARE(s.chooser.conflicts, 0);
    }

    void what_is_no_session_any_more_leaves_the_window_as_it_is() {
        SavedSession s;
        write(s.path, "{\"format\":\"roofwalk-session\",\"ver");
        QTRY_VERIFY_WITH_TIMEOUT(s.window.isWindowModified(), 10000);  // it is here alone
        QCOMPARE(s.document().notes(), QString("first"));
        QVERIFY(s.messages().count() > 0);
        s.chooser.keep = FileChooser::Keep::stay;
        QVERIFY(!s.window.close());
        s.chooser.conflict = FileChooser::Conflict::save_over;
        s.action("save").trigger();
        QCOMPARE(notes_in(s.path), std::string("first"));
        QVERIFY(!s.window.isWindowModified());
    }

    void a_file_that_was_deleted_counts_as_unsaved_and_is_written_again() {
        SavedSession s;
        QVERIFY(QFile::remove(s.path));
        QTRY_VERIFY_WITH_TIMEOUT(s.window.isWindowModified(), 10000);
        QVERIFY2(told(s).contains("deleted"), qPrintable(told(s)));
        QTRY_COMPARE_WITH_TIMEOUT(copies(s).size(), 1, 10000);
        s.chooser.keep = FileChooser::Keep::stay;
        QVERIFY(!s.window.close());
        s.action("save").trigger();
        QCOMPARE(s.chooser.conflicts, 0);
        QCOMPARE(notes_in(s.path), std::string("first"));
        QVERIFY(!s.window.isWindowModified());
    }

    void before_the_end_it_is_looked_whether_the_file_is_still_there() {
        SavedSession s;
        QVERIFY(QFile::remove(s.path));
        s.chooser.keep = FileChooser::Keep::stay;
        QVERIFY(!s.window.close());  // nobody has told of it yet
        QCOMPARE(s.chooser.asked, 1);
    }

    void a_file_that_came_back_is_saved() {
        SavedSession s;
        QVERIFY(QFile::rename(s.path, s.path + ".away"));
        QTRY_VERIFY_WITH_TIMEOUT(s.window.isWindowModified(), 10000);
        QVERIFY(QFile::rename(s.path + ".away", s.path));
        QTRY_VERIFY_WITH_TIMEOUT(!s.window.isWindowModified(), 10000);
    }

    void where_the_folder_vanished_another_place_is_asked_for() {
        SavedSession s;
        QVERIFY(QDir(s.folder.filePath("walks")).removeRecursively());
        QTRY_VERIFY_WITH_TIMEOUT(s.window.isWindowModified(), 10000);
        s.chooser.to_save = s.folder.filePath("saved.roofwalk");
        s.action("save").trigger();
        QCOMPARE(s.chooser.suggested, s.folder.filePath("walk.roofwalk"));
        QCOMPARE(notes_in(s.chooser.to_save), std::string("first"));
        QVERIFY(!s.window.isWindowModified());
    }

    void of_two_windows_the_second_to_save_is_asked() {
        SavedSession first;
        ShownWindow second;
        QVERIFY(second.open({first.path}));
        first.document().set_notes("of the first");
        second.document().set_notes("of the second");
        first.action("save").trigger();
        QCOMPARE(first.chooser.conflicts, 0);
        second.action("save").trigger();
        QCOMPARE(second.chooser.conflicts, 1);
        QCOMPARE(notes_in(first.path), std::string("of the first"));
        second.chooser.conflict = FileChooser::Conflict::save_over;
        second.action("save").trigger();
        QTRY_COMPARE_WITH_TIMEOUT(first.document().notes(), QString("of the second"), 10000);
    }

    void of_two_windows_that_crashed_both_copies_are_offered_and_the_second_is_asked() {
        SavedSession first;
        ShownWindow second;
        QVERIFY(second.open({first.path}));
        first.document().set_notes("of the first");
        second.document().set_notes("of the second");
        QTRY_COMPARE_WITH_TIMEOUT(copies(first).size(), 1, 10000);
        QTRY_COMPARE_WITH_TIMEOUT(copies(second).size(), 1, 10000);
        ShownWindow next;
        QDir(next.settings.recovery_folder()).mkpath(".");
        const QDir left(next.settings.recovery_folder());
        QVERIFY(QFile::copy(copies(first).front(), left.filePath("first.roofwalk")));
        QVERIFY(QFile::copy(copies(second).front(), left.filePath("second.roofwalk")));
        QCOMPARE(next.window.findChild<Autosave*>()->lost_work().size(), 2);
        auto* sessions = next.window.findChild<SessionFiles*>();
        QVERIFY(sessions->recover(left.filePath("first.roofwalk"), &next.window));
        QVERIFY(next.settle());
        QTRY_COMPARE(next.document().notes(), QString("of the first"));
        next.action("save").trigger();
        QCOMPARE(next.chooser.conflicts, 0);
        QCOMPARE(notes_in(first.path), std::string("of the first"));
        QVERIFY(sessions->recover(left.filePath("second.roofwalk"), &next.window));
        QVERIFY(next.settle());
        QTRY_COMPARE(next.document().notes(), QString("of the second"));
        next.action("save").trigger();
        QCOMPARE(next.chooser.conflicts, 1);
        QCOMPARE(notes_in(first.path), std::string("of the first"));
        QVERIFY(next.window.isWindowModified());
    }

    void every_answer_can_be_clicked() {
        QCOMPARE(answered("save_over"), FileChooser::Conflict::save_over);
        QCOMPARE(answered("save_as"), FileChooser::Conflict::save_as);
        QCOMPARE(answered("open_theirs"), FileChooser::Conflict::open_theirs);
        QCOMPARE(answered("", Qt::Key_Return), FileChooser::Conflict::save_as);
        QCOMPARE(answered("", Qt::Key_Escape), FileChooser::Conflict::stay);
    }
};

}  // namespace tst_session_conflicts

ROOFWALK_TEST(tst_session_conflicts, TestSessionConflicts, QApplication)
#include "tst_session_conflicts.moc"

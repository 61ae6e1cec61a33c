// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/folder_tests.h"
#include "ui/workspace/autosave.h"

#include <QDir>
#include <QFile>
#include <QLabel>
#include <QProcess>
#include <QPushButton>
#include <QTimer>

#include <sys/stat.h>

#include <chrono>
#include <mutex>
#include <thread>

#include "core/workspace/session_json.h"
#include "tests/support/disk_sync.h"
#include "tests/ui/message_words.h"
#include "tests/ui/shown_window.h"

namespace tst_autosave {

using namespace roofwalk;
using test::ShownWindow;

namespace {

QStringList copies(const ShownWindow& s) {
    const QDir folder(s.settings.recovery_folder());
    QStringList paths;
    for (const QString& name : folder.entryList({"*.roofwalk"}, QDir::Files))
        paths.append(folder.filePath(name));
    return paths;
}

WorkspaceSpec read(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) qFatal("cannot read %s", qPrintable(path));
    const Result<WorkspaceSpec> session = read_session(file.readAll().toStdString(), path.toStdString());
    if (session) return *session;
    qFatal("%s", to_line(session.error()).c_str());
}

Scenario one_move() {
    Scenario scenario;
    scenario.name = "Half";
    scenario.moves.emplace_back().kernel.name = "stream_add(float const*, float*)";
    scenario.moves.back().bytes[MemoryLevel::hbm] = 0.5;
    return scenario;
}

/// Opens a report, makes a move, and waits for the copy.
bool work_until_copied(ShownWindow& s) {
    if (!s.open({test::write_three_kernels(s.folder, "a.json")})) return false;
    test::set_scenario(s.document(), one_move());
    return s.settle() && QTest::qWaitFor([&] { return !copies(s).isEmpty(); }, 10000);
}

using Clock = std::chrono::steady_clock;  // the same in all processes

/// How long the threads of a process have waited for a processor so far [ns].
qint64 waited_for_processor(qint64 process) {
    qint64 waited = 0;
    const QDir threads(QStringLiteral("/proc/%1/task").arg(process));
    for (const QString& thread : threads.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        QFile times(threads.filePath(thread + "/schedstat"));  // ran, waited, how often
        if (times.open(QIODevice::ReadOnly)) waited += times.readAll().split(' ').value(1).toLongLong();
    }
    return waited;
}

/// The sanitizers make the window several times slower.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SLOWED_BY_SANITIZERS
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(SLOWED_BY_SANITIZERS)
constexpr std::chrono::milliseconds kept_after(1000);
#else
constexpr std::chrono::milliseconds kept_after(200);
#endif

enum class Fate { kept, lost, kept_from_processor };

/// What became of a move whose window is killed so long after it made it.
Fate fate_of_move() {
    const QTemporaryDir folder;
    const QString settings = folder.filePath("settings.json");
    QProcess window;
    window.start(MOVED_WINDOW, {settings, test::write_three_kernels(folder, "a.json")});
    if (!window.waitForReadyRead(60'000)) return Fate::lost;
    const std::chrono::nanoseconds moved(window.readLine().toLongLong());
    const qint64 waited = waited_for_processor(window.processId());
    std::this_thread::sleep_until(Clock::time_point(moved) + kept_after);
    const bool machine_is_busy = waited_for_processor(window.processId()) - waited > 50'000'000;
    window.kill();
    window.waitForFinished();
    const QDir left(Settings(settings).recovery_folder());
    for (const QString& name : left.entryList({"*.roofwalk"}, QDir::Files))
        if (!read(left.filePath(name)).scenario.moves.empty()) return Fate::kept;
    return machine_is_busy ? Fate::kept_from_processor : Fate::lost;
}

/// What a run leaves behind that ends without a word: its copy, held by nobody.
QString crash_of(ShownWindow& s, ShownWindow& next) {
    QDir(next.settings.recovery_folder()).mkpath(".");
    const QString left = QDir(next.settings.recovery_folder()).filePath("left.roofwalk");
    return QFile::copy(copies(s).value(0), left) ? left : QString();
}

constexpr qint64 gone_process = 4194305;  // above the largest that there can be

/// What a lock says of its owner; of this very process unless told otherwise.
struct LockText {
    qint64 process = QCoreApplication::applicationPid();
    QString program = QFileInfo(QCoreApplication::applicationFilePath()).fileName();
    QString host = QSysInfo::machineHostName();
    QByteArray machine = QSysInfo::machineUniqueId();
    QByteArray boot = QSysInfo::bootUniqueId();

    [[nodiscard]] bool write(const QString& copy) const {
        QFile file(copy + ".lock");
        const QByteArray text = QByteArray::number(process) + '\n' + program.toUtf8() + '\n' + host.toUtf8() +
                                '\n' + machine + '\n' + boot + '\n';
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
    }
};

QPushButton* button(ShownWindow& s, const char* name) {
    const QList<QPushButton*> buttons = s.window.findChildren<QPushButton*>(name);
    return buttons.size() == 1 && buttons.front()->isVisible() ? buttons.front() : nullptr;
}

/// The start page looks for lost work when everything is closed.
bool look_again(ShownWindow& s) {
    if (!s.open({test::write_many_kernels(s.folder, "other.json", 2)})) return false;
    s.action("close_all").trigger();
    return s.document().empty();
}

}  // namespace

class TestAutosave : public QObject {
    Q_OBJECT

  private slots:
    void a_move_outlives_a_window_that_is_killed_a_fifth_of_a_second_later() {
        // A try says nothing in which others had the processors for 50 ms of the 200.
        int kept = 0;
        for (int tries = 0; kept < 3 && tries < 20; ++tries) {
            const Fate fate = fate_of_move();
            QVERIFY(fate != Fate::lost);
            if (fate == Fate::kept) ++kept;
        }
        if (kept < 3) QSKIP("others had the processors while the moves were to be copied");
    }

    void a_slow_disk_has_a_rest_between_two_copies() {
        constexpr auto slow = std::chrono::milliseconds(200);
        std::mutex mutex;
        std::vector<std::pair<Clock::time_point, Clock::time_point>> syncs;
        ShownWindow s;
        QVERIFY(work_until_copied(s));
        test::set_before_sync([&](int descriptor) {
            struct stat status {};
            if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return;
            const auto begin = Clock::now();
            std::this_thread::sleep_for(slow);
            const std::lock_guard lock(mutex);
            syncs.emplace_back(begin, Clock::now());
        });
        const auto synced = [&] {
            const std::lock_guard lock(mutex);
            return syncs.size();
        };
        for (int i = 0; synced() < 4 && i < 10'000; ++i) {  // a drag
            s.document().set_notes(QString::number(i));
            QTest::qWait(5);
        }
        s.action("close_all").trigger();  // nothing is written any more
        test::set_before_sync({});
        QVERIFY(syncs.size() >= 4);
        for (std::size_t i = 1; i < syncs.size(); ++i)
            QVERIFY(syncs[i].first - syncs[i - 1].second >= slow / 2);
    }

    void a_large_session_waits_no_longer_for_its_next_copy_than_a_small_one() {
        ShownWindow s;
        QVERIFY(!test::write_three_kernels(s.folder, "a.json").isEmpty());
        QFile file(s.folder.filePath("walk.roofwalk"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        // A member that is not known is kept as it is; to make its text takes a while.
        file.write(
            "{\"format\":\"roofwalk-session\",\"version\":1,\"sources\":[{\"path\":\"a.json\"}],\"later\":\"" +
            QByteArray(10'000'000, 'x') + "\"}");
        file.close();
        QVERIFY(s.open({file.fileName()}));
        s.document().set_notes("one");
        QVERIFY(QTest::qWaitFor([&] { return !copies(s).isEmpty(); }, 60'000));
        s.document().set_notes("two");
        const auto* timer = s.window.findChild<Autosave*>()->findChild<QTimer*>();
        QVERIFY(timer != nullptr && timer->isActive());
        QVERIFY2(timer->remainingTime() <= 150, qPrintable(QString::number(timer->remainingTime())));
    }

    void what_could_not_be_put_aside_is_copied_as_soon_as_it_can_be() {
        ShownWindow s;
        QVERIFY(work_until_copied(s));
        auto* autosave = s.window.findChild<Autosave*>();
        const QString folder = s.settings.recovery_folder();
        QVERIFY(QDir(folder).removeRecursively());
        QFile in_the_way(folder);
        QVERIFY(in_the_way.open(QIODevice::WriteOnly));
        s.document().set_notes("last");
        QVERIFY(!autosave->put_aside());
        QVERIFY(in_the_way.remove() && QDir().mkpath(folder));
        QVERIFY(QTest::qWaitFor([&] { return !copies(s).isEmpty(); }, 10000));
        QCOMPARE(read(copies(s).front()).notes, std::string("last"));
    }

    void changes_are_copied_and_the_copy_goes_when_they_are_saved() {
        ShownWindow s;
        QVERIFY(work_until_copied(s));
        const WorkspaceSpec copy = read(copies(s).front());
        QVERIFY(copy.scenario == one_move());
        QCOMPARE(copy.sources.front().path, s.folder.filePath("a.json").toStdString());
        QVERIFY(copy.autosave_of.empty());
        s.chooser.to_save = s.folder.filePath("walk.roofwalk");
        s.action("save").trigger();
        QVERIFY(copies(s).isEmpty());
    }

    void the_file_of_the_person_is_never_written_by_itself() {
        ShownWindow s;
        QVERIFY(work_until_copied(s));
        s.chooser.to_save = s.folder.filePath("walk.roofwalk");
        s.action("save").trigger();
        s.document().set_notes("not saved");
        QVERIFY(QTest::qWaitFor([&] { return !copies(s).isEmpty(); }, 10000));
        QCOMPARE(read(copies(s).front()).autosave_of, s.chooser.to_save.toStdString());
        QCOMPARE(read(copies(s).front()).notes, std::string("not saved"));
        QVERIFY(read(s.chooser.to_save).notes.empty());
    }

    void who_gives_changes_up_leaves_no_copy() {
        QString folder;
        {
            ShownWindow s;
            QVERIFY(work_until_copied(s));
            s.chooser.keep = FileChooser::Keep::discard;
            QVERIFY(s.window.close());
            s.folder.setAutoRemove(false);
            folder = s.folder.path();
        }
        QVERIFY(QDir(folder + "/unsaved").entryList({"*.roofwalk"}, QDir::Files).isEmpty());
        QDir(folder).removeRecursively();
    }

    void after_a_crash_the_start_page_offers_what_was_done() {
        ShownWindow crashed;
        QVERIFY(work_until_copied(crashed));
        ShownWindow s;
        QVERIFY(button(s, "recover") == nullptr);
        const QString left = crash_of(crashed, s);
        QVERIFY(look_again(s));
        QVERIFY(button(s, "recover") != nullptr);
        QTest::mouseClick(button(s, "recover"), Qt::LeftButton);
        QVERIFY(s.settle());
        QTRY_VERIFY(s.document().spec().scenario == one_move());
        QVERIFY(s.window.isWindowModified());
        QVERIFY(s.window.windowTitle().startsWith("a.json"));
        QVERIFY(QFile::exists(left));
        s.chooser.to_save = s.folder.filePath("walk.roofwalk");
        s.action("save").trigger();
        QVERIFY(read(s.chooser.to_save).scenario == one_move());
        QVERIFY(read(s.chooser.to_save).autosave_of.empty());
        QVERIFY(!QFile::exists(left));
    }

    void a_window_that_begins_with_a_file_offers_the_newest_above_the_chart() {
        ShownWindow crashed;
        QVERIFY(work_until_copied(crashed));
        QTemporaryDir folder;
        Settings settings(folder.filePath("settings.json"));
        QVERIFY(QDir().mkpath(settings.recovery_folder()));
        const QString left = QDir(settings.recovery_folder()).filePath("left.roofwalk");
        QVERIFY(QFile::copy(copies(crashed).value(0), left));
        const QString newer = QDir(settings.recovery_folder()).filePath("newer.roofwalk");
        QVERIFY(QFile::copy(left, newer));
        QFile file(left);
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(
            file.setFileTime(QDateTime::currentDateTime().addDays(-1), QFileDevice::FileModificationTime));
        file.close();
        test::PreparedChooser chooser;
        MainWindow window(settings, chooser, {}, QApplication::palette());
        window.open({test::write_many_kernels(folder, "other.json", 2)});
        window.show();
        QTRY_VERIFY(!window.document().empty());
        auto* messages = window.findChild<MessageBar*>();
        QCOMPARE(messages->count(), std::size_t{1});
        const auto discard = [&] { window.findChild<QPushButton*>("message_discard")->click(); };
        QVERIFY(QDir().mkpath(newer + ".lock"));  // so that it cannot be locked
        discard();
        QTRY_COMPARE(messages->count(), std::size_t{2});  // the offer stands, and why
        QVERIFY(QDir().rmdir(newer + ".lock"));
        messages->withdraw([](const Notice& notice) { return notice.action != NoticeAction::recover; });
        QCOMPARE(window.findChildren<QPushButton*>("recover").size(), 2);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        discard();
        QTRY_VERIFY(!QFile::exists(newer));
        QTRY_COMPARE(window.findChildren<QPushButton*>("recover").size(), 1);  // of the start page
        QTRY_COMPARE(window.findChild<MessageBar*>()->count(), std::size_t{1});
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        const auto offer = [&] { return window.findChild<QPushButton*>("message_offer"); };
        QTRY_VERIFY(offer()->isVisible());
        const QString offered = offer()->accessibleName();
        QVERIFY2(offered.contains("a.json"), qPrintable(offered));
        QVERIFY(QFile::copy(left, newer));
        window.findChild<QPushButton*>("discard")->click();  // of the start page
        QTRY_VERIFY(!QFile::exists(left));
        QTRY_VERIFY(offer()->accessibleName() != offered);  // what is gone is offered no longer
        QCOMPARE(messages->count(), std::size_t{1});
        window.document().set_notes("not saved");
        chooser.keep = FileChooser::Keep::stay;
        offer()->click();
        QTRY_COMPARE(chooser.asked, 4);
        QCOMPARE(window.findChild<MessageBar*>()->count(), std::size_t{1});  // the offer stands
        chooser.keep = FileChooser::Keep::discard;
        offer()->click();
        QTRY_VERIFY(window.document().spec().scenario == one_move());
        QVERIFY(window.isWindowModified());
        QCOMPARE(window.findChild<MessageBar*>()->count(), std::size_t{0});
        QVERIFY(QFile::exists(newer));
        window.document().loader().close_all();
    }

    void work_of_a_session_goes_back_to_its_file() {
        ShownWindow crashed;
        QVERIFY(work_until_copied(crashed));
        crashed.chooser.to_save = crashed.folder.filePath("walk.roofwalk");
        crashed.action("save").trigger();
        crashed.document().set_notes("not saved");
        QVERIFY(QTest::qWaitFor([&] { return !copies(crashed).isEmpty(); }, 10000));
        ShownWindow s;
        QVERIFY(!crash_of(crashed, s).isEmpty());
        QVERIFY(look_again(s));
        QTest::mouseClick(button(s, "recover"), Qt::LeftButton);
        QVERIFY(s.settle());
        QTRY_COMPARE(s.document().notes(), QString("not saved"));
        QVERIFY(s.window.windowTitle().startsWith("walk.roofwalk"));
        QVERIFY(s.window.isWindowModified());
        s.action("save").trigger();
        QCOMPARE(read(crashed.chooser.to_save).notes, std::string("not saved"));
        QCOMPARE(read(crashed.chooser.to_save).sources.front().path, std::string("a.json"));
    }

    void declining_deletes_nothing_until_it_is_confirmed() {
        ShownWindow crashed;
        QVERIFY(work_until_copied(crashed));
        ShownWindow s;
        const QString left = crash_of(crashed, s);
        QVERIFY(look_again(s));
        s.chooser.keep = FileChooser::Keep::stay;
        QTest::mouseClick(button(s, "discard"), Qt::LeftButton);
        QTRY_VERIFY(button(s, "recover") != nullptr);
        QVERIFY(QFile::exists(left));
        s.chooser.keep = FileChooser::Keep::discard;
        QTest::mouseClick(button(s, "discard"), Qt::LeftButton);
        QTRY_VERIFY(button(s, "recover") == nullptr);
        QVERIFY(!QFile::exists(left));
    }

    void work_that_cannot_be_shown_is_kept() {
        ShownWindow crashed;
        QVERIFY(work_until_copied(crashed));
        ShownWindow s;
        const QString left = crash_of(crashed, s);
        QVERIFY(QFile::remove(crashed.folder.filePath("a.json")));
        QVERIFY(look_again(s));
        QTest::mouseClick(button(s, "recover"), Qt::LeftButton);
        QVERIFY(s.settle());
        QTRY_VERIFY(s.messages().count() > 0);
        QVERIFY(QFile::exists(left));
        QVERIFY(button(s, "recover") != nullptr);
    }

    void a_copy_that_cannot_be_read_is_shown_and_can_be_discarded() {
        ShownWindow s;
        QDir(s.settings.recovery_folder()).mkpath(".");
        QFile broken(QDir(s.settings.recovery_folder()).filePath("broken.roofwalk"));
        QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write("{\"format\":") > 0);
        broken.close();
        QVERIFY(look_again(s));
        QVERIFY(button(s, "recover") == nullptr);
        QVERIFY(button(s, "discard") != nullptr);
        QTest::mouseClick(button(s, "discard"), Qt::LeftButton);
        QTRY_VERIFY(button(s, "discard") == nullptr);
        QVERIFY(!broken.exists());
    }

    void to_look_for_lost_work_takes_no_lock() {
        ShownWindow crashed;
        QVERIFY(work_until_copied(crashed));
        ShownWindow s;
        const QString left = crash_of(crashed, s);
        LockText gone;
        gone.process = gone_process;
        QVERIFY(gone.write(left));
        QCOMPARE(s.window.findChild<Autosave*>()->lost_work().size(), 1);
        QVERIFY(QFile::exists(left + ".lock"));
    }

    void another_host_name_is_the_same_machine_by_its_id() {
        if (QSysInfo::machineUniqueId().isEmpty()) QSKIP("this machine has no id");
        ShownWindow crashed;
        QVERIFY(work_until_copied(crashed));
        ShownWindow s;
        const QString left = crash_of(crashed, s);
        auto* autosave = s.window.findChild<Autosave*>();
        LockText lock;
        lock.host = "renamed";
        QVERIFY(lock.write(left));
        QVERIFY(autosave->lost_work().isEmpty());
        lock.process = gone_process;
        QVERIFY(lock.write(left));
        QCOMPARE(autosave->lost_work().size(), 1);
        autosave->discard(left);
        QVERIFY(!QFile::exists(left));
    }

    void a_lock_of_another_boot_machine_or_program_hides_no_copy() {
        ShownWindow crashed;
        QVERIFY(work_until_copied(crashed));
        ShownWindow s;
        const QString left = crash_of(crashed, s);
        auto* autosave = s.window.findChild<Autosave*>();
        LockText boot;
        boot.boot = "another";
        LockText machine;
        machine.machine = "another";
        LockText program;
        program.program.chop(1);
        for (const LockText& lock : {boot, machine, program}) {
            QVERIFY(LockText().write(left));
            QVERIFY(autosave->lost_work().isEmpty());
            QVERIFY(lock.write(left));
            QCOMPARE(autosave->lost_work().size(), 1);
        }
    }

    void a_copy_that_could_not_be_read_is_not_written() {
        ShownWindow s;
        QVERIFY(work_until_copied(s));
        const WorkspaceSpec before = read(copies(s).front());
        Bindings bindings;
        bindings.rules.assign(most_rules + 1, {"no such kernel", "copy n=8"});
        test::set_bindings(s.document(), bindings);
        QVERIFY(s.settle());
        QTRY_COMPARE(s.messages().count(), std::size_t{1});
        QVERIFY2(test::told(s).contains("could not be opened again"), qPrintable(test::told(s)));
        QVERIFY(read(copies(s).front()).bindings == before.bindings);
        s.chooser.to_save = s.folder.filePath("walk.roofwalk");
        s.action("save").trigger();
        QVERIFY(!QFile::exists(s.chooser.to_save));
        QVERIFY(s.window.isWindowModified());
    }
    void a_copy_of_another_machine_says_so_and_can_be_discarded() {
        ShownWindow crashed;
        QVERIFY(work_until_copied(crashed));
        ShownWindow s;
        const QString left = crash_of(crashed, s);
        LockText lock;
        lock.machine = "another";
        lock.host = "another";
        QVERIFY(lock.write(left));
        QVERIFY(s.window.findChild<Autosave*>()->lost_work().front().elsewhere);
        QVERIFY(look_again(s));
        const QList<QLabel*> labels = s.window.findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
            return label->text().endsWith("It is of another machine and may be in use there.");
        }));
        s.chooser.keep = FileChooser::Keep::discard;
        QTest::mouseClick(button(s, "discard"), Qt::LeftButton);
        QTRY_VERIFY(button(s, "discard") == nullptr);
        QVERIFY(!QFile::exists(left) && !QFile::exists(left + ".lock"));
    }

    void a_lock_that_could_not_be_had_is_tried_for_again() {
        ShownWindow s;
        QFile in_the_way(s.settings.recovery_folder());
        QVERIFY(in_the_way.open(QIODevice::WriteOnly));
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        s.document().set_notes("one");
        QTRY_VERIFY(s.messages().count() > 0);  // the copy cannot be written
        QVERIFY(in_the_way.remove() && QDir().mkpath(s.settings.recovery_folder()));
        s.document().set_notes("two");
        QVERIFY(QTest::qWaitFor([&] { return !copies(s).isEmpty(); }, 10000));
        QVERIFY(QFile::exists(copies(s).front() + ".lock"));
    }

    void a_copy_whose_owner_runs_is_not_offered() {
        ShownWindow s;
        QVERIFY(work_until_copied(s));
        s.action("close_all").trigger();
        QVERIFY(s.window.findChild<Autosave*>()->lost_work().isEmpty());
    }
};

}  // namespace tst_autosave

ROOFWALK_TEST(tst_autosave, TestAutosave, QApplication)
#include "tst_autosave.moc"

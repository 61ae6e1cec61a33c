// SPDX-License-Identifier: GPL-3.0-or-later
// What becomes of files on disks that are full or cannot be written to, and where the program is killed while
// it writes.
#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QSignalSpy>

#include <sys/stat.h>

#include "core/workspace/session_json.h"
#include "tests/core/devices/hopper.h"
#include "tests/support/folder_tests.h"
#include "tests/support/small_disk.h"
#include "tests/ui/file_content.h"
#include "tests/ui/message_words.h"
#include "tests/ui/shown_window.h"
#include "ui/export/exporter.h"
#include "ui/panels/ceiling_benchmark_job.h"
#include "ui/widgets/qt_text.h"
#include "ui/workspace/autosave.h"

namespace tst_saving {

using namespace roofwalk;
using test::content;
using test::ShownWindow;
using test::SmallDisk;
using test::told;

namespace {

std::string no_mounts;  // why the test may not mount; empty where it may

constexpr qsizetype large = 20'000'000;  // [byte]
constexpr int kills = 3;

/// A window and a small disk. Reports and settings lie elsewhere.
struct WindowWithDisk : ShownWindow {
    WindowWithDisk() : disk(test_folder()) {
        if (!disk.mounted() || !open({test::write_three_kernels(folder, "a.json")})) qFatal("cannot begin");
    }

    [[nodiscard]] QString on_disk(const QString& name) const {
        return to_qt((disk.folder() / name.toStdString()).string());
    }
    [[nodiscard]] bool says_no_room() {
        return QTest::qWaitFor([this] { return told(*this).contains("No space left"); }, 10000);
    }
    [[nodiscard]] QStringList copies() const {
        return QDir(settings.recovery_folder()).entryList({"*.roofwalk"}, QDir::Files);
    }

    SmallDisk disk;

  private:
    [[nodiscard]] std::filesystem::path test_folder() const {
        QDir(folder.path()).mkpath("disk");
        return folder.filePath("disk").toStdString();
    }
};

Result<WorkspaceSpec> session_in(const QString& path) {
    return read_session(content(path).toStdString(), path.toStdString());
}

/// What another process of this program does: it changes and saves a session again and again.
int save_until_killed(const QString& path) {
    ShownWindow s;
    if (!s.open({path})) return 1;
    for (int times = 0;; ++times) {
        s.document().set_notes(times % 2 == 0 ? "even" : "odd");
        s.action("save").trigger();
        if (s.window.isWindowModified() || s.messages().count() > 0) return 2;
        std::puts("saved");
        std::fflush(stdout);
    }
}

/// Whether a process is in the middle of a file in a folder that has no name so far.
bool is_writing(qint64 process, const QString& folder) {
    const QDir open(QStringLiteral("/proc/%1/fd").arg(process));
    for (const QFileInfo& file : open.entryInfoList(QDir::Files | QDir::System))
        if (file.symLinkTarget().startsWith(folder + "/#")) {
            struct stat status {};
            if (stat(qPrintable(file.filePath()), &status) == 0 && status.st_size > 0) return true;
        }
    return false;
}

}  // namespace

class TestSaving : public QObject {
    Q_OBJECT

  private slots:
    void init() {
        if (!no_mounts.empty()) QSKIP(no_mounts.c_str());
    }

    void on_a_full_disk_a_session_stays_as_it_was_saved() {
        WindowWithDisk s;
        s.document().set_notes("one");
        s.chooser.to_save = s.on_disk("walk.roofwalk");
        s.action("save").trigger();
        const QByteArray before = content(s.chooser.to_save);
        QVERIFY(!before.isEmpty());
        QVERIFY(!s.window.isWindowModified());
        s.disk.fill();
        s.document().set_notes("two");
        QTRY_COMPARE_WITH_TIMEOUT(s.copies().size(), 1, 10000);
        s.action("save").trigger();
        QVERIFY2(s.says_no_room(), qPrintable(told(s)));
        QVERIFY2(told(s).contains(s.chooser.to_save), qPrintable(told(s)));
        QCOMPARE(content(s.chooser.to_save), before);
        QVERIFY(s.window.isWindowModified());
        QCOMPARE(s.copies().size(), 1);
        s.chooser.keep = FileChooser::Keep::save;
        QVERIFY(!s.window.close());
        QCOMPARE(content(s.chooser.to_save), before);
        s.disk.make_room();
        s.action("save").trigger();
        QVERIFY(!s.window.isWindowModified());
        QCOMPARE(session_in(s.chooser.to_save)->notes, std::string("two"));
        QVERIFY(s.copies().isEmpty());
    }

    void on_a_full_disk_the_copy_of_unsaved_changes_stays_and_it_is_told() {
        WindowWithDisk s;
        QDir(s.folder.path()).mkpath("unsaved");
        const SmallDisk disk(s.settings.recovery_folder().toStdString());
        s.document().set_notes("one");
        QTRY_COMPARE_WITH_TIMEOUT(s.copies().size(), 1, 10000);
        const QString copy = QDir(s.settings.recovery_folder()).filePath(s.copies().front());
        disk.fill();
        s.document().set_notes("two");
        QVERIFY(s.says_no_room());
        QCOMPARE(session_in(copy)->notes, std::string("one"));
        s.messages().dismiss_all();
        disk.make_room();
        s.document().set_notes("three");
        QTRY_COMPARE_WITH_TIMEOUT(session_in(copy)->notes, std::string("three"), 10000);
        disk.fill();
        s.document().set_notes("four");
        QVERIFY(s.says_no_room());  // the next time the disk is full is told too
        QCOMPARE(session_in(copy)->notes, std::string("three"));
    }

    void on_a_full_disk_an_exported_chart_and_its_numbers_stay() {
        WindowWithDisk s;
        Exporter exporter(s.document(), s.chart(), s.settings, s.chooser, nullptr);
        QSignalSpy exported(&exporter, &Exporter::exported);
        QSignalSpy failed(&exporter, &Exporter::failed);
        const std::array formats{ExportFormat::svg, ExportFormat::png,  ExportFormat::pdf,
                                 ExportFormat::csv, ExportFormat::json, ExportFormat::markdown};
        const auto export_all = [&] {
            for (const ExportFormat format : formats) {
                ExportRequest request;
                request.format = format;
                request.size = "240x200";
                exporter.export_to(s.on_disk("chart." + suffix_of(format)), request);
            }
        };
        export_all();
        QTRY_COMPARE_WITH_TIMEOUT(exported.count(), qsizetype{formats.size()}, 30000);
        std::map<QString, QByteArray> before;
        for (const ExportFormat format : formats)
            before[s.on_disk("chart." + suffix_of(format))] =
                content(s.on_disk("chart." + suffix_of(format)));
        s.disk.fill();
        export_all();
        QTRY_COMPARE_WITH_TIMEOUT(failed.count(), qsizetype{formats.size()}, 30000);
        QCOMPARE(exported.count(), qsizetype{formats.size()});
        for (const auto& [path, bytes] : before) {
            QVERIFY(!bytes.isEmpty());
            QCOMPARE(content(path), bytes);
        }
    }

    void on_a_full_disk_scenarios_numbers_and_ceilings_stay() {
        WindowWithDisk s;
        Scenario scenario;
        scenario.name = "Half";
        scenario.moves.emplace_back().kernel.name = "stream_add(float const*, float*)";
        scenario.moves.back().bytes[MemoryLevel::hbm] = 0.5;
        test::set_scenario(s.document(), scenario);
        QVERIFY(s.settle());
        CeilingBenchmarkJob measurer(s.document(), {}, nullptr);
        const Numbers numbers{[] { return ReportTable{}; }, [] { return std::string("{}\n"); }};
        const auto write_all = [&] {
            s.chooser.to_save = s.on_disk("half.scenario.json");
            s.action("save_scenario").trigger();
            s.chooser.to_save = s.on_disk("half.csv");
            s.action("export_scenario").trigger();
            measurer.export_to(s.on_disk("gpu.ceilings.json"), hopper::measured());
            return write_numbers(s.document(), s.on_disk("numbers.json"), numbers);
        };
        QVERIFY(write_all());
        QCOMPARE(s.messages().count(), std::size_t{0});
        std::map<QString, QByteArray> before;
        for (const char* name : {"half.scenario.json", "half.csv", "gpu.ceilings.json", "numbers.json"})
            before[s.on_disk(name)] = content(s.on_disk(name));
        s.disk.fill();
        QSignalSpy failed(&measurer, &CeilingBenchmarkJob::failed);
        QVERIFY(!write_all());
        QVERIFY(s.says_no_room());
        QCOMPARE(s.messages().count(), std::size_t{2});
        QCOMPARE(failed.count(), 1);
        for (const auto& [path, bytes] : before) {
            QVERIFY(!bytes.isEmpty());
            QCOMPARE(content(path), bytes);
        }
    }

    void on_a_full_disk_settings_stay_and_it_is_told_once() {
        WindowWithDisk s;
        const QString file = s.on_disk("settings.json");
        Settings(file).set_last_folder("/one");
        const QByteArray before = content(file);
        QVERIFY(!before.isEmpty());
        s.disk.fill();
        Settings settings(file);
        QSignalSpy failed(&settings, &Settings::failed);
        settings.set_last_folder("/two");
        QTRY_COMPARE(failed.count(), 1);
        settings.set_last_folder("/three");
        QTest::qWait(50);
        QCOMPARE(failed.count(), 1);
        QCOMPARE(content(file), before);
        s.disk.make_room();
        settings.set_appearance(Appearance::dark);
        QTRY_COMPARE(Settings(file).last_folder(), QString("/three"));
    }

    void on_a_disk_that_cannot_be_written_to_nothing_is_lost() {
        WindowWithDisk s;
        s.document().set_notes("one");
        s.chooser.to_save = s.on_disk("walk.roofwalk");
        s.action("save").trigger();
        QVERIFY(s.disk.make_read_only());
        s.document().set_notes("two");
        s.action("save").trigger();  // asks for another place, and the answer is this one again
        QVERIFY2(told(s).contains("Read-only"), qPrintable(told(s)));
        QCOMPARE(session_in(s.chooser.to_save)->notes, std::string("one"));
        QVERIFY(s.window.isWindowModified());
        s.chooser.to_save = s.folder.filePath("elsewhere.roofwalk");
        s.action("save").trigger();
        QCOMPARE(session_in(s.chooser.to_save)->notes, std::string("two"));
        QVERIFY(!s.window.isWindowModified());
    }

    void who_is_killed_while_a_large_session_is_saved_leaves_the_old_one_or_the_new_one() {
        ShownWindow s;
        const QString path = s.folder.filePath("walk.roofwalk");
        QVERIFY(!test::write_three_kernels(s.folder, "a.json").isEmpty());
        // A member that is not known is kept as it is.
        const QByteArray later = "\"later\":\"" + QByteArray(large, 'x') + '"';
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"format\":\"roofwalk-session\",\"version\":1,\"sources\":[{\"path\":\"a.json\"}]," +
                   later + '}');
        file.close();
        const QString temporary = s.folder.filePath("temporary");
        QVERIFY(QDir().mkpath(temporary));
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("TMPDIR", temporary);
        for (int kill_number = 0; kill_number < kills; ++kill_number) {
            QProcess saver;
            saver.setProcessEnvironment(environment);
            saver.start(QCoreApplication::applicationFilePath(), {"tst_saving", "--save-until-killed", path});
            QVERIFY(saver.waitForReadyRead(60000));
            // Where files have a name from the start, it is some moment.
            QDeadlineTimer some_moment(20000);
            while (!is_writing(saver.processId(), s.folder.path()) && !some_moment.hasExpired()) {
            }
            saver.kill();
            QVERIFY(saver.waitForFinished(60000));
            QCOMPARE(saver.exitStatus(), QProcess::CrashExit);
            const Result<WorkspaceSpec> session = session_in(path);
            QVERIFY2(session, session ? "" : to_line(session.error()).c_str());
            QVERIFY(session->notes == "even" || session->notes == "odd");
            QVERIFY(session->unknown_members == later.toStdString());
            QVERIFY(QDir(s.folder.path()).entryList({".roofwalk-*"}, QDir::Files | QDir::Hidden).size() <= 1);
        }
        QVERIFY(s.open({path}));
        s.document().set_notes("last");
        s.action("save").trigger();
        QCOMPARE(session_in(path)->notes, std::string("last"));
        QVERIFY(QDir(s.folder.path()).entryList({".roofwalk-*"}, QDir::Files | QDir::Hidden).isEmpty());
    }
};

int run_tests(int argc, char** argv) {
    no_mounts = test::begin_own_mounts();
    QApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.value(1) == "--save-until-killed") return save_until_killed(arguments.value(2));
    TestSaving tests;
    return QTest::qExec(&tests, argc, argv);
}

}  // namespace tst_saving

ROOFWALK_TEST_RUN_BY(tst_saving, run_tests)
#include "tst_saving.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <memory>

#include "profiler/recording/live_source.h"
#include "profiler/recording/recording_log.h"
#include "tests/support/folder_tests.h"

namespace tst_recording_log {

using namespace roofwalk;

namespace {

/// Logs stand in a folder of the test alone as long as it lives.
struct StateFolder {
    QTemporaryDir folder;
    QByteArray before = qgetenv("XDG_STATE_HOME");

    StateFolder() { qputenv("XDG_STATE_HOME", folder.path().toUtf8()); }
    ~StateFolder() { qputenv("XDG_STATE_HOME", before); }

    [[nodiscard]] QStringList logs() const {
        return QDir(folder.filePath("roofwalk/logs")).entryList(QDir::Files, QDir::Name);
    }
};

QByteArray content_of(const RecordingLog& log) {
    QFile file(QString::fromStdString(log.path().string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

ProfileRequest request() {
    ProfileRequest made;
    made.launch.command = {"./train", "--password", "argument-secret"};
    made.launch.environment = {{"TOKEN", "variable-secret"}};
    made.launch.through = {"ssh", "node-secret"};
    made.output = "run-%q{NAME}.jsonl";
    return made;
}

}  // namespace

class TestRecordingLog : public QObject {
    Q_OBJECT

  private slots:
    void it_says_what_is_done_and_no_secret() {
        const StateFolder state;
        const RecordingLog log = RecordingLog::begin("Roofwalk 1.2.3", request());
        const QByteArray content = content_of(log);
        for (const char* const said : {"Roofwalk 1.2.3", "glibc", "./train", "TOKEN", "run-%q{NAME}.jsonl"})
            QVERIFY2(content.contains(said), said);
        QVERIFY(!content.contains("secret"));
        QCOMPARE(last_recording_log().value_or(""), log.path());
        QVERIFY(log.name_for_person().find(log.path().string()) != std::string::npos);
        const auto mode = QFile::permissions(QString::fromStdString(log.path().string()));
        QVERIFY(!(mode & (QFile::ReadGroup | QFile::ReadOther)));
    }

    void what_is_new_is_written_once() {
        const StateFolder state;
        const RecordingLog log = RecordingLog::begin("Roofwalk", request());
        RecordingStatus status;
        status.sentence = "Recording.";
        status.problems = {{ErrorCode::corrupt, "A part cannot be read", "process 7", ""}};
        log.follow(status);
        log.follow(status);
        status.phase = RecordingPhase::ended;
        status.sentence = "The program ended.\x1b[31m";
        status.counts.seen = 4711;
        log.follow(status);
        log.follow(status);
        const QByteArray content = content_of(log);
        QCOMPARE(content.count("Recording."), 1);
        QCOMPARE(content.count("corrupt: A part cannot be read (process 7)"), 1);
        QCOMPARE(content.count("4711 seen"), 1);
        QVERIFY(!content.contains('\x1b'));
    }

    void what_ends_a_recording_names_the_log() {
        const StateFolder state;
        const RecordingLog log = RecordingLog::begin("Roofwalk", request());
        const Error error{ErrorCode::not_profiled, "No agent", "", "Install it."};
        const Error named = log.failed(error);
        QVERIFY(named.hint.starts_with("Install it. "));
        QVERIFY(named.hint.find(log.path().string()) != std::string::npos);
        QVERIFY(content_of(log).contains("not_profiled: No agent"));
    }

    void a_window_is_told_where_the_log_is() {
        const StateFolder state;
        ProfileRequest program;
        program.launch.command = {"true"};
        const auto refused =
            start_live_source(program, {"/nowhere/libroofwalk_agent.so", {}, true}, "Roofwalk");
        QVERIFY(!refused);
        QVERIFY(refused.error().hint.find(last_recording_log().value_or("none").string()) !=
                std::string::npos);
        program.launch.through = {"false"};
        const auto failing = start_live_source(program, {}, "Roofwalk");
        QVERIFY(failing);
        while ((*failing)->read({})) {
        }
        const RecordingStatus status = (*failing)->status();
        QCOMPARE(status.phase, RecordingPhase::failed);
        QVERIFY(status.hint.find(last_recording_log().value_or("none").string()) != std::string::npos);
        QCOMPARE(state.logs().size(), 2);
    }

    void the_last_few_are_kept() {
        const StateFolder state;
        RecordingLog last;
        for (int at = 0; at < 25; ++at)
            last = RecordingLog::begin("Roofwalk", request());
        QCOMPARE(state.logs().size(), 20);
        QCOMPARE(state.logs().last().toStdString(), last.path().filename().string());
    }

    void where_others_could_change_the_folder_no_file_is_made() {
        const StateFolder state;
        const std::filesystem::path folder = recording_log_folder().value_or("");
        std::filesystem::create_directories(folder);
        std::filesystem::permissions(folder, std::filesystem::perms::all);
        const RecordingLog log = RecordingLog::begin("Roofwalk", request());
        QVERIFY(log.path().empty() && log.name_for_person().empty());
        QVERIFY(state.logs().empty());
        const Error error{ErrorCode::not_profiled, "No agent", "", "Install it."};
        QVERIFY(log.failed(error) == error);
    }

    void one_that_was_not_begun_writes_nothing() {
        const StateFolder state;
        const RecordingLog log;
        log.info("nothing");
        log.follow({});
        QVERIFY(log.path().empty());
        QVERIFY(!last_recording_log());
    }
};

}  // namespace tst_recording_log

ROOFWALK_TEST(tst_recording_log, TestRecordingLog, NoApplication)
#include "tst_recording_log.moc"

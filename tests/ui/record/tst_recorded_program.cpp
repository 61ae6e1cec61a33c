// SPDX-License-Identifier: GPL-3.0-or-later
// The window, the session, the agent and a program, with a false driver and a false CUPTI below them.
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <fstream>

#include "profiler/recording/live_source.h"
#include "tests/support/folder_tests.h"
#include "tests/ui/shown_window.h"
#include "ui/record/recorder.h"

namespace tst_recorded_program {

using namespace roofwalk;
using test::ShownWindow;

namespace {

constexpr const char* node_program = R"(#!/bin/sh
shift 1
exec '%s' profile --force --agent '%s' --cupti '%s' "$@"
)";

RecordingBackend backend() {
    return {[](const std::stop_token&) { return RecordingOffer(); },
            [](const ProfileRequest& request, const std::stop_token& stop) {
                return start_live_source(request, {ROOFWALK_AGENT_LIBRARY, ROOFWALK_FAKE_CUPTI, true},
                                         "Roofwalk test", stop);
            }};
}

struct Recording {
    Recording() : s({}, backend()) {}

    /// A program that launches and then waits to be stopped. `through` starts it on another machine.
    [[nodiscard]] bool start(const QString& through = {}) {
        s.action("record").trigger();
        s.window.findChild<QComboBox*>("record_command")
            ->setEditText(ROOFWALK_FAKE_TARGET
                          R"( "context 0" "print it speaks" "launch _Z5saxpyPf 4 6" "launch gemm 8 6" wait)");
        s.window.findChild<QLineEdit*>("record_through")->setText(through);
        s.window.findChild<QLineEdit*>("record_file")->setText(file());
        auto* button = s.window.findChild<QPushButton*>("record_start");
        if (!QTest::qWaitFor([&] { return button->isEnabled(); })) return false;
        QSignalSpy started(&recorder(), &Recorder::started);
        QTest::mouseClick(button, Qt::LeftButton);
        return started.size() == 1 || started.wait();
    }
    [[nodiscard]] bool fills() {
        return QTest::qWaitFor(
                   [&] { return s.document().profile() && s.document().profile()->launches.size() == 12; },
                   20'000) &&
               s.settle();
    }
    [[nodiscard]] bool stops() {
        QTest::mouseClick(s.window.findChild<QPushButton*>("recording_stop"), Qt::LeftButton);
        return QTest::qWaitFor([&] { return !recorder().running(); }, 20'000) && s.settle();
    }
    [[nodiscard]] Recorder& recorder() { return *s.window.findChild<Recorder*>(); }
    [[nodiscard]] QString output() {
        return s.window.findChild<QPlainTextEdit*>("program_output")->toPlainText();
    }
    [[nodiscard]] QString file() const { return s.folder.filePath("run.jsonl"); }

    ShownWindow s;
};

}  // namespace

class TestRecordedProgram : public QObject {
    Q_OBJECT

  private slots:
    void it_fills_the_chart_and_its_file_is_opened() {
        Recording r;
        QVERIFY(r.start());
        QVERIFY(r.fills());
        QVERIFY(r.s.chart().isVisible());
        QVERIFY(QTest::qWaitFor([&] { return r.output().contains("it speaks"); }));
        QVERIFY(r.recorder().running());
        QVERIFY(r.stops());
        QCOMPARE(r.s.document().files().size(), std::size_t{1});
        QCOMPARE(to_qt(r.s.document().files().front().path), r.file());
        QCOMPARE(r.s.document().profile()->launches.size(), std::size_t{12});
        QVERIFY(r.recorder().status().problems.empty());
    }
    void through_a_command_it_is_the_same() {
        Recording r;
        const std::string program = r.s.folder.filePath("roofwalk-cli").toStdString();
        std::ofstream(program) << QString::asprintf(node_program, ROOFWALK_CLI, ROOFWALK_AGENT_LIBRARY,
                                                    ROOFWALK_FAKE_CUPTI)
                                      .toStdString();
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
        QVERIFY(r.start("env " + QString::fromStdString(program)));
        QVERIFY(r.fills());
        QVERIFY(QTest::qWaitFor([&] { return r.output().contains("it speaks"); }));
        QVERIFY(r.stops());
        QCOMPARE(r.recorder().status().phase, RecordingPhase::ended);
        QCOMPARE(r.s.document().profile()->launches.size(), std::size_t{12});
        QVERIFY(!r.s.document().profile()->sources.at(0).partial);
    }
};

}  // namespace tst_recorded_program

ROOFWALK_TEST(tst_recorded_program, TestRecordedProgram, QApplication)
#include "tst_recorded_program.moc"

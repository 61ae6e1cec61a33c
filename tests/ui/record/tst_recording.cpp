// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QTreeWidget>

#include "core/report/profile_to_json.h"
#include "tests/support/folder_tests.h"
#include "tests/ui/file_content.h"
#include "tests/ui/message_words.h"
#include "tests/ui/record/fake_recording.h"
#include "tests/ui/shown_window.h"
#include "ui/record/recorder.h"
#include "ui/record/recording_panel.h"

namespace tst_recording {

using namespace roofwalk;
using test::ShownWindow;
using test::told;

namespace {

/// Launches of one kernel, each slower than the last.
Profile profile_of(std::size_t launches) {
    Profile profile;
    profile.sources.push_back({.path = "run",
                               .format = SourceFormat::roofwalk_lines,
                               .tool = {},
                               .command_line = {},
                               .created = {}});
    Device device;
    device.name = "H100 SXM";
    profile.devices.push_back(device);
    profile.kernels.push_back({"saxpy(float *)", "saxpy", {}});
    for (std::size_t i = 0; i < launches; ++i) {
        Launch launch;
        launch.duration = Seconds(1e-3 * static_cast<double>(i + 1));
        launch.work.push_back({.pipe = {PipeKind::fp32}, .work = Flops(2e8)});
        launch.traffic.push_back(
            {.boundary = Boundary::hbm_dram_rw, .total = Bytes(1.2e9), .read = {}, .write = {}});
        profile.launches.push_back(launch);
    }
    return profile;
}

struct Recording {
    Recording() : s({}, fake.backend()) {}

    /// Types a command into the page and starts it.
    [[nodiscard]] bool start() {
        s.action("record").trigger();
        auto* command = s.window.findChild<QComboBox*>("record_command");
        auto* button = s.window.findChild<QPushButton*>("record_start");
        if (!command || !button) return false;
        command->setEditText("./saxpy 1e8");
        if (!QTest::qWaitFor([&] { return button->isEnabled(); })) return false;
        QSignalSpy started(&recorder(), &Recorder::started);
        QTest::mouseClick(button, Qt::LeftButton);
        return started.size() == 1 || started.wait();
    }
    [[nodiscard]] bool shows(std::size_t launches) {
        return QTest::qWaitFor([&] {
                   return s.document().profile() && s.document().profile()->launches.size() == launches;
               }) &&
               s.settle();
    }
    [[nodiscard]] Recorder& recorder() { return *s.window.findChild<Recorder*>(); }
    [[nodiscard]] QDockWidget& dock() { return *s.window.findChild<QDockWidget*>("dock_recording"); }
    [[nodiscard]] QString words(const char* name) {
        return s.window.findChild<QLabel*>(name)->accessibleName();
    }
    [[nodiscard]] bool ended() {
        return QTest::qWaitFor([&] { return !recorder().running(); }) && s.settle();
    }

    test::FakeBackend fake;
    ShownWindow s;
};

}  // namespace

class TestRecording : public QObject {
    Q_OBJECT

  private slots:
    void the_chart_fills_while_the_program_runs() {
        Recording r;
        QVERIFY(r.start());
        QVERIFY(r.dock().isVisible());
        r.fake.script->stand(RecordingPhase::running, "Recording ./saxpy.");
        r.fake.script->bring(profile_of(1));
        QVERIFY(r.shows(1));
        QVERIFY(r.s.chart().isVisible());
        QVERIFY(r.dock().isVisible());
        r.s.document().select(0);
        r.fake.script->bring(profile_of(3));
        QVERIFY(r.shows(3));
        QCOMPARE(r.s.document().selection(), std::optional<std::uint32_t>(0));
        QCOMPARE(r.words("recording_sentence"), QString("Recording ./saxpy."));
        QVERIFY2(r.words("recording_counts").contains("3 recorded"), qPrintable(r.words("recording_counts")));
        QCOMPARE(r.words("recording_program"), QString("./saxpy 1e8"));
    }
    void what_the_program_writes_stands_in_its_pane() {
        Recording r;
        QVERIFY(r.start());
        r.fake.script->write("residual 1e-3\n");
        auto* pane = r.s.window.findChild<QPlainTextEdit*>("program_output");
        QVERIFY(QTest::qWaitFor([&] { return pane->toPlainText().contains("residual 1e-3"); }));
    }
    void the_file_of_an_ended_recording_is_opened() {
        Recording r;
        const QString file = r.s.folder.filePath("run.jsonl");
        QVERIFY(r.start());
        r.fake.script->bring(profile_of(2));
        QVERIFY(r.shows(2));
        QFile written(file);
        QVERIFY(written.open(QIODevice::WriteOnly));
        written.write(QByteArray::fromStdString(to_json(profile_of(2))));
        written.close();
        r.fake.script->name_file(file.toStdString());
        r.fake.script->stand(RecordingPhase::ended, "The program ended.");
        QVERIFY(r.ended());
        QCOMPARE(r.s.document().files().size(), std::size_t{1});
        QCOMPARE(to_qt(r.s.document().files().front().path), file);
        QVERIFY(r.s.settings.recent_files().contains(file));
        QVERIFY(r.s.action("record").isEnabled());
    }
    void escape_leaves_the_page() {
        Recording r;
        for (const bool with_document : {false, true}) {
            if (with_document) QVERIFY(r.s.open({test::write_three_kernels(r.s.folder, "before.json")}));
            r.s.action("record").trigger();
            auto* command = r.s.window.findChild<QComboBox*>("record_command");
            QVERIFY(command->isVisible());
            QTest::keyClick(command, Qt::Key_Escape);
            QTRY_VERIFY(!command->isVisible());
            QCOMPARE(r.s.chart().isVisible(), with_document);
        }
    }
    void a_report_of_nsight_compute_takes_the_place_of_what_was_open() {
        Recording r;
        QVERIFY(r.s.open({test::write_three_kernels(r.s.folder, "before.json")}));
        const QString file = r.s.folder.filePath("run.json");
        QFile written(file);
        QVERIFY(written.open(QIODevice::WriteOnly));
        written.write(QByteArray::fromStdString(to_json(profile_of(2))));
        written.close();
        r.s.action("record").trigger();
        auto* with_ncu = r.s.window.findChild<QRadioButton*>("record_with_ncu");
        QTRY_VERIFY(with_ncu->isEnabled());
        with_ncu->click();
        QVERIFY(r.start());
        QVERIFY(r.fake.asked->with_ncu);
        r.fake.script->stand(RecordingPhase::running, "Nsight Compute records.");
        r.fake.script->name_file(file.toStdString());
        r.fake.script->stand(RecordingPhase::ended, "The program ended.");
        QVERIFY(r.ended());
        QVERIFY(r.shows(2));
        QVERIFY(r.s.chart().isVisible());
        QCOMPARE(to_qt(r.s.document().files().front().path), file);
    }
    void stop_keeps_what_is_on_its_way_and_cancel_does_not_wait() {
        Recording r;
        QVERIFY(r.start());
        r.fake.script->stand(RecordingPhase::running, "Recording.");
        auto* stop = r.s.window.findChild<QPushButton*>("recording_stop");
        QVERIFY(QTest::qWaitFor([&] { return stop->isEnabled(); }));
        QTest::mouseClick(stop, Qt::LeftButton);
        QVERIFY(r.ended());
        QCOMPARE(r.fake.script->stops, 1);
        Recording other;
        QVERIFY(other.start());
        QTest::mouseClick(other.s.window.findChild<QPushButton*>("recording_cancel"), Qt::LeftButton);
        QVERIFY(other.ended());
        QCOMPARE(other.fake.script->cancels, 1);
    }
    void a_recording_can_be_cancelled_before_it_began() {
        Recording r;
        const auto hold = std::make_shared<std::mutex>();
        std::unique_lock held(*hold);
        RecordingBackend slow = r.fake.backend();
        const auto was_told = std::make_shared<std::atomic<bool>>(false);
        slow.start = [=, start = slow.start](const ProfileRequest& request, const std::stop_token& stop) {
            const std::scoped_lock until_told(*hold);
            *was_told = stop.stop_requested();
            return start(request, stop);
        };
        ShownWindow s({}, slow);
        auto& recorder = *s.window.findChild<Recorder*>();
        ProfileRequest request;
        request.output = s.folder.filePath("run.jsonl").toStdString();
        recorder.start(request);
        QSignalSpy finished(&recorder, &Recorder::finished);
        s.action("record").trigger();
        recorder.cancel();
        QCOMPARE(finished.size(), 1);
        QVERIFY(!recorder.running());
        QVERIFY2(told(s).contains("cancelled before it began"), qPrintable(told(s)));
        held.unlock();
        QVERIFY(QTest::qWaitFor([&] { return was_told->load(); }));
    }
    void what_cannot_be_started_is_said_on_the_page() {
        Recording r;
        *r.fake.refusal =
            Error{ErrorCode::file_not_found, "There is no such program", "./saxpy", "Check it."};
        r.s.action("record").trigger();
        auto* button = r.s.window.findChild<QPushButton*>("record_start");
        r.s.window.findChild<QComboBox*>("record_command")->setEditText("./saxpy");
        QVERIFY(QTest::qWaitFor([&] { return button->isEnabled(); }));
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(QTest::qWaitFor([&] { return !r.words("record_fault").isEmpty(); }));
        QCOMPARE(r.words("record_fault"), QString("There is no such program (./saxpy). Check it."));
        QVERIFY(button->isEnabled());
        QVERIFY(!r.dock().isVisible());
    }
    void loading_an_agent_into_a_program_is_tried_on_another() {
        Recording r;
        RunningProgram program{7, "app", "./app",
                               Error{ErrorCode::not_profiled, "No agent waits in it", {}, {}}};
        r.fake.offer->programs = {program};
        r.s.action("record").trigger();
        r.s.window.findChild<QRadioButton*>("record_attach")->click();
        auto* list = r.s.window.findChild<QTreeWidget*>("record_programs");
        QVERIFY(QTest::qWaitFor([&] { return list->topLevelItemCount() == 1; }));
        list->setCurrentItem(list->topLevelItem(0));
        auto* try_it = r.s.window.findChild<QPushButton*>("record_try_injection");
        try_it->click();
        QVERIFY(QTest::qWaitFor([&] { return r.words("record_trial").startsWith("It works here"); }));
        *r.fake.trial =
            tl::unexpected(Error{ErrorCode::not_profiled, "No agent can be loaded", {}, "Install gdb."});
        try_it->click();
        QVERIFY(QTest::qWaitFor([&] { return r.words("record_trial").contains("Install gdb."); }));
    }
    void the_chart_keeps_its_room_beside_what_the_program_writes() {
        Recording r;
        r.s.window.resize(1280, 800);
        QVERIFY(r.start());
        r.fake.script->stand(RecordingPhase::running, "Recording ./saxpy.");
        r.fake.script->bring(profile_of(1));
        QVERIFY(r.shows(1));
        QVERIFY(QTest::qWaitFor([&] { return r.dock().height() < r.s.chart().height(); }));
    }
    void a_recording_that_ends_without_a_launch_tells_why() {
        Recording r;
        QVERIFY(r.start());
        r.fake.script->stand(RecordingPhase::failed, "The agent never connected.");
        QVERIFY(r.ended());
        QVERIFY2(told(r.s).contains("The agent never connected."), qPrintable(told(r.s)));
        QVERIFY(r.s.document().empty());
    }
    void who_opens_something_else_meanwhile_keeps_it() {
        Recording r;
        QVERIFY(r.start());
        r.fake.script->bring(profile_of(1));
        QVERIFY(r.shows(1));
        QVERIFY(r.s.open({test::write_three_kernels(r.s.folder, "a.json")}));
        r.fake.script->bring(profile_of(2));
        QTest::qWait(300);
        QVERIFY(r.s.settle());
        QCOMPARE(to_qt(r.s.document().files().front().path), r.s.folder.filePath("a.json"));
        r.fake.script->name_file(r.s.folder.filePath("run.jsonl").toStdString());
        r.fake.script->stand(RecordingPhase::ended, "The program ended.");
        QVERIFY(r.ended());
        QVERIFY2(told(r.s).contains("The recording has ended."), qPrintable(told(r.s)));
        QCOMPARE(to_qt(r.s.document().files().front().path), r.s.folder.filePath("a.json"));
    }
    void a_window_that_records_asks_before_it_closes() {
        Recording r;
        QVERIFY(r.start());
        r.s.chooser.keep = FileChooser::Keep::stay;
        r.s.window.close();
        QCOMPARE(r.s.chooser.asked, 1);
        QVERIFY(r.s.window.isVisible());
        QVERIFY(r.recorder().running());
        r.s.chooser.keep = FileChooser::Keep::discard;
        r.s.window.close();
        QVERIFY(!r.s.window.isVisible());
    }
    void without_a_backend_the_window_says_so() {
        ShownWindow s;
        QVERIFY(!s.action("record").isEnabled());
        QVERIFY(!s.window.findChild<QPushButton*>("start_record")->isEnabled());
        QVERIFY(!s.window.findChild<QPushButton*>("start_record")->toolTip().isEmpty());
    }
    void counts_that_say_nothing_are_left_out() {
        RecordingStatus status;
        status.elapsed = Seconds(12.4);
        status.counts.seen = 18'204;
        status.counts.recorded = 312;
        QCOMPARE(recording_counts(status), QString("12.4 s · 18,204 launches seen, 312 recorded"));
        status.processes = 2;
        status.counts.sampled_out = 17'000;
        status.counts.filtered = 890;
        status.counts.dropped = 2;
        QCOMPARE(recording_counts(status),
                 QString("12.4 s · 2 processes · 18,204 launches seen, 312 recorded, 17,000 not sampled, 890 "
                         "left out by the filter, 2 dropped"));
    }
};

}  // namespace tst_recording

ROOFWALK_TEST(tst_recording, TestRecording, QApplication)
#include "tst_recording.moc"

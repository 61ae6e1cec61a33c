// SPDX-License-Identifier: GPL-3.0-or-later
// What the window does to record programs: the page that asks, the panel beside the chart, the end.
#include <QDockWidget>
#include <QFileInfo>
#include <QStackedWidget>
#include <QTimer>

#include "ui/chart/roofline_chart.h"
#include "ui/record/record_page.h"
#include "ui/record/recorder.h"
#include "ui/record/recording_panel.h"
#include "ui/shell/actions.h"
#include "ui/shell/main_window.h"
#include "ui/shell/status_line.h"
#include "ui/widgets/late_dock.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/plain_text.h"
#include "ui/workspace/session_files.h"

namespace roofwalk {

void MainWindow::make_record_views() {
    recorder_ = new Recorder(document_, std::move(recording_backend_), this);
    recording_dock_ = make_late_dock(
        "dock_recording", tr("Recording"), Qt::BottomDockWidgetArea, [this] { return recorder_->running(); },
        [this] {
            recording_ = new RecordingPanel(this);
            connect(recording_, &RecordingPanel::stop_requested, recorder_, &Recorder::stop);
            connect(recording_, &RecordingPanel::cancel_requested, recorder_, &Recorder::cancel);
            connect(recorder_, &Recorder::wrote, recording_, &RecordingPanel::add_output);
            connect(recorder_, &Recorder::status_changed, recording_,
                    [this] { recording_->show_status(recorder_->status()); });
            recording_->show_status(recorder_->status());
            return recording_;
        });
    tabifyDockWidget(scenario_dock_, recording_dock_);
    const QString obstacle = recorder_->available() ? QString() : tr("This build records no programs.");
    actions_->record->setEnabled(obstacle.isEmpty());
    set_tooltip(*actions_->record, obstacle.isEmpty() ? actions_->record->text() : obstacle);
    start_page_->set_record_obstacle(obstacle);
}

void MainWindow::connect_record() {
    connect(actions_->record, &QAction::triggered, this, &MainWindow::show_record_page);
    connect(recorder_, &Recorder::failed, this, [this](const Error& error) {
        actions_->record->setEnabled(true);
        recording_dock_->hide();
        record_page_->setEnabled(true);
        record_page_->show_fault(error);
    });
    connect(recorder_, &Recorder::finished, this, &MainWindow::end_recording);
    connect(&document_, &Document::files_changed, this, [this] {
        if (!recorder_->running() || !recorder_->shown()) return;
        recording_dock_->show();  // the layout of the document may have hidden it
        if (record_page_ && pages_->currentWidget() == record_page_) leave_record_page();
    });
}

void MainWindow::show_record_page() {
    if (!record_page_) {
        record_page_ = new RecordPage(settings_, this);
        pages_->addWidget(record_page_);
        connect(recorder_, &Recorder::looked, record_page_, &RecordPage::show_offer);
        connect(recorder_, &Recorder::tried, record_page_, &RecordPage::show_trial);
        connect(record_page_, &RecordPage::trial_requested, recorder_, &Recorder::try_injection);
        connect(record_page_, &RecordPage::look_again_requested, recorder_, &Recorder::look);
        connect(record_page_, &RecordPage::back_requested, this, &MainWindow::leave_record_page);
        connect(record_page_, &RecordPage::start_requested, this, &MainWindow::start_recording);
    }
    pages_->setCurrentWidget(record_page_);
    record_page_->show_looking();
    record_page_->focus_first();
    recorder_->look();
}

void MainWindow::leave_record_page() {
    pages_->setCurrentIndex(document_.empty() ? 0 : 1);
    if (!document_.empty()) chart_->setFocus();
}

void MainWindow::start_recording(const ProfileRequest& request) {
    if (!session_files_->may_leave(this)) return;
    settings_.set_last_folder(QFileInfo(QString::fromStdString(request.output)).absolutePath());
    actions_->record->setEnabled(false);
    record_page_->setEnabled(false);
    recorder_->start(request);
    recording_dock_->show();
    recording_dock_->raise();
    recording_->begin(program_of(request));
    // The chart that is to come needs the room more than what the program writes.
    QTimer::singleShot(
        0, this, [this] { resizeDocks({recording_dock_}, {recording_->sizeHint().height()}, Qt::Vertical); });
}

void MainWindow::end_recording() {
    actions_->record->setEnabled(true);
    record_page_->setEnabled(true);
    const RecordingStatus& status = recorder_->status();
    QStringList files;
    for (const std::string& file : status.files)
        files.append(QString::fromStdString(file));
    // What is shown is read again from its file; anything else takes the place of a session that may be open.
    const bool is_shown = recorder_->shown();
    const auto open_files = [this, files, is_shown] {
        if (is_shown)
            document_.open(files, Document::Opening::replace);
        else
            session_files_->open(files, Document::Opening::replace, this);
        return true;
    };
    // Nsight Compute writes no report that holds nothing, and how it words its launches is its own affair.
    const bool holds_launches = status.recorded > 0 || recorder_->request().with_ncu;
    if (status.phase == RecordingPhase::failed || !holds_launches || files.isEmpty()) {
        messages_->show_message(status.phase == RecordingPhase::failed ? MessageBar::Severity::error
                                                                       : MessageBar::Severity::warning,
                                {ErrorCode::not_understood, status.sentence,
                                 program_of(recorder_->request()).toStdString(), status.hint});
        return;
    }
    // Who has stayed on the page waits for what it brings: Nsight Compute brings all of it at the end.
    const bool awaited =
        record_page_ && pages_->currentWidget() == record_page_ && !session_files_->modified();
    leave_record_page();
    if (is_shown || document_.empty() || awaited) {
        open_files();
        status_->showMessage(tr("Recorded: %1").arg(files.join(QStringLiteral(", "))), 6000);
    } else {
        messages_->show_message(MessageBar::Severity::warning,
                                {ErrorCode::not_understood, tr("The recording has ended.").toStdString(),
                                 files.join(QStringLiteral(", ")).toStdString(), status.sentence},
                                {tr("Open it"), open_files});
    }
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/recording_view.h"

#include <QAction>
#include <QDockWidget>
#include <QFileInfo>
#include <QMainWindow>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTimer>
#include <utility>

#include "ui/record/record_page.h"
#include "ui/record/recorder.h"
#include "ui/record/recording_panel.h"
#include "ui/shell/dock_layout.h"
#include "ui/shell/settings.h"
#include "ui/widgets/message_bar.h"
#include "ui/workspace/document.h"
#include "ui/workspace/session_files.h"

namespace roofwalk {

RecordingView::RecordingView(Document& document, Settings& settings, SessionFiles& sessions,
                             MessageBar& messages, DockLayout& docks, QStackedWidget& pages, QAction& record,
                             RecordingBackend backend, QMainWindow& window)
    : QObject(&window),
      document_(document),
      settings_(settings),
      sessions_(sessions),
      messages_(messages),
      pages_(pages),
      record_(record),
      window_(window),
      recorder_(new Recorder(document, std::move(backend), this)) {
    dock_ = docks.add_lazy(
        "dock_recording", tr("Recording"), Qt::BottomDockWidgetArea, [this] { return recorder_->running(); },
        [this] {
            panel_ = new RecordingPanel(&window_);
            connect(panel_, &RecordingPanel::stop_requested, recorder_, &Recorder::stop);
            connect(panel_, &RecordingPanel::cancel_requested, recorder_, &Recorder::cancel);
            connect(recorder_, &Recorder::wrote, panel_, &RecordingPanel::add_output);
            connect(recorder_, &Recorder::status_changed, panel_,
                    [this] { panel_->show_status(recorder_->status()); });
            panel_->show_status(recorder_->status());
            return panel_;
        });
    connect(&record_, &QAction::triggered, this, &RecordingView::show_page);
    connect(recorder_, &Recorder::failed, this, &RecordingView::show_failure);
    connect(recorder_, &Recorder::finished, this, &RecordingView::end);
}

void RecordingView::show_page() {
    if (!page_) {
        page_ = new RecordPage(settings_, &window_);
        pages_.addWidget(page_);
        connect(recorder_, &Recorder::looked, page_, &RecordPage::show_offer);
        connect(recorder_, &Recorder::tried, page_, &RecordPage::show_trial);
        connect(page_, &RecordPage::trial_requested, recorder_, &Recorder::try_injection);
        connect(page_, &RecordPage::look_again_requested, recorder_, &Recorder::look);
        connect(page_, &RecordPage::back_requested, this, &RecordingView::leave_page);
        connect(page_, &RecordPage::start_requested, this, &RecordingView::start);
    }
    pages_.setCurrentWidget(page_);
    page_->show_looking();
    page_->focus_first();
    recorder_->look();
}

void RecordingView::leave_page() {
    pages_.setCurrentIndex(document_.empty() ? 0 : 1);
    if (!document_.empty()) pages_.currentWidget()->setFocus();
}

void RecordingView::show_dock() {
    if (!recorder_->running() || !recorder_->shown()) return;
    dock_->show();  // the layout of the document may have hidden it
    if (page_ && pages_.currentWidget() == page_) leave_page();
}

void RecordingView::start(const ProfileRequest& request) {
    if (!sessions_.may_leave(&window_)) return;
    settings_.set_last_folder(QFileInfo(QString::fromStdString(request.output)).absolutePath());
    record_.setEnabled(false);
    page_->setEnabled(false);
    recorder_->start(request);
    dock_->show();
    dock_->raise();
    panel_->begin(program_of(request));
    // The chart that is to come needs the room more than what the program writes.
    QTimer::singleShot(0, this,
                       [this] { window_.resizeDocks({dock_}, {panel_->sizeHint().height()}, Qt::Vertical); });
}

void RecordingView::show_failure(const Error& error) {
    record_.setEnabled(true);
    dock_->hide();
    page_->setEnabled(true);
    page_->show_fault(error);
}

void RecordingView::end() {
    record_.setEnabled(true);
    page_->setEnabled(true);
    const RecordingStatus& status = recorder_->status();
    const QStringList files = to_qt(status.files);
    // What is shown is read again from its file; anything else takes the place of a session that may be open.
    const bool is_shown = recorder_->shown();
    const auto open_files = [this, files, is_shown] {
        if (is_shown)
            document_.loader().open(files, ReportLoader::Opening::replace);
        else
            sessions_.open(files, ReportLoader::Opening::replace, &window_);
        return true;
    };
    // Nsight Compute writes no report that holds nothing, and how it words its launches is its own affair.
    const bool holds_launches =
        status.counts.recorded + status.counts.sampled_out > 0 || recorder_->request().with_ncu;
    if (status.phase == RecordingPhase::failed || !holds_launches || files.isEmpty()) {
        messages_.show_notice({status.phase == RecordingPhase::failed ? Severity::error : Severity::warning,
                               status.sentence, program_of(recorder_->request()).toStdString(), status.hint});
        return;
    }
    // Who has stayed on the page waits for what it brings: Nsight Compute brings all of it at the end.
    const bool awaited = pages_.currentWidget() == page_ && !sessions_.modified();
    leave_page();
    if (is_shown || document_.empty() || awaited) {
        open_files();
        window_.statusBar()->showMessage(tr("Recorded: %1").arg(files.join(QStringLiteral(", "))), 6000);
    } else {
        messages_.offer(
            {Severity::information, "The recording has ended.",
             files.join(QStringLiteral(", ")).toStdString(), status.sentence, NoticeAction::open_recording},
            open_files);
    }
}

}  // namespace roofwalk

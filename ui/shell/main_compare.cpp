// SPDX-License-Identifier: GPL-3.0-or-later
// What the window does to compare what is open with older reports and with another GPU.
#include <QDir>
#include <QDockWidget>
#include <QFileInfo>

#include "core/report/comparison_table.h"
#include "ui/export/number_files.h"
#include "ui/panels/compare_panel.h"
#include "ui/panels/elsewhere_panel.h"
#include "ui/shell/actions.h"
#include "ui/shell/main_window.h"
#include "ui/shell/settings.h"
#include "ui/shell/status_line.h"
#include "ui/widgets/file_chooser.h"
#include "ui/widgets/message_bar.h"
#include "ui/workspace/baseline_reader.h"

namespace roofwalk {

void MainWindow::make_compare_views() {
    compare_dock_ = make_late_dock(
        "dock_compare", tr("Comparison"), Qt::BottomDockWidgetArea,
        [this] { return !document_.baselines().empty(); },
        [this] {
            auto* panel = new ComparePanel(document_, this);
            panel->add_buttons(
                {actions_->compare_with, actions_->stop_comparing, actions_->export_comparison});
            return panel;
        });
    elsewhere_dock_ = make_late_dock(
        "dock_elsewhere", tr("Another GPU"), Qt::BottomDockWidgetArea,
        [this] { return document_.other_device() != nullptr; },
        [this] { return new ElsewherePanel(document_, this); });
    tabifyDockWidget(scenario_dock_, compare_dock_);
    tabifyDockWidget(compare_dock_, elsewhere_dock_);
    baseline_reader_ = new BaselineReader(document_, this);
    status_->watch(baseline_reader_->job());
}

void MainWindow::connect_compare() {
    connect(baseline_reader_, &BaselineReader::done, this, [this] {
        if (document_.empty()) return;
        open_dock(compare_dock_);
        compare_dock_->raise();
    });
    connect(baseline_reader_, &BaselineReader::failed, this,
            [this](const Error& error) { messages_->show_message(MessageBar::Severity::error, error); });
    connect(baseline_reader_, &BaselineReader::warned, this, [this](const Error& warning) {
        messages_->show_message(MessageBar::Severity::warning, warning);
    });
    connect(&document_, &Document::compared_changed, this, &MainWindow::follow_comparison);
    connect(&document_, &Document::session_opened, this, [this] {
        if (!document_.baselines().empty()) compare_dock_->raise();
    });
    connect(actions_->compare_with, &QAction::triggered, this, [this] {
        baseline_reader_->read(
            chooser_.files_to_open(this, settings_.last_folder(), FileChooser::Purpose::compare));
    });
    connect(actions_->other_device, &QAction::triggered, this, [this] {
        open_dock(elsewhere_dock_);
        elsewhere_dock_->raise();
        elsewhere_dock_->widget()->setFocus();
    });
    connect(actions_->stop_comparing, &QAction::triggered, this, [this] {
        document_.set_baselines({});
        compare_dock_->hide();
    });
    connect(actions_->export_comparison, &QAction::triggered, this, &MainWindow::export_comparison);
    follow_comparison();
}

void MainWindow::follow_comparison() {
    const bool compares = document_.compared() != nullptr;
    actions_->stop_comparing->setEnabled(compares);
    actions_->export_comparison->setEnabled(compares);
}

void MainWindow::export_comparison() {
    const std::shared_ptr<const Compared> compared = document_.compared();
    const QString name = QFileInfo(document_.files().front().path).completeBaseName();
    const QString path = chooser_.file_to_save(
        this, QDir(settings_.last_folder()).filePath(name + QStringLiteral(".comparison.csv")),
        tr("Numbers of the comparison (*.csv *.md *.json)"));
    if (path.isEmpty()) return;
    const Result<void> done = write_numbers(path, {[&] { return comparison_table(compared->comparison); },
                                                   [&] { return to_comparison_json(compared->comparison); }});
    if (done)
        status_->showMessage(tr("Written: %1").arg(path), 6000);
    else
        messages_->show_message(MessageBar::Severity::error, done.error());
}

}  // namespace roofwalk

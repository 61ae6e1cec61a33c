// SPDX-License-Identifier: GPL-3.0-or-later
// What the window does for scenarios: their panel, their files, and the menu of presets.
#include <QDockWidget>
#include <QMenu>

#include "ui/export/scenario_files.h"
#include "ui/panels/scenario_panel.h"
#include "ui/shell/actions.h"
#include "ui/shell/main_window.h"
#include "ui/shell/status_line.h"
#include "ui/shell/what_if_menu.h"
#include "ui/widgets/message_bar.h"

namespace roofwalk {

void MainWindow::make_scenario_views() {
    scenario_dock_ = make_late_dock(
        "dock_scenario", tr("Scenario"), Qt::BottomDockWidgetArea,
        [this] { return !document_.scenario().moves.empty(); },
        [this] {
            auto* panel = new ScenarioPanel(document_, changes_, this);
            panel->add_buttons({actions_->open_scenario, actions_->save_scenario, actions_->export_scenario});
            return panel;
        });
    scenario_files_ = new ScenarioFiles(document_, changes_, settings_, chooser_, this);
}

void MainWindow::connect_scenario() {
    connect(scenario_files_, &ScenarioFiles::failed, this,
            [this](const Error& error) { messages_->show_message(MessageBar::Severity::error, error); });
    connect(scenario_files_, &ScenarioFiles::warned, this, [this](const Error& warning) {
        messages_->show_message(MessageBar::Severity::warning, warning);
    });
    connect(scenario_files_, &ScenarioFiles::written, this,
            [this](const QString& path) { status_->showMessage(tr("Written: %1").arg(path), 6000); });
    connect(&document_, &Document::options_changed, this, [this] {
        follow_scenario();
        follow_docks(false);
    });
    connect(&document_, &Document::files_changed, this, &MainWindow::follow_scenario);
    connect(actions_->open_scenario, &QAction::triggered, this,
            [this] { scenario_files_->ask_and_open(this); });
    connect(actions_->save_scenario, &QAction::triggered, this,
            [this] { scenario_files_->ask_and_save(this); });
    connect(actions_->export_scenario, &QAction::triggered, this,
            [this] { scenario_files_->ask_and_export_numbers(this); });
    follow_scenario();
}

void MainWindow::follow_scenario() {
    const bool to_write = !document_.empty() && !document_.scenario().moves.empty();
    actions_->save_scenario->setEnabled(to_write);
    actions_->export_scenario->setEnabled(to_write);
}

QMenu* MainWindow::make_what_if_menu() {
    return new WhatIfMenu(document_, changes_, this);
}

}  // namespace roofwalk

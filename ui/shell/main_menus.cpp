// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of the window: menus, toolbar, and what each action does.
#include <QApplication>
#include <QDockWidget>
#include <QFileInfo>
#include <QKeyEvent>
#include <QMenuBar>
#include <QMessageBox>
#include <QResizeEvent>
#include <QToolBar>

#include "ui/chart/roofline_chart.h"
#include "ui/chart/view_motion.h"
#include "ui/dialogs/ask_about.h"
#include "ui/dialogs/bindings_dialog.h"
#include "ui/dialogs/operation_dialog.h"
#include "ui/dialogs/shortcut_sheet.h"
#include "ui/dialogs/thresholds_dialog.h"
#include "ui/dialogs/user_guide.h"
#include "ui/export/exporter.h"
#include "ui/kernels/kernel_table.h"
#include "ui/panels/kernel_panel.h"
#include "ui/shell/actions.h"
#include "ui/shell/main_window.h"
#include "ui/shell/status_line.h"
#include "ui/shell/view_options.h"
#include "ui/widgets/choice_menu.h"
#include "ui/widgets/plain_text.h"
#include "ui/workspace/change_bindings.h"
#include "ui/workspace/change_thresholds.h"
#include "ui/workspace/kernel_drag.h"
#include "ui/workspace/session_files.h"

namespace roofwalk {

void MainWindow::make_menus() {
    make_scenario_views();  // before the docks are listed
    make_compare_views();
    make_session_views();
    make_record_views();
    QMenu* file = menuBar()->addMenu(tr("&File"));
    file->addActions({actions_->open, actions_->add, actions_->record});
    recent_menu_ = file->addMenu(tr("Open &recent"));
    recent_menu_->setObjectName("recent_menu");
    file->addActions({actions_->save, actions_->save_as});
    file->addActions({actions_->reload, actions_->close, actions_->close_all});
    file->addSeparator();
    file->addActions(
        {actions_->export_chart, actions_->copy_picture, actions_->copy_svg, actions_->copy_row});
    file->addSeparator();
    file->addActions({actions_->compare_with, actions_->stop_comparing, actions_->export_comparison});
    file->addSeparator();
    file->addActions({actions_->open_scenario, actions_->save_scenario, actions_->export_scenario});
    file->addSeparator();
    file->addAction(actions_->quit);

    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    edit->addActions({actions_->undo, actions_->redo});

    QMenu* kernels = menuBar()->addMenu(tr("&Kernels"));
    kernels->addActions(
        {actions_->filter, actions_->next, actions_->previous, actions_->focus, actions_->clear_selection});
    kernels->addSeparator();
    kernels->addActions({actions_->bind_operation, actions_->bind_all, actions_->advice_thresholds});
    kernels->addMenu(make_drag_menu());
    kernels->addMenu(make_what_if_menu());

    QMenu* view = menuBar()->addMenu(tr("&View"));
    view_options_->add_to(*view);
    view->addSeparator();
    view->addActions({actions_->fit, actions_->zoom_in, actions_->zoom_out, actions_->pan_left,
                      actions_->pan_right, actions_->focus_chart});
    view->addAction(actions_->other_device);
    view->addSeparator();
    QMenu* panels = view->addMenu(tr("&Panels"));
    for (const Dock& each : docks_)
        panels->addAction(each.dock->toggleViewAction());
    appearance_ = new ChoiceMenu(tr("&Appearance"), "appearance", this);
    appearance_->add_choice(tr("As the &desktop"), static_cast<int>(Appearance::system), "appearance_system");
    appearance_->add_choice(tr("&Light"), static_cast<int>(Appearance::light), "appearance_light");
    appearance_->add_choice(tr("&Dark"), static_cast<int>(Appearance::dark), "appearance_dark");
    connect(appearance_, &ChoiceMenu::chosen, this,
            [this](int value) { wear(static_cast<Appearance>(value)); });
    view->addMenu(appearance_);

    QMenu* help = menuBar()->addMenu(tr("&Help"));
    help->addActions({actions_->user_guide, actions_->shortcuts, actions_->about});
    connect(&recent_, &RecentFiles::changed, this, &MainWindow::list_recent);
    list_recent();
}

QMenu* MainWindow::make_drag_menu() {
    auto* menu = new ChoiceMenu(tr("&Dragging"), "dragging", this);
    const auto add = [menu](const QString& text, WalkMode mode, const char* name) {
        menu->add_choice(text, static_cast<int>(mode), name);
    };
    add(tr("&Along the roof, keeping the efficiency"), WalkMode::keep_efficiency, "drag_keep_efficiency");
    add(tr("&Freely: bytes and time"), WalkMode::free, "drag_freely");
    add(tr("&Bytes only, right and left"), WalkMode::right_only, "drag_bytes");
    add(tr("&Time only, up and down"), WalkMode::up_only, "drag_time");
    menu->set_current(static_cast<int>(drag_->mode()));
    connect(menu, &ChoiceMenu::chosen, this, [this, menu](int mode) {
        drag_->set_mode(static_cast<WalkMode>(mode));
        menu->set_current(mode);
    });
    return menu;
}

void MainWindow::make_toolbar() {
    toolbar_ = addToolBar(tr("Tools"));
    toolbar_->setObjectName("toolbar");
    toolbar_->setMovable(false);
    toolbar_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    toolbar_->setIconSize(QSize(16, 16));
    toolbar_->toggleViewAction()->setVisible(false);
    toolbar_->addActions({actions_->open, actions_->export_chart});
    toolbar_->addSeparator();
    view_options_->add_to(*toolbar_);
    toolbar_->addSeparator();
    toolbar_->addActions({actions_->fit, actions_->previous, actions_->next});
    actions_->open->setIconText(tr("Open"));
    actions_->export_chart->setIconText(tr("Export"));
    actions_->fit->setIconText(tr("Fit"));
    actions_->previous->setIconText(tr("Previous"));
    actions_->next->setIconText(tr("Next"));
}

void MainWindow::connect_actions() {
    const auto on = [this](QAction* action, auto slot) { connect(action, &QAction::triggered, this, slot); };
    on(actions_->open, [this] { choose_and_open(Document::Opening::replace); });
    on(actions_->add, [this] { choose_and_open(Document::Opening::add); });
    on(actions_->reload, [this] { document_.reload(); });
    on(actions_->close, [this] { close_one(); });
    on(actions_->close_all, [this] { close_all(); });
    on(actions_->quit, [this] { close(); });
    on(actions_->bind_operation, [this] { ask_for_operation(); });
    on(actions_->bind_all, [this] { ask_for_all_operations(); });
    on(actions_->advice_thresholds, [this] { ask_for_thresholds(); });
    connect(panel_, &KernelPanel::operation_requested, this, &MainWindow::ask_for_operation);
    on(actions_->undo, [this] {
        changes_.undo();
        close_unused_docks();
        status_->clearMessage();  // it tells of what is undone
    });
    on(actions_->redo, [this] { changes_.redo(); });
    const auto name = [](QAction* action, const QString& verb, const QString& change) {
        action->setText(change.isEmpty() ? verb : tr("%1: %2").arg(verb, change));
    };
    connect(&changes_, &QUndoStack::canUndoChanged, actions_->undo, &QAction::setEnabled);
    connect(&changes_, &QUndoStack::canRedoChanged, actions_->redo, &QAction::setEnabled);
    connect(&changes_, &QUndoStack::undoTextChanged, actions_->undo,
            [this, name](const QString& change) { name(actions_->undo, tr("&Undo"), change); });
    connect(&changes_, &QUndoStack::redoTextChanged, actions_->redo,
            [this, name](const QString& change) { name(actions_->redo, tr("&Redo"), change); });
    actions_->undo->setEnabled(false);
    actions_->redo->setEnabled(false);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget* before, QWidget* now) {
        if (before != nullptr) before->removeEventFilter(this);
        if (now != nullptr && now->window() == this) now->installEventFilter(this);
    });
    on(actions_->export_chart, [this] { exporter_->ask_and_export(this); });
    on(actions_->copy_picture, [this] { exporter_->copy_picture(chart_->size(), devicePixelRatioF()); });
    on(actions_->copy_svg, [this] { exporter_->copy_svg(chart_->size()); });
    for (QWidget* place : {static_cast<QWidget*>(table_), static_cast<QWidget*>(chart_)})
        place->addAction(actions_->copy_row);
    on(actions_->copy_row, [this] { exporter_->copy_text(table_->selected_rows_text()); });

    on(actions_->filter, [this] {
        kernels_dock_->show();
        table_->focus_filter();
    });
    on(actions_->next, [this] { document_.select_by_time(1); });
    on(actions_->previous, [this] { document_.select_by_time(-1); });
    on(actions_->focus, [this] { chart_->focus_or_fit(document_.drawn_selection()); });
    on(actions_->clear_selection, [this] { document_.select(std::nullopt); });

    on(actions_->fit, [this] { chart_->fit(); });
    on(actions_->zoom_in, [this] { chart_->zoom(zoom_step); });
    on(actions_->zoom_out, [this] { chart_->zoom(1 / zoom_step); });
    on(actions_->pan_left, [this] { chart_->pan(-pan_step, 0); });
    on(actions_->pan_right, [this] { chart_->pan(pan_step, 0); });
    on(actions_->focus_chart, [this] { chart_->setFocus(Qt::ShortcutFocusReason); });
    on(actions_->user_guide, [this] {
        auto* guide = new UserGuide(this);
        guide->setAttribute(Qt::WA_DeleteOnClose);
        guide->show();
    });
    on(actions_->shortcuts, [this] { show_shortcuts(); });
    on(actions_->about, [this] { show_about(); });
    connect_scenario();
    connect_compare();
    connect_session();
    connect_record();
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const QKeyCombination keys = static_cast<QKeyEvent*>(event)->keyCombination();
        if (actions_->export_chart->shortcut() == QKeySequence(keys)) return true;
    }
    if (watched == kernels_dock_ && event->type() == QEvent::Resize &&
        QApplication::mouseButtons() != Qt::NoButton) {
        const auto* resized = static_cast<QResizeEvent*>(event);
        if (resized->size().width() != resized->oldSize().width()) gives_table_width_ = false;
    }
    return QMainWindow::eventFilter(watched, event);
}

void MainWindow::ask_for_operation() {
    const KernelPoint* point = document_.selected_point();
    if (!point) return status_->showMessage(tr("Select a kernel first: its operation is asked for."), 6000);
    OperationDialog dialog(document_, *point, this);
    if (ask_about(document_, dialog) && dialog.is_new())
        changes_.push(roofwalk::bind_operation(document_, dialog.binding()));
}

void MainWindow::ask_for_all_operations() {
    BindingsDialog dialog(document_, this);
    if (!ask_about(document_, dialog) || dialog.bindings() == document_.bindings()) return;
    changes_.push(new ChangeBindings(document_, dialog.bindings(), tr("operations of all kernels")));
}

void MainWindow::ask_for_thresholds() {
    ThresholdsDialog dialog(document_.advice_thresholds(), this);
    if (ask_about(document_, dialog) && dialog.thresholds() != document_.advice_thresholds())
        changes_.push(new ChangeThresholds(document_, dialog.thresholds()));
}

void MainWindow::list_recent() {
    recent_menu_->clear();
    const QStringList paths = recent_.paths();
    for (const QString& path : paths) {
        QAction* action = recent_menu_->addAction(menu_text(path));
        connect(action, &QAction::triggered, this, [this, path] { open({path}); });
    }
    recent_menu_->setEnabled(!paths.isEmpty());
    if (paths.isEmpty()) return;
    recent_menu_->addSeparator();
    connect(recent_menu_->addAction(tr("Clear this list")), &QAction::triggered, this,
            [this] { recent_.clear(); });
}

void MainWindow::close_one() {
    const std::vector<OpenFile>& files = document_.files();
    if (files.size() == 1) return close_all();
    auto* menu = new QMenu(tr("Close which file?"), this);
    menu->setObjectName("close_menu");
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    menu->addSection(menu->title());
    for (const OpenFile& file : files) {
        QAction* action = menu->addAction(menu_text(QFileInfo(file.path).fileName()));
        set_tooltip(*action, file.path);
        connect(action, &QAction::triggered, this,
                [this, path = file.path] { session_files_->close(path, this); });
    }
    menu->popup(mapToGlobal(chart_->mapTo(this, chart_->rect().center())));
    menu->setActiveAction(menu->actions().at(1));
}

void MainWindow::show_shortcuts() {
    QList<ActionSection> sections = actions_->sections();
    sections.append({tr("Show or hide a memory level"), view_options_->levels()});
    auto* sheet = new ShortcutSheet(sections, this);
    sheet->setAttribute(Qt::WA_DeleteOnClose);
    sheet->open();
}

void MainWindow::show_about() {
    PlainMessageBox about(
        QMessageBox::NoIcon, tr("About Roofwalk"), tr("Roofwalk %1").arg(QApplication::applicationVersion()),
        tr("A roofline tool for people who write CUDA kernels.\n\nFree software under the GNU "
           "General Public License, version 3 or later."),
        QMessageBox::Ok, this);
    about.setIconPixmap(QApplication::windowIcon().pixmap(64));
    about.exec();
}

}  // namespace roofwalk

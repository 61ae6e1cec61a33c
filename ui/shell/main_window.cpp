// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLayout>
#include <QLocale>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QScreen>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStyle>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/devices/measured_json.h"
#include "core/report/kernel_page.h"
#include "core/workspace/load_files.h"
#include "ui/chart/roofline_chart.h"
#include "ui/chart/view_motion.h"
#include "ui/dialogs/ask_about.h"
#include "ui/dialogs/atlas_dialog.h"
#include "ui/dialogs/bindings_dialog.h"
#include "ui/dialogs/operation_dialog.h"
#include "ui/dialogs/shortcut_sheet.h"
#include "ui/dialogs/thresholds_dialog.h"
#include "ui/dialogs/user_guide.h"
#include "ui/export/exporter.h"
#include "ui/export/scenario_files.h"
#include "ui/kernels/kernel_table.h"
#include "ui/panels/ceiling_benchmark_job.h"
#include "ui/panels/ceiling_panel.h"
#include "ui/panels/compare_panel.h"
#include "ui/panels/document_page.h"
#include "ui/panels/kernel_panel.h"
#include "ui/panels/metrics_panel.h"
#include "ui/panels/projection_panel.h"
#include "ui/panels/scenario_panel.h"
#include "ui/record/recorder.h"
#include "ui/shell/actions.h"
#include "ui/shell/chart_menu.h"
#include "ui/shell/dock_layout.h"
#include "ui/shell/file_notices.h"
#include "ui/shell/guide_docks.h"
#include "ui/shell/recording_view.h"
#include "ui/shell/recovery_list.h"
#include "ui/shell/status_line.h"
#include "ui/shell/view_options.h"
#include "ui/widgets/choice_menu.h"
#include "ui/widgets/file_chooser.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/theme.h"
#include "ui/workspace/autosave.h"
#include "ui/workspace/kernel_drag.h"
#include "ui/workspace/session_files.h"

namespace roofwalk {

namespace {

constexpr QSize usual_size(1280, 800);

QStringList local_files(const QMimeData& data) {
    QStringList paths;
    for (const QUrl& url : data.urls())
        if (url.isLocalFile()) paths.append(url.toLocalFile());
    return paths;
}

}  // namespace

MainWindow::MainWindow(Settings& settings, FileChooser& chooser, const QList<Sample>& samples,
                       const QPalette& desktop, RecordingBackend recording, CeilingBenchmarkBackend measuring,
                       QString lessons, QWidget* parent)
    : QMainWindow(parent),
      settings_(settings),
      chooser_(chooser),
      desktop_(desktop),
      recording_backend_(std::move(recording)),
      recent_(settings),
      actions_(new Actions(this)),
      docks_(new DockLayout(document_, settings_, *this)),
      view_options_(new ViewOptions(document_, this)),
      measurer_(new CeilingBenchmarkJob(document_, std::move(measuring), this)),
      lessons_(std::move(lessons)) {
    guard_plain_text();
    setAcceptDrops(true);
    apply_theme(*qApp, theme_for(settings_.appearance(), desktop_));  // first: each widget is polished once
    make_views(samples);
    make_menus();
    make_toolbar();
    connect_document();
    connect_actions();
    apply_appearance(settings_.appearance());
    show_document();
    layout()->activate();  // until the panels have their places they ask for more than a small screen has
    // At a ratio like 1.5 the size of the screen is rounded up: a window of that size would be wider than it.
    const int rounded = devicePixelRatioF() == std::floor(devicePixelRatioF()) ? 0 : 1;
    const QSize frame(rounded, style()->pixelMetric(QStyle::PM_TitleBarHeight) + rounded);
    resize(usual_size.boundedTo(screen()->availableSize() - frame));
    restoreGeometry(settings_.window_geometry());
}

MainWindow::~MainWindow() {
    hide();  // a field under the cursor hands in what was typed while there is a document
}

void MainWindow::make_views(const QList<Sample>& samples) {
    start_page_ = new StartPage(recent_, samples, this);
    chart_ = new RooflineChart(this);
    chart_->setObjectName("chart");
    pages_ = new QStackedWidget(this);
    auto* start = new QScrollArea(this);  // of a low screen
    start->setFrameShape(QFrame::NoFrame);
    start->setAccessibleName(tr("Start page"));
    start->setWidgetResizable(true);
    start->setWidget(start_page_);
    pages_->addWidget(start);
    pages_->addWidget(chart_);
    messages_ = new MessageBar(this);
    auto* centre = new QWidget(this);
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(messages_);
    column->addWidget(pages_, 1);
    setCentralWidget(centre);

    table_ = new KernelTable(document_, this);
    panel_ = new KernelPanel(document_, this);
    auto* ceilings = new CeilingPanel(document_, *measurer_, this);
    kernels_dock_ = docks_->add("dock_kernels", tr("Kernels"), table_, Qt::LeftDockWidgetArea);
    details_dock_ = docks_->add("dock_details", tr("Details"), panel_, Qt::RightDockWidgetArea);
    QDockWidget* roofs = docks_->add("dock_ceilings", tr("Ceilings"), ceilings, Qt::RightDockWidgetArea);
    auto* metrics = new MetricsPanel(document_, this);
    QDockWidget* all_metrics = docks_->add("dock_metrics", tr("Metrics"), metrics, Qt::RightDockWidgetArea);
    connect_measure(*ceilings);
    connect(ceilings, &CeilingPanel::device_file_requested, this, [this] {
        open_device_file([this](const Device* device) { document_.loader().set_ran_on(device); });
    });
    ask_device_ = [roofs, ceilings] {
        roofs->show();
        roofs->raise();
        ceilings->ask_device();
        return true;
    };
    connect(chart_, &RooflineChart::caption_clicked, roofs, [this, roofs] { docks_->bring_to_front(roofs); });
    docks_->divide(kernels_dock_, details_dock_);
    for (QDockWidget* tabbed : {roofs, all_metrics})
        docks_->add_beside_details(tabbed);
    for (QDockWidget* tabbed : {details_dock_, roofs, all_metrics})
        tabbed->setTitleBarWidget(new QWidget(tabbed));  // the tab names it
    connect(roofs, &QDockWidget::visibilityChanged, ceilings, &CeilingPanel::show_document);
    connect(all_metrics, &QDockWidget::visibilityChanged, metrics, &MetricsPanel::show_document);
    details_dock_->raise();

    status_ = new StatusLine(document_, *details_dock_, this);
    setStatusBar(status_);
    drag_ = new KernelDrag(document_, *chart_, changes_, this);
    connect(table_, &KernelTable::nudged, drag_,
            [this](int right, bool pass) { drag_->step(right, 0, pass); });
    exporter_ = new Exporter(document_, *chart_, settings_, chooser_, this);
}

void MainWindow::connect_document() {
    connect(&document_, &Document::files_changed, this, &MainWindow::show_document);
    connect(&document_, &Document::scene_changed, this, [this](bool keep_view) {
        if (!document_.scene()) return chart_->set_scene({}, false);
        // Of a move nobody knows which of its bytes are read.
        const bool moved = document_.result().drawn() != document_.analysis();
        chart_->set_dot_titles([analysis = document_.result().drawn(),
                                profile = moved ? nullptr : document_.profile()](std::span<const Dot> dots) {
            return dots_title(*analysis, dots, profile.get());
        });
        const Recorder& recorder = recording_->recorder();
        const bool grows = recorder.running() && recorder.shown() && !chart_->seen_by_hand();
        chart_->set_scene(document_.chart_scene(), keep_view && !grows);
    });
    file_notices_ = new FileNotices(document_, *messages_, [this] { return ask_device_(); });
    connect(&document_.loader(), &ReportLoader::opened, this, [this](const QStringList& paths) {
        if (session_files_->path().isEmpty())  // else it is the session that was opened
            for (const QString& path : paths)
                recent_.add(path);
    });
    for (const auto signal : {&Document::options_changed, &Document::files_changed})
        connect(&document_, signal, this, [this] { actions_->join->setChecked(document_.spec().joined); });
    connect(exporter_, &Exporter::failed, messages_, &MessageBar::show_error);
    connect(exporter_, &Exporter::exported, this, &MainWindow::show_written);
    connect(drag_, &KernelDrag::told, status_, &StatusLine::tell);
    connect(chart_menu_, &ChartMenu::told, status_, &StatusLine::tell);
    connect(chart_, &RooflineChart::point_clicked, this, [this](std::optional<std::uint32_t> point) {
        if (point || !chart_menu_->end_isolation()) document_.select(point);
    });
    connect(chart_, &RooflineChart::part_clicked, chart_menu_,
            qOverload<const ChartPart&>(&ChartMenu::isolate));
    connect(chart_, &RooflineChart::menu_asked, this,
            [this](const ChartPart& place, QPoint at) { chart_menu_->open(place, at); });
    connect(table_, &KernelTable::menu_asked, this,
            [this](std::uint32_t point, QPoint at, const QList<QAction*>& of_table) {
                chart_menu_->open({.point = point}, at, of_table);
            });
    connect(chart_, &RooflineChart::point_toggled, &document_, &Document::toggle);
    connect(chart_, &RooflineChart::points_picked, this,
            [this](const std::vector<std::uint32_t>& points) { document_.select_points(points); });
    connect(chart_, &RooflineChart::pointer_moved, status_, &StatusLine::show_pointer);
    connect(chart_, &RooflineChart::pointer_left, status_, &StatusLine::clear_pointer);
    connect(status_, &StatusLine::warnings_requested, this, [this] {
        document_.select(std::nullopt);
        docks_->bring_to_front(details_dock_);
    });
    connect(start_page_, &StartPage::record_requested, actions_->record, &QAction::trigger);
    connect(start_page_, &StartPage::open_requested, actions_->open, &QAction::trigger);
    connect(start_page_, &StartPage::file_requested, this, [this](const QString& path) { open({path}); });
}

void MainWindow::show_written(const QString& path) {
    file_notices_->withdraw_errors({path});
    status_->showMessage(tr("Written: %1").arg(path), 6000);
}

void MainWindow::choose_and_open(ReportLoader::Opening opening) {
    const auto purpose =
        opening == ReportLoader::Opening::add ? FileChooser::Purpose::add : FileChooser::Purpose::open;
    open(chooser_.files_to_open(this, settings_.last_folder(), purpose), opening);
}

void MainWindow::open_device_file(const std::function<void(const Device*)>& take) {
    const auto device = ask_for_device(chooser_, *this, settings_.last_folder());
    if (!device) return messages_->show_error(device.error());
    if (*device) take(&**device);
}

void MainWindow::show_document() {
    const bool open = !document_.empty();
    show_title();
    for (QAction* action : actions_->on_document())
        action->setEnabled(open);
    if (open == shows_document_ && isVisible()) return docks_->follow(true);
    if (shows_document_) save_layout();                           // before the docks are hidden
    const std::vector<QDockWidget*> guides = guides_->visible();  // stay, whatever is open
    shows_document_ = open;
    pages_->setCurrentIndex(open ? 1 : 0);
    toolbar_->setVisible(open);
    docks_->show_used();
    if (open) {
        toolbar_->show();
        chart_->setFocus();
    }
    for (QDockWidget* guide : guides)
        guides_->show(guide);
}

void MainWindow::save_layout() {
    actions_->side_panels->setChecked(true);  // a layout is kept unfolded
    settings_.set_window(saveGeometry(), shows_document_ ? saveState() : settings_.window_state());
}

void MainWindow::set_appearance(Appearance appearance) {
    settings_.set_appearance(appearance);
    apply_theme(*qApp, theme_for(appearance, desktop_));
    apply_appearance(appearance);
}

void MainWindow::apply_appearance(Appearance appearance) {
    document_.change_scene([&](SceneOptions& options) { options.theme = theme_for(appearance, desktop_); });
    appearance_->set_current(static_cast<int>(appearance));
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    docks_->fit_table();
    fit_toolbar();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    const Recorder& recorder = recording_->recorder();
    if (recorder.running() && !chooser_.ask_to_stop(this, program_of(recorder.request())))
        return event->ignore();
    if (!session_files_->may_leave(this)) return event->ignore();
    save_layout();
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (local_files(*event->mimeData()).isEmpty()) return;
    if (!event->possibleActions().testFlag(Qt::CopyAction)) return;
    event->setDropAction(Qt::CopyAction);  // whoever offers to move a file would take it away
    event->accept();
    start_page_->set_drop_target(true);
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent*) {
    start_page_->set_drop_target(false);
}

void MainWindow::dropEvent(QDropEvent* event) {
    start_page_->set_drop_target(false);
    event->setDropAction(Qt::CopyAction);
    event->accept();
    const bool add = event->modifiers().testFlag(Qt::ShiftModifier);
    open(local_files(*event->mimeData()), add ? ReportLoader::Opening::add : ReportLoader::Opening::replace);
}

// The commands of the window: menus, toolbar, and what each action does.

void MainWindow::make_menus() {
    make_scenario_views();  // before the docks are listed
    make_compare_views();
    make_session_views();
    make_recording();
    make_guides();
    QMenu* file = menuBar()->addMenu(tr("&File"));
    file->addActions({actions_->open, actions_->add, actions_->record, actions_->atlas});
    QMenu* recent = file->addMenu(tr("Open &recent"));
    recent->setObjectName("recent_menu");
    recent_.list_in(*recent);
    connect(&recent_, &RecentFiles::requested, this, [this](const QString& path) { open({path}); });
    file->addActions({actions_->save, actions_->save_as});
    file->addActions({actions_->reload, actions_->join, actions_->close, actions_->close_all});
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
    kernels->addActions({actions_->bind_operation, actions_->type_operation, actions_->bind_all,
                         actions_->advice_thresholds});
    kernels->addMenu(drag_->make_mode_menu(this));
    QMenu* what_if = make_what_if_menu(document_, changes_, this);
    kernels->addMenu(what_if);
    addAction(actions_->what_if);  // its key alone: the menu stands above
    on(actions_->what_if, [this, what_if] {
        what_if->popup(chart_->mapToGlobal(chart_->rect().center()));
        what_if->setActiveAction(what_if->actions().value(1));
    });
    chart_menu_ = new ChartMenu(document_, *actions_, changes_, *what_if, *this);

    QMenu* view = menuBar()->addMenu(tr("&View"));
    view_options_->add_to(*view);
    view->addSeparator();
    view->addActions({actions_->fit, actions_->zoom_in, actions_->zoom_out, actions_->zoom_back,
                      actions_->zoom_forward, actions_->pan_left, actions_->pan_right,
                      actions_->focus_chart});
    view->addAction(actions_->other_device);
    view->addSeparator();
    view->addAction(actions_->side_panels);
    QMenu* panels = view->addMenu(tr("&Panels"));
    for (const QDockWidget* dock : docks_->all())
        panels->addAction(dock->toggleViewAction());
    appearance_ = new ChoiceMenu(tr("&Appearance"), "appearance", this);
    appearance_->add_choice(tr("As the &desktop"), static_cast<int>(Appearance::system), "appearance_system");
    appearance_->add_choice(tr("&Light"), static_cast<int>(Appearance::light), "appearance_light");
    appearance_->add_choice(tr("&Dark"), static_cast<int>(Appearance::dark), "appearance_dark");
    connect(appearance_, &ChoiceMenu::chosen, this,
            [this](int value) { set_appearance(static_cast<Appearance>(value)); });
    view->addMenu(appearance_);

    QMenu* help = menuBar()->addMenu(tr("&Help"));
    help->addActions(
        {actions_->six_steps, actions_->lessons, actions_->user_guide, actions_->shortcuts, actions_->about});
}

void MainWindow::make_toolbar() {
    toolbar_ = addToolBar(tr("Tools"));
    toolbar_->setObjectName("toolbar");
    toolbar_->setMovable(false);
    toolbar_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    if (auto* more = toolbar_->findChild<QToolButton*>("qt_toolbar_ext_button"))
        more->setIcon(glyph_icon(Glyph::more));
    toolbar_->setIconSize(QSize(16, 16));
    toolbar_->toggleViewAction()->setVisible(false);
    toolbar_->addActions({actions_->open, actions_->export_chart});
    toolbar_->addSeparator();
    view_options_->add_to(*toolbar_);
    toolbar_->addSeparator();
    toolbar_->addActions({actions_->fit, actions_->previous, actions_->next, actions_->side_panels});
    docks_->add_rail(*actions_->side_panels);
    connect(&document_, &Document::scene_changed, this, &MainWindow::fit_toolbar);
}

/// Where it has no room for all words, signs stand alone: first those that everybody knows.
void MainWindow::fit_toolbar() {
    const QList<QAction*> known{actions_->open, actions_->export_chart, actions_->fit, actions_->previous,
                                actions_->next};
    const auto show = [this](const QList<QAction*>& actions, Qt::ToolButtonStyle style) {
        for (QAction* action : actions)
            if (auto* button = qobject_cast<QToolButton*>(toolbar_->widgetForAction(action)))
                button->setToolButtonStyle(style);
        toolbar_->layout()->invalidate();
    };
    show(known + view_options_->levels(), Qt::ToolButtonTextBesideIcon);
    for (const QList<QAction*>& words : {known, view_options_->levels()})
        if (toolbar_->sizeHint().width() > width()) show(words, Qt::ToolButtonIconOnly);
}

void MainWindow::connect_actions() {
    on(actions_->open, [this] { choose_and_open(ReportLoader::Opening::replace); });
    on(actions_->add, [this] { choose_and_open(ReportLoader::Opening::add); });
    on(actions_->reload, [this] { document_.loader().reload(); });
    on(actions_->join, [this](bool joined) { document_.loader().set_joined(joined); });
    on(actions_->close,
       [this] { session_files_->choose_and_close(chart_->mapToGlobal(chart_->rect().center()), this); });
    on(actions_->close_all, [this] { close_all(); });
    on(actions_->quit, [this] { close(); });
    on(actions_->bind_operation, [this] { bind_selected(); });
    on(actions_->bind_all, [this] { ask_for_all_operations(document_, changes_, this); });
    on(actions_->advice_thresholds, [this] { ask_for_thresholds(document_, changes_, this); });
    connect(panel_, &KernelPanel::kernel_action_requested, this, [this](const QString& action) {
        if (action == to_qt(thresholds_action)) return ask_for_thresholds(document_, changes_, this);
        if (action == QStringLiteral("change_operation")) return bind_selected();
        do_step(action);
    });
    connect(panel_, &KernelPanel::text_entered, this, [this](const QString& text) {
        panel_->show_input_fault(bind_typed_operation(document_, changes_, text));
    });
    on(actions_->type_operation, [this] {
        docks_->bring_to_front(details_dock_, QStringLiteral("page_input"));
        if (!panel_->focus_input()) bind_selected();
    });
    connect_undo();
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget* before, QWidget* now) {
        if (before != nullptr) before->removeEventFilter(this);
        if (now != nullptr && now->window() == this) now->installEventFilter(this);
    });
    on(actions_->export_chart, [this] { exporter_->ask_and_export(this); });
    on(actions_->copy_picture, [this] { exporter_->copy_picture(); });
    on(actions_->copy_svg, [this] { exporter_->copy_svg(); });
    for (QWidget* place : {static_cast<QWidget*>(table_), static_cast<QWidget*>(chart_)})
        place->addAction(actions_->copy_row);
    on(actions_->copy_row, [this] { exporter_->copy_text(table_->selected_rows_text()); });

    on(actions_->filter, [this] {
        kernels_dock_->show();
        table_->focus_filter();
    });
    on(actions_->fit, [this] { chart_->fit(); });
    on(actions_->zoom_in, [this] { chart_->zoom(zoom_step); });
    on(actions_->zoom_out, [this] { chart_->zoom(1 / zoom_step); });
    on(actions_->zoom_back, [this] { chart_->go_through_views(false); });
    on(actions_->zoom_forward, [this] { chart_->go_through_views(true); });
    connect(chart_, &RooflineChart::views_changed, this, [this](bool back, bool forward) {
        actions_->zoom_back->setEnabled(back);
        actions_->zoom_forward->setEnabled(forward);
    });
    on(actions_->pan_left, [this] { chart_->pan(-pan_step, 0); });
    on(actions_->pan_right, [this] { chart_->pan(pan_step, 0); });
    on(actions_->focus_chart, [this] { chart_->setFocus(Qt::ShortcutFocusReason); });
    on(actions_->atlas, [this] { show_atlas(); });
    on(actions_->user_guide, [this] {
        auto* guide = new UserGuide(this);
        guide->setAttribute(Qt::WA_DeleteOnClose);
        guide->show();
    });
    on(actions_->shortcuts, [this] { show_shortcuts(); });
    on(actions_->about, [this] { show_about(); });
    connect_selection_actions();
    connect_scenario();
    connect_compare();
    connect_session();
    connect(&document_, &Document::files_changed, recording_, &RecordingView::show_dock);
}

void MainWindow::connect_selection_actions() {
    on(actions_->next, [this] { document_.select_ranked(1); });
    on(actions_->previous, [this] { document_.select_ranked(-1); });
    on(actions_->focus,
       [this] { chart_->focus_or_fit(drawn_selection(document_.result(), document_.focus())); });
    on(actions_->clear_selection, [this] {
        const bool on_chart = pages_->currentWidget() == chart_;
        if (on_chart && table_->clear_faulty_filter()) return;
        if (guides_->leave() || (on_chart && chart_menu_->end_isolation())) return;
        if (on_chart && !document_.selected_point() && table_->clear_filter()) return;
        if (on_chart) return document_.select(std::nullopt);
        recording_->leave_page();
    });
}

void MainWindow::connect_undo() {
    on(actions_->undo, [this] {
        changes_.undo();
        docks_->close_unused();
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
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const QKeyCombination keys = static_cast<QKeyEvent*>(event)->keyCombination();
        if (actions_->export_chart->shortcut() == QKeySequence(keys)) return true;
    }
    return QMainWindow::eventFilter(watched, event);
}

void MainWindow::bind_selected() {
    if (!document_.selected_point())
        return status_->tell(tr("Select a kernel first: its operation is asked for."));
    ask_for_operation(document_, *chart_, changes_, this);
}

void MainWindow::show_shortcuts() {
    QList<ActionSection> sections = actions_->sections();
    sections.append({tr("Show or hide a memory level"), view_options_->levels()});
    auto* sheet = new ShortcutSheet(sections, this);
    sheet->setAttribute(Qt::WA_DeleteOnClose);
    sheet->open();
}

void MainWindow::show_atlas() {
    auto* atlas = new AtlasDialog(chooser_, settings_.last_folder(), *exporter_, document_, this);
    atlas->setAttribute(Qt::WA_DeleteOnClose);
    atlas->show();
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

// What the window does for sessions: opening, saving, the title, and the notes.

namespace {

/// For a title: short enough for a title bar and a list of windows, with the end, where the extension stands.
QString title_part(const QString& file_name) {
    constexpr qsizetype longest = 60;
    constexpr qsizetype kept_end = 20;
    QString part = file_name;
    if (part.size() > longest)
        part = part.left(longest - kept_end - 1) + QStringLiteral("…") + part.right(kept_end);
    return part.replace(QStringLiteral("[*]"), QStringLiteral("[*][*]"));  // else Qt takes it for its mark
}

}  // namespace

void MainWindow::make_session_views() {
    QDockWidget* notes = docks_->add_lazy(
        "dock_notes", tr("Notes"), Qt::RightDockWidgetArea, [this] { return !document_.notes().isEmpty(); },
        [this] { return make_notes(document_, this); });
    docks_->add_beside_details(notes);
    notes->setTitleBarWidget(new QWidget(notes));  // the tab names it
    session_files_ = new SessionFiles(document_, *chart_, changes_, settings_, chooser_, this);
    autosave_ = new Autosave(*session_files_, settings_.recovery_folder(), this);
}

void MainWindow::connect_session() {
    connect(session_files_, &SessionFiles::failed, messages_, &MessageBar::show_error);
    connect(session_files_, &SessionFiles::noticed, messages_, &MessageBar::show_notice);
    connect(session_files_, &SessionFiles::written, this, &MainWindow::show_written);
    connect(session_files_, &SessionFiles::changed, this, [this] {
        if (!session_files_->path().isEmpty() && !session_files_->is_lesson())
            recent_.add(session_files_->path());
        show_title();
    });
    connect(session_files_, &SessionFiles::theirs_wanted, this, &MainWindow::open_theirs);
    connect(&document_, &Document::notes_changed, this, [this] { docks_->follow(false); });
    on(actions_->save, [this] { session_files_->save(this); });
    on(actions_->save_as, [this] { session_files_->save_as(this); });
    connect_autosave();
}

void MainWindow::connect_autosave() {
    connect(&settings_, &Settings::failed, messages_, &MessageBar::show_warning);
    connect(autosave_, &Autosave::failed, messages_, &MessageBar::show_error);
    RecoveryList& list = start_page_->recovery_list();
    connect(&list, &RecoveryList::recover_requested, this,
            [this](const QString& copy) { session_files_->recover(copy, this); });
    connect(&list, &RecoveryList::discard_requested, this, [this](const QString& copy, const QString& name) {
        if (chooser_.ask_to_discard(this, name)) autosave_->discard(copy);
        QMetaObject::invokeMethod(this, &MainWindow::show_lost_work, Qt::QueuedConnection);  // of its button
    });
    connect(&document_, &Document::files_changed, this, [this] {
        if (document_.empty()) show_lost_work();
    });
    show_lost_work();
}

void MainWindow::open_theirs() {
    const std::string session = session_files_->path().toStdString();
    const Result<QString> copy = autosave_->put_aside();
    if (!copy) return messages_->show_error(copy.error());
    session_files_->open_theirs();
    messages_->offer({Severity::information, "Your changes of this session are kept aside.", session,
                      "Go back to them here, or later: the start page offers them until they are discarded.",
                      NoticeAction::take_back},
                     [this, path = *copy] { return session_files_->recover(path, this); });
}

void MainWindow::show_lost_work() {
    start_page_->recovery_list().show_work(autosave_->lost_work());
    bool offered = false;
    messages_->withdraw([&](const Notice& notice) {
        const bool is_offer = notice.action == NoticeAction::recover;
        offered |= is_offer;
        return is_offer;
    });
    if (offered) offer_lost_work();
}

void MainWindow::offer_lost_work() {
    QList<RecoverableSession> works = autosave_->lost_work();
    works.removeIf([](const RecoverableSession& work) { return !work.readable; });
    if (works.isEmpty()) return;
    const RecoverableSession newest = works.front();
    const QString changed = QLocale().toString(newest.changed, QLocale::ShortFormat);
    const QString more = works.size() > 1 ? tr(" (1 of %1)").arg(works.size()) : QString();
    messages_->offer(
        {Severity::information,
         tr("There is unsaved work from before: %1, %2%3.").arg(newest.name, changed, more).toStdString(),
         {},
         "Recover it in the place of what is open, or later: the start page offers it until it is discarded.",
         NoticeAction::recover},
        [this, newest] { return session_files_->recover(newest.copy, this); },
        [this, newest] {
            if (chooser_.ask_to_discard(this, newest.name)) {
                autosave_->discard(newest.copy);
                show_lost_work();  // offers what is left in the place of this
            }
            return false;
        });
}

void MainWindow::open(const QStringList& paths) {
    if (!isVisible() && !paths.isEmpty()) offer_lost_work();  // whoever sees the start page finds it there
    open(paths, ReportLoader::Opening::replace);
}

void MainWindow::open(const QStringList& paths, ReportLoader::Opening opening) {
    if (paths.isEmpty()) return;
    settings_.set_last_folder(QFileInfo(paths.first()).absolutePath());
    session_files_->open(paths, opening, this);
}

void MainWindow::close_all() {
    if (session_files_->may_leave(this)) session_files_->close_all();
}

QString MainWindow::title() const {
    QString program = tr("Roofwalk");
    if (document_.empty()) return program;
    const QString session = title_part(QFileInfo(session_files_->path()).fileName());
    if (!session.isEmpty()) return tr("%1[*] – %2").arg(session, program);
    const QString first = title_part(QFileInfo(to_qt(document_.files().front().path)).fileName());
    const auto more = document_.files().size() - 1;
    if (more == 0) return tr("%1[*] – %2").arg(first, program);
    return tr("%1 and %2 more[*] – %3").arg(first).arg(more).arg(program);
}

void MainWindow::show_title() {
    const QString& session = session_files_->path();
    setWindowTitle(title());
    setWindowModified(session_files_->modified());
    setWindowFilePath(document_.empty()    ? QString()
                      : !session.isEmpty() ? session
                                           : to_qt(document_.files().front().path));
}

void MainWindow::make_recording() {
    recording_ = new RecordingView(document_, settings_, *session_files_, *messages_, *docks_, *pages_,
                                   *actions_->record, std::move(recording_backend_), *this);
    tabifyDockWidget(scenario_dock_, recording_->dock());
    const QString obstacle =
        recording_->recorder().available() ? QString() : tr("This build records no programs.");
    actions_->record->setEnabled(obstacle.isEmpty());
    set_tooltip(*actions_->record, obstacle.isEmpty() ? actions_->record->text() : obstacle);
    start_page_->set_record_obstacle(obstacle);
}

void MainWindow::make_guides() {
    guides_ = new GuideDocks(document_, *session_files_, *messages_, *docks_, *actions_, lessons_, *this);
    connect(guides_, &GuideDocks::step_requested, this, &MainWindow::do_step);
}

void MainWindow::do_step(const QString& name) {
    if (name == to_qt(accept_operation_action)) {
        accept_suggestion(document_, changes_);
    } else if (auto* panel = findChild<QDockWidget*>(name.section('/', 0, 0))) {
        docks_->bring_to_front(panel, name.section('/', 1));
    } else if (auto* menu = findChild<QMenu*>(name)) {
        menu->popup(QCursor::pos());
    } else if (auto* action = findChild<QAction*>(name)) {
        const std::array before{chart_->x_range(), chart_->y_range()};
        action->trigger();
        if (action == actions_->focus && before == std::array{chart_->x_range(), chart_->y_range()})
            status_->tell(tr("All of the chart is in sight already."));
    }
}

// What the window does with ceilings that are measured on a GPU: it finds those that are kept, and asks for
// files.

void MainWindow::connect_measure(CeilingPanel& ceilings) {
    const QString files = tr("Measured ceilings (*.json)");
    connect(measurer_, &CeilingBenchmarkJob::failed, messages_, &MessageBar::show_warning);
    connect(&ceilings, &CeilingPanel::measured_import_requested, this, [this, files] {
        const QString path = chooser_.file_to_open(this, settings_.last_folder(), files);
        if (!path.isEmpty()) measurer_->import_from(path);
    });
    connect(&ceilings, &CeilingPanel::measured_export_requested, this,
            [this, files](const std::shared_ptr<const MeasuredCeilings>& measured) {
                const QString name =
                    to_qt(uuid_for_file(measured->device.device.uuid)) + QStringLiteral(".ceilings.json");
                const QString path =
                    chooser_.file_to_save(this, tr("Export the measured ceilings"),
                                          QDir(settings_.last_folder()).filePath(name), files);
                if (path.isEmpty()) return;
                settings_.set_last_folder(QFileInfo(path).absolutePath());
                measurer_->export_to(path, *measured);
            });
    measurer_->read_kept();
}

// What the window does to compare what is open with older reports and with another GPU.

void MainWindow::make_compare_views() {
    compare_dock_ = docks_->add_lazy(
        "dock_compare", tr("Comparison"), Qt::BottomDockWidgetArea,
        [this] { return !document_.baselines().empty(); },
        [this] {
            auto* panel = new ComparePanel(document_, this);
            panel->add_buttons(
                {actions_->compare_with, actions_->stop_comparing, actions_->export_comparison});
            return panel;
        });
    projection_dock_ = docks_->add_lazy(
        "dock_elsewhere", tr("Another GPU"), Qt::BottomDockWidgetArea,
        [this] { return other_device(document_.spec()) != nullptr; },
        [this] {
            auto* panel = new ProjectionPanel(document_, this);
            connect(panel, &ProjectionPanel::device_file_requested, this, [this] {
                open_device_file([this](const Device* device) {
                    document_.change([&](WorkspaceSpec& spec) { set_other_device(spec, device); });
                });
            });
            return panel;
        });
    tabifyDockWidget(scenario_dock_, compare_dock_);
    tabifyDockWidget(compare_dock_, projection_dock_);
    status_->watch(document_.loader().baseline_job());
}

void MainWindow::connect_compare() {
    connect(&document_.loader(), &ReportLoader::baselines_read, this, [this] {
        if (document_.empty()) return;
        docks_->bring_to_front(compare_dock_);
    });
    connect(&document_.loader(), &ReportLoader::noticed, messages_, &MessageBar::show_notice);
    connect(&document_, &Document::comparison_changed, this, &MainWindow::follow_comparison);
    connect(&document_.loader(), &ReportLoader::session_opened, this, [this] {
        if (!document_.baselines().empty()) compare_dock_->raise();
    });
    on(actions_->compare_with, [this] {
        document_.loader().compare_with(
            chooser_.files_to_open(this, settings_.last_folder(), FileChooser::Purpose::compare));
    });
    on(actions_->other_device, [this] {
        docks_->bring_to_front(projection_dock_);
        projection_dock_->widget()->setFocus();
    });
    on(actions_->stop_comparing, [this] {
        document_.loader().set_baselines({});
        compare_dock_->hide();
    });
    on(actions_->export_comparison, [this] { exporter_->ask_and_export_comparison(this); });
    follow_comparison();
}

void MainWindow::follow_comparison() {
    const bool compares = document_.result().comparison != nullptr;
    actions_->stop_comparing->setEnabled(compares);
    actions_->export_comparison->setEnabled(compares);
}

// What the window does for scenarios: their panel, their files, and the menu of presets.

void MainWindow::make_scenario_views() {
    scenario_dock_ = docks_->add_lazy(
        "dock_scenario", tr("Scenario"), Qt::BottomDockWidgetArea,
        [this] { return !document_.spec().scenario.moves.empty(); },
        [this] {
            auto* panel = new ScenarioPanel(document_, changes_, this);
            panel->add_buttons({actions_->open_scenario, actions_->save_scenario, actions_->export_scenario});
            return panel;
        });
    scenario_files_ = new ScenarioFiles(document_, changes_, settings_, chooser_, this);
}

void MainWindow::connect_scenario() {
    connect(scenario_files_, &ScenarioFiles::failed, messages_, &MessageBar::show_error);
    connect(scenario_files_, &ScenarioFiles::noticed, messages_, &MessageBar::show_notice);
    connect(scenario_files_, &ScenarioFiles::written, this, &MainWindow::show_written);
    connect(&document_, &Document::options_changed, this, [this] {
        follow_scenario();
        docks_->follow(false);
    });
    connect(&document_, &Document::files_changed, this, &MainWindow::follow_scenario);
    on(actions_->open_scenario, [this] { scenario_files_->ask_and_open(this); });
    on(actions_->save_scenario, [this] { scenario_files_->ask_and_save(this); });
    on(actions_->export_scenario, [this] { exporter_->ask_and_export_scenario(this); });
    follow_scenario();
}

void MainWindow::follow_scenario() {
    const bool to_write = !document_.empty() && !document_.spec().scenario.moves.empty();
    actions_->save_scenario->setEnabled(to_write);
    actions_->export_scenario->setEnabled(to_write);
}

}  // namespace roofwalk

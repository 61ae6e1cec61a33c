// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/scenario/scenario_json.h"
#include "ui/chart/roofline_chart.h"
#include "ui/export/exporter.h"
#include "ui/kernels/kernel_table.h"
#include "ui/panels/advice_panel.h"
#include "ui/panels/ceiling_panel.h"
#include "ui/panels/kernel_panel.h"
#include "ui/panels/measurer.h"
#include "ui/record/recorder.h"
#include "ui/shell/actions.h"
#include "ui/shell/status_line.h"
#include "ui/shell/view_options.h"
#include "ui/widgets/choice_menu.h"
#include "ui/widgets/file_chooser.h"
#include "ui/widgets/late_dock.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/theme.h"
#include "ui/workspace/kernel_drag.h"
#include "ui/workspace/open_session.h"
#include "ui/workspace/session_files.h"

namespace roofwalk {

namespace {

constexpr int least_left_width = 194;
constexpr int most_bottom_part = 4;     // one of so many parts of the height, for a dock that opens by itself
constexpr int least_right_width = 316;  // of the details: the bounds table

QStringList local_files(const QMimeData& data) {
    QStringList paths;
    for (const QUrl& url : data.urls())
        if (url.isLocalFile()) paths.append(url.toLocalFile());
    return paths;
}

}  // namespace

MainWindow::MainWindow(Settings& settings, FileChooser& chooser, const QList<Sample>& samples,
                       const QPalette& desktop, RecordingBackend recording, MeasuringBackend measuring,
                       QWidget* parent)
    : QMainWindow(parent),
      settings_(settings),
      chooser_(chooser),
      desktop_(desktop),
      recording_backend_(std::move(recording)),
      recent_(settings),
      actions_(new Actions(this)),
      view_options_(new ViewOptions(document_, this)),
      measurer_(new Measurer(document_, std::move(measuring), this)) {
    guard_plain_text();
    setAcceptDrops(true);
    resize(1280, 800);
    apply_theme(*qApp, theme_for(settings_.appearance(), desktop_));  // first: each widget is polished once
    make_views(samples);
    make_menus();
    make_toolbar();
    connect_document();
    connect_actions();
    draw_in(settings_.appearance());
    show_document();
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
    pages_->addWidget(start_page_);
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
    kernels_dock_ = make_dock("dock_kernels", tr("Kernels"), table_, Qt::LeftDockWidgetArea);
    details_dock_ = make_dock("dock_details", tr("Details"), panel_, Qt::RightDockWidgetArea);
    auto* advice = new AdvicePanel(document_, this);
    connect(advice, &AdvicePanel::thresholds_requested, actions_->advice_thresholds, &QAction::trigger);
    QDockWidget* remedies = make_dock("dock_advice", tr("Advice"), advice, Qt::RightDockWidgetArea);
    QDockWidget* roofs = make_dock("dock_ceilings", tr("Ceilings"), ceilings, Qt::RightDockWidgetArea);
    connect_measure(*ceilings);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    tabifyDockWidget(details_dock_, remedies);
    tabifyDockWidget(remedies, roofs);
    for (QDockWidget* tabbed : {details_dock_, remedies, roofs})
        tabbed->setTitleBarWidget(new QWidget(tabbed));  // the tab names it
    connect(remedies, &QDockWidget::visibilityChanged, advice, &AdvicePanel::show_document);
    connect(roofs, &QDockWidget::visibilityChanged, ceilings, &CeilingPanel::show_document);
    details_dock_->raise();
    kernels_dock_->setMinimumWidth(least_left_width);
    kernels_dock_->installEventFilter(this);
    details_dock_->setMinimumWidth(least_right_width);

    status_ = new StatusLine(document_, this);
    setStatusBar(status_);
    drag_ = new KernelDrag(document_, *chart_, changes_, this);
    connect(table_, &KernelTable::nudged, drag_,
            [this](int right, bool pass) { drag_->step(right, 0, pass); });
    exporter_ = new Exporter(document_, settings_, chooser_, this);
}

QDockWidget* MainWindow::make_dock(const char* name, const QString& title, QWidget* content,
                                   Qt::DockWidgetArea area) {
    auto* dock = new QDockWidget(title, this);
    dock->setWidget(content);
    put_dock(dock, name, area, [] { return true; });
    return dock;
}

QDockWidget* MainWindow::make_late_dock(const char* name, const QString& title, Qt::DockWidgetArea area,
                                        std::function<bool()> used, std::function<QWidget*()> make_content) {
    auto* dock = new LateDock(title, std::move(make_content), this);
    put_dock(dock, name, area, std::move(used));
    return dock;
}

void MainWindow::put_dock(QDockWidget* dock, const char* name, Qt::DockWidgetArea area,
                          std::function<bool()> used) {
    dock->setObjectName(name);
    dock->setAccessibleName(dock->windowTitle());
    addDockWidget(area, dock);
    docks_.push_back({dock, std::move(used)});
    connect(dock->toggleViewAction(), &QAction::triggered, this,
            [this, index = docks_.size() - 1] { docks_[index].by_itself = false; });
}

void MainWindow::connect_document() {
    connect(&document_, &Document::files_changed, this, &MainWindow::show_document);
    connect(&document_, &Document::scene_changed, this, [this](bool keep_view) {
        if (!document_.scene()) return;
        chart_->set_dot_titles(
            [analysis = document_.drawn_analysis()](const Dot& dot) { return dot_title(*analysis, dot); });
        const bool grows = recorder_->running() && recorder_->shown() && !chart_->seen_by_hand();
        chart_->set_scene(document_.chart_scene(), keep_view && !grows);
    });
    connect(&document_, &Document::failed, this,
            [this](const Error& error) { messages_->show_message(MessageBar::Severity::error, error); });
    connect(&document_, &Document::opened, this, [this](const QStringList& paths) {
        if (session_files_->path().isEmpty())  // else it is the session that was opened
            for (const QString& path : paths)
                recent_.add(path);
        warn_of_partial_files(paths);
    });
    connect(&document_, &Document::session_opened, this,
            [this](const std::shared_ptr<const OpenSession>& session) { warn_of_session(*session); });
    connect(exporter_, &Exporter::failed, this,
            [this](const Error& error) { messages_->show_message(MessageBar::Severity::error, error); });
    connect(exporter_, &Exporter::exported, this,
            [this](const QString& path) { status_->showMessage(tr("Written: %1").arg(path), 6000); });
    connect(drag_, &KernelDrag::told, this,
            [this](const QString& words) { status_->showMessage(words, 10000); });
    connect(chart_, &RooflineChart::point_clicked, &document_, &Document::select);
    connect(chart_, &RooflineChart::point_toggled, &document_, &Document::toggle);
    connect(chart_, &RooflineChart::points_picked, this,
            [this](const std::vector<std::uint32_t>& points) { document_.select_points(points); });
    connect(chart_, &RooflineChart::pointer_moved, status_, &StatusLine::show_pointer);
    connect(chart_, &RooflineChart::pointer_left, status_, &StatusLine::clear_pointer);
    connect(status_, &StatusLine::warnings_requested, this, [this] {
        document_.select(std::nullopt);
        details_dock_->show();
        details_dock_->raise();
    });
    connect(start_page_, &StartPage::record_requested, actions_->record, &QAction::trigger);
    connect(start_page_, &StartPage::open_requested, actions_->open, &QAction::trigger);
    connect(start_page_, &StartPage::file_requested, this, [this](const QString& path) { open({path}); });
}

void MainWindow::choose_and_open(Document::Opening opening) {
    const auto purpose =
        opening == Document::Opening::add ? FileChooser::Purpose::add : FileChooser::Purpose::open;
    open(chooser_.files_to_open(this, settings_.last_folder(), purpose), opening);
}

void MainWindow::warn_of_partial_files(const QStringList& paths) {
    for (const OpenFile& file : document_.files()) {
        if (!paths.contains(file.path)) continue;
        if (const auto partial = partial_warning(file))
            messages_->show_message(MessageBar::Severity::warning, *partial);
    }
}

void MainWindow::warn_of_session(const OpenSession& session) {
    const auto warn = [this](const std::vector<Error>& problems, const QString& more, const QString& hint) {
        constexpr std::size_t most = 3;
        for (std::size_t i = 0; i < std::min(most, problems.size()); ++i)
            messages_->show_message(MessageBar::Severity::warning, problems[i]);
        if (problems.size() > most)
            messages_->show_message(MessageBar::Severity::warning,
                                    {ErrorCode::bad_argument,
                                     more.arg(problems.size() - most).toStdString(),
                                     {},
                                     hint.toStdString()});
    };
    warn(document_.analysis()->options.launch_operations->problems, tr("%1 more bindings cannot be used"),
         tr("See Kernels > Operations of all kernels."));
    warn(members_without_effect(session.session.scenario, session.order.file.toStdString(), "scenario."),
         tr("%1 more members of the scenario are not known"), tr("roofwalk-cli scenario names them."));
}

void MainWindow::show_document() {
    const bool open = !document_.empty();
    show_title();
    for (QAction* action : actions_->on_document())
        action->setEnabled(open);
    if (open == shows_document_ && isVisible()) return follow_docks(true);
    if (shows_document_) save_layout();  // before the docks are hidden
    shows_document_ = open;
    pages_->setCurrentIndex(open ? 1 : 0);
    toolbar_->setVisible(open);
    for (Dock& each : docks_) {
        each.was_used = open && each.used();
        each.dock->setVisible(each.was_used);
    }
    if (open) {
        if (settings_.window_state().isEmpty())
            give_table_dock();
        else
            restore_layout();
        toolbar_->show();
        chart_->setFocus();
    }
}

void MainWindow::follow_docks(bool others) {
    for (Dock& each : docks_) {
        const bool used = !document_.empty() && each.used();
        if (used && !each.was_used && !each.dock->isVisible()) {
            open_dock(each.dock);
            each.by_itself = true;
        }
        if (!used && each.was_used && others) each.dock->hide();
        each.was_used = used;
    }
}

void MainWindow::open_dock(QDockWidget* dock) {
    const auto at_bottom = [this](const Dock& each) {
        return each.dock->isVisible() && !each.dock->isFloating() &&
               dockWidgetArea(each.dock) == Qt::BottomDockWidgetArea;
    };
    const bool alone = std::ranges::none_of(docks_, at_bottom);
    Dock& opened = *std::ranges::find(docks_, dock, &Dock::dock);
    opened.by_itself = false;
    dock->show();
    if (std::exchange(opened.was_open, true) || !alone || !at_bottom(opened) ||
        !settings_.window_state().isEmpty())
        return;
    resizeDocks({dock}, {std::min(dock->sizeHint().height(), height() / most_bottom_part)}, Qt::Vertical);
}

void MainWindow::close_unused_docks() {
    for (const Dock& each : docks_)
        if (each.by_itself && !each.used()) each.dock->hide();
}

void MainWindow::fit_table_dock() {
    if (!gives_table_width_ || !kernels_dock_->isVisible() || kernels_dock_->isFloating() ||
        dockWidgetArea(kernels_dock_) != Qt::LeftDockWidgetArea)
        return;
    give_table_dock();
}

void MainWindow::give_table_dock() {
    const int beside_chart = width() / 2 - panel_->sizeHint().width();
    const int wanted = std::max(table_->sizeHint().width(), std::min(width() * 3 / 10, beside_chart));
    if (wanted != kernels_dock_->width()) resizeDocks({kernels_dock_}, {wanted}, Qt::Horizontal);
    gives_table_width_ = true;
}

/// Of another document perhaps: docks that it had a use for stay away.
void MainWindow::restore_layout() {
    restoreState(settings_.window_state());
    gives_table_width_ = false;
    for (const Dock& each : docks_)
        if (!each.was_used) each.dock->hide();
}

void MainWindow::save_layout() {
    settings_.set_window(saveGeometry(), shows_document_ ? saveState() : settings_.window_state());
}

void MainWindow::wear(Appearance appearance) {
    settings_.set_appearance(appearance);
    apply_theme(*qApp, theme_for(appearance, desktop_));
    draw_in(appearance);
}

void MainWindow::draw_in(Appearance appearance) {
    SceneOptions options = document_.scene_options();
    options.theme = theme_for(appearance, desktop_);
    document_.set_scene_options(options);
    appearance_->set_current(static_cast<int>(appearance));
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    fit_table_dock();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (recorder_->running() && !chooser_.ask_to_stop(this, program_of(recorder_->request())))
        return event->ignore();
    if (!session_files_->may_leave(this)) return event->ignore();
    save_layout();
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (local_files(*event->mimeData()).isEmpty()) return;
    event->acceptProposedAction();
    start_page_->set_drop_target(true);
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent*) {
    start_page_->set_drop_target(false);
}

void MainWindow::dropEvent(QDropEvent* event) {
    start_page_->set_drop_target(false);
    event->acceptProposedAction();
    const bool add = event->modifiers().testFlag(Qt::ShiftModifier);
    open(local_files(*event->mimeData()), add ? Document::Opening::add : Document::Opening::replace);
}

}  // namespace roofwalk

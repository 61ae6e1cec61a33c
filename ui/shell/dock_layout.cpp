// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/dock_layout.h"

#include <QApplication>
#include <QLayout>
#include <QMainWindow>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QTimer>
#include <QToolBar>
#include <algorithm>
#include <utility>

#include "ui/shell/settings.h"
#include "ui/widgets/text_page_view.h"
#include "ui/workspace/document.h"

namespace roofwalk {

namespace {

constexpr int two_columns_width = 2200;  // of the window: in narrower ones two would take the chart's share
constexpr int most_left_share = 398;     // thousandths of it, that all columns take: the chart has most
constexpr int scroll_bar_room = 130;     // of the table, with some letters of the names
constexpr int least_left_width = 194;
constexpr int lines_of_table = 7;  // at least: filter with its air, heading and a few kernels
constexpr int line_air = 12;       // [px]
constexpr int least_details_height = 150;
constexpr int low_window = 760;         // whose height is for the kernels, not for the word above them
constexpr int bars_height = 104;        // of menu, tools and foot
constexpr int most_bottom_part = 4;     // one of so many parts of the height, for a dock that opens by itself
constexpr int least_right_width = 316;  // of the details: the bounds table

}  // namespace

LazyDock::LazyDock(const QString& title, std::function<QWidget*()> make_content, QWidget* parent)
    : QDockWidget(title, parent), make_content_(std::move(make_content)) {
    setAutoFillBackground(true);  // else separators of the window show through it
    hide();
}

/// Not at the show event: the window has laid itself out by then, without the content's size.
void LazyDock::setVisible(bool visible) {
    if (visible && widget() == nullptr) setWidget(make_content_());
    if (visible) widget()->show();  // hidden one by one when a window restores a layout without it
    QDockWidget::setVisible(visible);
}

DockLayout::DockLayout(const Document& document, const Settings& settings, QMainWindow& window)
    : QObject(&window), document_(document), settings_(settings), window_(window) {
    window.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
}

QDockWidget* DockLayout::add(const char* name, const QString& title, QWidget* content,
                             Qt::DockWidgetArea area) {
    auto* dock = new QDockWidget(title, &window_);
    dock->setWidget(content);
    put(dock, name, area, [] { return true; });
    return dock;
}

QDockWidget* DockLayout::add_lazy(const char* name, const QString& title, Qt::DockWidgetArea area,
                                  std::function<bool()> used, std::function<QWidget*()> make_content) {
    auto* dock = new LazyDock(title, std::move(make_content), &window_);
    put(dock, name, area, std::move(used));
    return dock;
}

void DockLayout::put(QDockWidget* dock, const char* name, Qt::DockWidgetArea area,
                     std::function<bool()> used) {
    dock->setObjectName(name);
    dock->setAccessibleName(dock->windowTitle());
    window_.addDockWidget(area, dock);
    docks_.push_back({dock, std::move(used)});
    connect(dock->toggleViewAction(), &QAction::triggered, this,
            [this, index = docks_.size() - 1](bool shown) {
                docks_[index].by_itself = false;
                if (shown) docks_[index].dock->raise();  // it may be a tab behind others
            });
}

void DockLayout::divide(QDockWidget* table, QDockWidget* details) {
    table_ = table;
    details_ = details;
    table_->setMinimumWidth(least_left_width);
    table_->installEventFilter(this);
    for (const QDockWidget* dock : {table, details})
        connect(dock, &QDockWidget::topLevelChanged, this, [this] { table_follows_window_ = false; });
    details_->setMinimumWidth(least_right_width);
}

void DockLayout::add_beside_details(QDockWidget* dock) {
    window_.tabifyDockWidget(details_, dock);
    beside_details_.append(dock);
}

QDockWidget* DockLayout::in_front_of_details() const {
    if (is_seen(*details_)) return details_;
    const auto seen =
        std::ranges::find_if(beside_details_, [](const QDockWidget* dock) { return is_seen(*dock); });
    return seen == beside_details_.end() ? nullptr : *seen;
}

void DockLayout::add_rail(QAction& shown) {
    rail_ = new QToolBar(tr("Folded panels"), &window_);
    rail_->setObjectName("panel_rail");
    rail_->setMovable(false);
    rail_->toggleViewAction()->setVisible(false);
    window_.addToolBar(Qt::LeftToolBarArea, rail_);
    rail_->hide();
    connect(&shown, &QAction::toggled, this, [this](bool on) { on ? unfold() : fold(); });
    connect(rail_, &QToolBar::actionTriggered, this, [this, &shown](QAction* panel) {
        in_front_.append(panel->data().value<QDockWidget*>());
        shown.setChecked(true);
    });
}

void DockLayout::fold() {
    rail_->clear();
    folded_.clear();
    in_front_.clear();
    unfolded_ = window_.saveState();
    for (const Dock& each : docks_) {
        QDockWidget* dock = each.dock;
        const bool beside = window_.dockWidgetArea(dock) == Qt::LeftDockWidgetArea ||
                            window_.dockWidgetArea(dock) == Qt::RightDockWidgetArea;
        if (dock->isHidden() || dock->isFloating() || !beside) continue;
        folded_.append(dock);
        if (is_seen(*dock)) in_front_.append(dock);
        rail_->addAction(dock->windowTitle())->setData(QVariant::fromValue(dock));
    }
    for (QDockWidget* dock : std::as_const(folded_))
        dock->hide();
    rail_->setVisible(!folded_.isEmpty());
}

void DockLayout::unfold() {
    QList<QDockWidget*> opened;  // meanwhile
    for (const Dock& each : docks_)
        if (each.dock->isVisible()) opened.append(each.dock);
    window_.restoreState(unfolded_);  // for the sizes
    rail_->hide();
    for (QDockWidget* dock : opened + folded_)
        dock->show();
    for (QDockWidget* dock : std::as_const(in_front_))
        dock->raise();
    folded_.clear();
}

QList<QDockWidget*> DockLayout::all() const {
    QList<QDockWidget*> docks;
    for (const Dock& each : docks_)
        docks.append(each.dock);
    return docks;
}

void DockLayout::show_used() {
    const bool open = !document_.empty();
    const QByteArray kept = settings_.window_state();
    // Side by side, before they have their places, they would widen the window beyond a small screen.
    window_.layout()->setEnabled(false);
    for (Dock& each : docks_) {
        each.was_used = open && each.used();
        each.dock->setVisible(each.was_used);
    }
    if (open && kept.isEmpty()) {
        place_details();
        keep_height();
    }
    window_.layout()->setEnabled(true);
    if (!open) return;
    if (kept.isEmpty()) {
        for (const Dock& each : docks_)
            if (each.was_used) give_bottom_room(*each.dock);
        return give_table_room();
    }
    // Of another document perhaps: docks that it had a use for stay away.
    window_.restoreState(kept);
    name_table();
    table_follows_window_ = false;
    for (const Dock& each : docks_)
        if (!each.was_used) each.dock->hide();
}

void DockLayout::follow(bool others) {
    for (Dock& each : docks_) {
        const bool used = !document_.empty() && each.used();
        if (used && !each.was_used && !each.dock->isVisible()) {
            open(each.dock);
            each.by_itself = true;
        }
        if (!used && each.was_used && others) each.dock->hide();
        each.was_used = used;
    }
}

void DockLayout::open(QDockWidget* dock) {
    const auto at_bottom = [this](const Dock& each) {
        return each.dock->isVisible() && !each.dock->isFloating() &&
               window_.dockWidgetArea(each.dock) == Qt::BottomDockWidgetArea;
    };
    const bool alone = std::ranges::none_of(docks_, at_bottom);
    Dock& opened = *std::ranges::find(docks_, dock, &Dock::dock);
    opened.by_itself = false;
    window_.layout()->setEnabled(false);  // until all have room
    dock->show();
    keep_height();
    window_.layout()->setEnabled(true);
    const bool first = !std::exchange(opened.was_open, true);
    if (first && alone && settings_.window_state().isEmpty()) give_bottom_room(*dock);
}

void DockLayout::give_bottom_room(QDockWidget& dock) {
    if (dock.isFloating() || window_.dockWidgetArea(&dock) != Qt::BottomDockWidgetArea) return;
    const int height = std::min(dock.sizeHint().height(), window_.height() / most_bottom_part);
    window_.resizeDocks({&dock}, {height}, Qt::Vertical);
}

void DockLayout::bring_to_front(QDockWidget* dock, const QString& part) {
    open(dock);
    dock->raise();
    // Later: its content is laid out once it is seen.
    QTimer::singleShot(0, dock, [dock, part] {
        auto* area = qobject_cast<QScrollArea*>(dock->widget());
        if (!area) return;
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
        auto* widget = part.isEmpty() ? nullptr : area->findChild<QWidget*>(part);
        if (!widget) return area->verticalScrollBar()->setValue(0);
        area->ensureWidgetVisible(widget, 0, area->viewport()->height() / 2);
    });
}

void DockLayout::close_unused() {
    for (const Dock& each : docks_)
        if (each.by_itself && !each.used()) each.dock->hide();
}

void DockLayout::fit_table() {
    name_table();
    if (!table_follows_window_ || !table_->isVisible() || table_->isFloating() ||
        window_.dockWidgetArea(table_) != Qt::LeftDockWidgetArea)
        return;
    window_.layout()->setEnabled(false);
    place_details();
    keep_height();
    window_.layout()->setEnabled(true);
    give_table_room();
}

void DockLayout::place_details() {
    const bool wide = window_.width() >= two_columns_width;
    const auto area = wide ? Qt::RightDockWidgetArea : Qt::LeftDockWidgetArea;
    const bool in_tabs = !wide && window_.height() - bars_height - table_height() < least_details_height;
    const bool tabbed = window_.tabifiedDockWidgets(table_).contains(details_);
    if (window_.dockWidgetArea(details_) != area || tabbed != in_tabs) {
        QDockWidget* front = in_front_of_details();
        window_.addDockWidget(area, details_);
        for (QDockWidget* beside : std::as_const(beside_details_)) {
            const QSignalBlocker until_it_is_a_tab(beside);  // a panel is filled when it is seen
            window_.tabifyDockWidget(details_, beside);
        }
        (front ? front : details_)->raise();
        if (in_tabs) return stack_in_tabs();
    }
    name_table();
    if (!wide && !in_tabs) share_height();
}

void DockLayout::share_height() {
    const int table = table_height();
    window_.resizeDocks({table_, details_}, {table, window_.height() - bars_height - table}, Qt::Vertical);
}

void DockLayout::keep_height() {
    const bool stacked = table_->isVisible() && details_->isVisible() && is_stacked() &&
                         window_.tabifiedDockWidgets(table_).isEmpty();
    if (stacked && window_.layout()->minimumSize().height() > window_.height()) stack_in_tabs();
}

bool DockLayout::is_stacked() const {
    return !table_->isFloating() && window_.dockWidgetArea(table_) == Qt::LeftDockWidgetArea &&
           window_.dockWidgetArea(details_) == Qt::LeftDockWidgetArea;
}

void DockLayout::stack_in_tabs() {
    window_.tabifyDockWidget(table_, details_);
    for (QDockWidget* tabbed : std::as_const(beside_details_))
        window_.tabifyDockWidget(details_, tabbed);
    name_table();
    details_->raise();
}

bool DockLayout::is_low() const {
    return window_.height() < low_window;
}

int DockLayout::table_height() const {
    const int line = table_->fontMetrics().height() + line_air;
    const int title = is_low() ? 0 : line;
    const int usual =
        std::max((window_.height() - bars_height) / 3 - (line - title), lines_of_table * line + title);
    return std::min(usual, table_->widget()->sizeHint().height() + title);
}

void DockLayout::name_table() {
    // Where there is room for both, a person may take it out of the tabs by its title.
    const bool tabbed = !window_.tabifiedDockWidgets(table_).isEmpty();
    const bool untitled = tabbed ? window_.height() - bars_height - table_height() < least_details_height
                                 : is_stacked() && is_low();
    if (untitled == (table_->titleBarWidget() != nullptr)) return;
    delete table_->titleBarWidget();
    table_->setTitleBarWidget(untitled ? new QWidget(table_) : nullptr);
}

void DockLayout::give_table_room() {
    const int width = window_.width();
    const int usual = table_->widget()->sizeHint().width();
    const int share = width * 3 / 10;
    const int beside_chart = width * most_left_share / 1000 - details_->widget()->sizeHint().width();
    const int wanted =
        window_.dockWidgetArea(details_) == Qt::LeftDockWidgetArea
            ? std::max(std::min(std::max(usual + scroll_bar_room, share), width * most_left_share / 1000),
                       least_right_width)
            : std::max(usual, std::min(share, beside_chart));
    if (wanted != table_->width()) window_.resizeDocks({table_}, {wanted}, Qt::Horizontal);
    table_follows_window_ = true;
}

bool DockLayout::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && QApplication::mouseButtons() != Qt::NoButton)
        table_follows_window_ = false;
    return QObject::eventFilter(watched, event);
}

}  // namespace roofwalk

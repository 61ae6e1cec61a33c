// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/panel_rail.h"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>
#include <QTabBar>

#include <utility>

#include "ui/widgets/text_page_view.h"

namespace roofwalk {

namespace {

/// What a window counts as the size of a dock.
QSize with_tabs(const QDockWidget& dock, const QMainWindow& window) {
    for (const QTabBar* tabs : window.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
        const QRect reached = tabs->geometry().adjusted(0, 0, 0, 1);
        if (tabs->isVisible() && reached.intersects(dock.geometry()))
            return tabs->geometry().united(dock.geometry()).size();
    }
    return dock.size();
}

}  // namespace

PanelRail::PanelRail(QAction& shown, QList<QDockWidget*> docks, QMainWindow& window)
    : QToolBar(tr("Folded panels"), &window), window_(window), docks_(std::move(docks)) {
    setObjectName("panel_rail");
    setMovable(false);
    toggleViewAction()->setVisible(false);
    window.addToolBar(Qt::LeftToolBarArea, this);
    hide();
    connect(&shown, &QAction::toggled, this, [this](bool on) { on ? unfold() : fold(); });
    connect(this, &QToolBar::actionTriggered, this, [this, &shown](QAction* panel) {
        in_front_.append(panel->data().value<QDockWidget*>());
        shown.setChecked(true);
    });
}

void PanelRail::fold() {
    clear();
    folded_.clear();
    in_front_.clear();
    sizes_.clear();
    for (QDockWidget* dock : std::as_const(docks_)) {
        const bool beside = window_.dockWidgetArea(dock) == Qt::LeftDockWidgetArea ||
                            window_.dockWidgetArea(dock) == Qt::RightDockWidgetArea;
        if (dock->isHidden() || dock->isFloating() || !beside) continue;
        folded_.append(dock);
        if (is_seen(*dock)) {
            in_front_.append(dock);
            sizes_.append({dock, with_tabs(*dock, window_)});
        }
        addAction(dock->windowTitle())->setData(QVariant::fromValue(dock));
    }
    for (const QPointer<QDockWidget>& dock : std::as_const(folded_))
        dock->hide();
    setVisible(!folded_.isEmpty());
}

void PanelRail::unfold() {
    hide();
    for (const QPointer<QDockWidget>& dock : std::as_const(folded_))
        if (dock) dock->show();
    for (const QPointer<QDockWidget>& dock : std::as_const(in_front_))
        if (dock) dock->raise();
    QList<QDockWidget*> sized;
    QList<int> widths;
    QList<int> heights;
    for (const auto& [dock, size] : std::as_const(sizes_)) {
        if (!dock) continue;
        sized.append(dock);
        widths.append(size.width());
        heights.append(size.height());
    }
    window_.resizeDocks(sized, widths, Qt::Horizontal);
    window_.resizeDocks(sized, heights, Qt::Vertical);
    folded_.clear();
}

}  // namespace roofwalk

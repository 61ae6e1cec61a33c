// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/panel_rail.h"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>

#include <utility>

#include "ui/widgets/text_page_view.h"

namespace roofwalk {

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
    unfolded_ = window_.saveState();
    for (QDockWidget* dock : std::as_const(docks_)) {
        const bool beside = window_.dockWidgetArea(dock) == Qt::LeftDockWidgetArea ||
                            window_.dockWidgetArea(dock) == Qt::RightDockWidgetArea;
        if (dock->isHidden() || dock->isFloating() || !beside) continue;
        folded_.append(dock);
        if (is_seen(*dock)) in_front_.append(dock);
        addAction(dock->windowTitle())->setData(QVariant::fromValue(dock));
    }
    for (const QPointer<QDockWidget>& dock : std::as_const(folded_))
        dock->hide();
    setVisible(!folded_.isEmpty());
}

void PanelRail::unfold() {
    QList<QDockWidget*> opened;  // meanwhile
    for (QDockWidget* dock : window_.findChildren<QDockWidget*>())
        if (dock->isVisible()) opened.append(dock);
    window_.restoreState(unfolded_);  // for the sizes
    hide();
    for (QDockWidget* dock : std::as_const(opened))
        dock->show();
    for (const QPointer<QDockWidget>& dock : std::as_const(folded_))
        if (dock) dock->show();
    for (const QPointer<QDockWidget>& dock : std::as_const(in_front_))
        if (dock) dock->raise();
    folded_.clear();
}

}  // namespace roofwalk

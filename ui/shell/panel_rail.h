// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QToolBar>

class QDockWidget;
class QMainWindow;

namespace roofwalk {

/// What the panels at the sides of a window fold to: a strip with a button each, which bring them back.
class PanelRail : public QToolBar {
    Q_OBJECT

  public:
    /// `shown` is checked while the panels are shown, by a person or by the window.
    PanelRail(QAction& shown, QMainWindow& window);

  private:
    void fold();
    void unfold();

    QMainWindow& window_;
    QList<QPointer<QDockWidget>> folded_;
    QList<QPointer<QDockWidget>> in_front_;  ///< of these: those that no other one hid
};

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QPointer>
#include <QToolBar>

class QDockWidget;
class QMainWindow;

namespace roofwalk {

/// What the panels at the sides of a window fold to: a strip with a button each, which bring them back.
class PanelRail : public QToolBar {
    Q_OBJECT

  public:
    /// `shown` is checked while the panels are shown, by a person or by the window. Buttons stand in the
    /// order of `docks`.
    PanelRail(QAction& shown, QList<QDockWidget*> docks, QMainWindow& window);

  private:
    void fold();
    void unfold();

    QMainWindow& window_;
    QList<QDockWidget*> docks_;
    QList<QPointer<QDockWidget>> folded_;
    QList<QPointer<QDockWidget>> in_front_;  ///< of these: those that no other one hid
    QByteArray unfolded_;                    ///< how the window was laid out then
};

}  // namespace roofwalk

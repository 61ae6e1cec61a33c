// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <functional>
#include <vector>

class QDockWidget;

namespace roofwalk {

class Actions;
class DockLayout;
class Document;
class MessageBar;
class SessionFiles;

/// The docks that lead a person, whatever is open: the six steps of a report, and the lessons.
class GuideDocks : public QObject {
    Q_OBJECT

  public:
    /// `lessons` is their folder. Everything handed in outlives this.
    GuideDocks(Document& document, SessionFiles& sessions, MessageBar& messages, DockLayout& docks,
               Actions& actions, const QString& lessons, QWidget& window);

    /// Those on screen, the one in front last.
    [[nodiscard]] std::vector<QDockWidget*> visible() const;
    void show(QDockWidget* guide);
    /// Closes the one in front, and shows what was seen before it; false where there is none.
    bool leave();

  signals:
    /// A step leads to a command, a menu or a panel of the window, by its name.
    void step_requested(const QString& name);

  private:
    QDockWidget* add(const char* name, const QString& title, std::function<QWidget*()> make_page);

    Document& document_;
    DockLayout& docks_;
    QDockWidget* steps_;
    QDockWidget* lessons_;
    QPointer<QDockWidget> opened_over_;
};

}  // namespace roofwalk

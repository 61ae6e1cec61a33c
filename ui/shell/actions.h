// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QList>
#include <QObject>

namespace roofwalk {

/// Actions under one heading of the shortcut sheet.
struct ActionSection {
    QString title;
    QList<QAction*> actions;
};

/// Every command of the window, with its keys. Menus, toolbar, shortcut sheet and tests find them here; what
/// they do is connected by the window.
class Actions : public QObject {
    Q_OBJECT

  public:
    explicit Actions(QObject* parent);

    QAction* open;
    QAction* add;
    QAction* record;
    QAction* atlas;
    QAction* save;
    QAction* save_as;
    QAction* reload;
    QAction* join;
    QAction* close;
    QAction* close_all;
    QAction* export_chart;
    QAction* copy_picture;
    QAction* copy_svg;
    QAction* copy_row;
    QAction* open_scenario;
    QAction* save_scenario;
    QAction* export_scenario;
    QAction* compare_with;
    QAction* stop_comparing;
    QAction* export_comparison;
    QAction* other_device;
    QAction* quit;

    QAction* undo;
    QAction* redo;

    QAction* filter;
    QAction* next;
    QAction* previous;
    QAction* focus;
    QAction* clear_selection;
    QAction* bind_operation;
    QAction* bind_all;
    QAction* what_if;
    QAction* advice_thresholds;

    QAction* fit;
    QAction* zoom_in;
    QAction* zoom_out;
    QAction* pan_left;
    QAction* pan_right;
    QAction* focus_chart;
    QAction* side_panels;  ///< checked while they are shown

    QAction* six_steps;
    QAction* lessons;
    QAction* user_guide;
    QAction* shortcuts;
    QAction* about;

    [[nodiscard]] const QList<ActionSection>& sections() const { return sections_; }
    /// Actions that need an open document.
    [[nodiscard]] const QList<QAction*>& on_document() const { return on_document_; }

  private:
    QAction* make(const char* name, const QString& text, const QList<QKeySequence>& keys = {});

    QList<ActionSection> sections_;
    QList<QAction*> on_document_;
};

}  // namespace roofwalk

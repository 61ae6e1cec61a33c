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

    QAction* open = make("open", tr("&Open…"), {QKeySequence::Open});
    QAction* add = make("add", tr("&Add to the chart…"), {QKeySequence("Ctrl+Shift+O")});
    QAction* record = make("record", tr("Recor&d a program…"), {QKeySequence("Ctrl+Shift+R")});
    QAction* atlas = make("atlas", tr("Atlas of a &model…"));
    QAction* save = make("save", tr("&Save the session"), {QKeySequence::Save});
    QAction* save_as = make("save_as", tr("Save the session &as…"), {QKeySequence("Ctrl+Shift+S")});
    QAction* reload = make("reload", tr("&Reload"), {QKeySequence::Refresh});
    QAction* join = make("join", tr("&Join the runs of one program"));
    QAction* close = make("close", tr("&Close a file…"), {QKeySequence::Close});
    QAction* close_all = make("close_all", tr("Close a&ll files"), {QKeySequence("Ctrl+Shift+W")});
    QAction* export_chart = make("export", tr("&Export…"), {QKeySequence("Ctrl+E")});
    QAction* copy_picture =
        make("copy_picture", tr("Copy the chart as a &picture"), {QKeySequence("Ctrl+Shift+C")});
    QAction* copy_svg = make("copy_svg", tr("Copy the chart as &SVG"), {QKeySequence("Ctrl+Alt+C")});
    QAction* copy_row = make("copy_row", tr("&Copy the selected rows as text"), {QKeySequence::Copy});
    QAction* open_scenario = make("open_scenario", tr("Open a sce&nario…"));
    QAction* save_scenario = make("save_scenario", tr("Sa&ve the scenario…"));
    QAction* export_scenario = make("export_scenario", tr("Export the n&umbers of the scenario…"));
    QAction* compare_with = make("compare_with", tr("Compare &with…"), {QKeySequence("Ctrl+B")});
    QAction* stop_comparing = make("stop_comparing", tr("S&top comparing"));
    QAction* export_comparison = make("export_comparison", tr("Export the num&bers of the comparison…"));
    QAction* other_device = make("show_other_device", tr("Roofs of anot&her GPU…"));
    QAction* quit = make("quit", tr("&Quit"), {QKeySequence("Ctrl+Q")});

    QAction* undo = make("undo", tr("&Undo"), {QKeySequence::Undo});
    QAction* redo = make("redo", tr("&Redo"), {QKeySequence::Redo});

    QAction* filter = make("filter", tr("&Filter the kernels"), {QKeySequence::Find});
    QAction* next = make("next", tr("&Next kernel"), {QKeySequence(".")});
    QAction* previous = make("previous", tr("&Previous kernel"), {QKeySequence(",")});
    QAction* focus = make("focus", tr("&Show the kernel on the chart"), {QKeySequence("F")});
    QAction* clear_selection = make("clear_selection", tr("&Clear the selection"), {QKeySequence("Esc")});
    QAction* bind_operation = make("bind_operation", tr("&Operation of the kernel…"), {QKeySequence("O")});
    QAction* type_operation = make("type_operation", tr("T&ype its operation"), {QKeySequence("T")});
    QAction* bind_all = make("bind_all", tr("Operations of &all kernels…"), {QKeySequence("Shift+O")});
    QAction* what_if = make("what_if", tr("&What if the kernel…"), {QKeySequence("I")});
    QAction* advice_thresholds = make("advice_thresholds", tr("&Thresholds of the advice…"));

    QAction* fit = make("fit", tr("&Fit everything"), {QKeySequence("Ctrl+0")});
    QAction* zoom_in =
        make("zoom_in", tr("Zoom &in"), {QKeySequence("W"), QKeySequence::ZoomIn, QKeySequence("Ctrl+=")});
    QAction* zoom_out = make("zoom_out", tr("Zoom &out"), {QKeySequence("S"), QKeySequence::ZoomOut});
    QAction* zoom_back =
        make("zoom_back", tr("Zoom &back"), {QKeySequence("Alt+Left"), QKeySequence("Backspace")});
    QAction* zoom_forward = make("zoom_forward", tr("Zoom for&ward"), {QKeySequence("Alt+Right")});
    QAction* pan_left = make("pan_left", tr("Move &left"), {QKeySequence("A")});
    QAction* pan_right = make("pan_right", tr("Move &right"), {QKeySequence("D")});
    QAction* focus_chart = make("focus_chart", tr("Go to the &chart"), {QKeySequence("Ctrl+G")});
    QAction* side_panels =
        make("side_panels", tr("Side &panels"), {QKeySequence("P")});  ///< checked while they are shown

    QAction* six_steps = make("six_steps", tr("&Six steps"));
    QAction* lessons = make("lessons", tr("&Lessons"));
    QAction* user_guide =
        make("user_guide", tr("&User guide"), QKeySequence::keyBindings(QKeySequence::HelpContents));
    QAction* shortcuts = make("shortcuts", tr("&Keyboard shortcuts"), {QKeySequence("?")});
    QAction* about = make("about", tr("&About Roofwalk"));

    [[nodiscard]] const QList<ActionSection>& sections() const { return sections_; }
    /// Actions that need an open document.
    [[nodiscard]] const QList<QAction*>& on_document() const { return on_document_; }

  private:
    QAction* make(const char* name, const QString& text, const QList<QKeySequence>& keys = {});

    QList<ActionSection> sections_;
    QList<QAction*> on_document_;
};

}  // namespace roofwalk

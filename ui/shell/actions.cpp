// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/actions.h"

#include "ui/widgets/icons.h"

namespace roofwalk {

Actions::Actions(QObject* parent)
    : QObject(parent),
      open(make("open", tr("&Open…"), {QKeySequence::Open})),
      add(make("add", tr("&Add to the chart…"), {QKeySequence("Ctrl+Shift+O")})),
      record(make("record", tr("Recor&d a program…"), {QKeySequence("Ctrl+Shift+R")})),
      atlas(make("atlas", tr("Atlas of a &model…"))),
      save(make("save", tr("&Save the session"), {QKeySequence::Save})),
      save_as(make("save_as", tr("Save the session &as…"), {QKeySequence("Ctrl+Shift+S")})),
      reload(make("reload", tr("&Reload"), {QKeySequence::Refresh})),
      join(make("join", tr("&Join the runs of one program"))),
      close(make("close", tr("&Close a file…"), {QKeySequence::Close})),
      close_all(make("close_all", tr("Close a&ll files"), {QKeySequence("Ctrl+Shift+W")})),
      export_chart(make("export", tr("&Export…"), {QKeySequence("Ctrl+E")})),
      copy_picture(make("copy_picture", tr("Copy the chart as a &picture"), {QKeySequence("Ctrl+Shift+C")})),
      copy_svg(make("copy_svg", tr("Copy the chart as &SVG"), {QKeySequence("Ctrl+Alt+C")})),
      copy_row(make("copy_row", tr("&Copy the selected rows as text"), {QKeySequence::Copy})),
      open_scenario(make("open_scenario", tr("Open a sce&nario…"))),
      save_scenario(make("save_scenario", tr("Sa&ve the scenario…"))),
      export_scenario(make("export_scenario", tr("Export the n&umbers of the scenario…"))),
      compare_with(make("compare_with", tr("Compare &with…"), {QKeySequence("Ctrl+B")})),
      stop_comparing(make("stop_comparing", tr("S&top comparing"))),
      export_comparison(make("export_comparison", tr("Export the num&bers of the comparison…"))),
      other_device(make("show_other_device", tr("Roofs of anot&her GPU…"))),
      quit(make("quit", tr("&Quit"), {QKeySequence("Ctrl+Q")})),
      undo(make("undo", tr("&Undo"), {QKeySequence::Undo})),
      redo(make("redo", tr("&Redo"), {QKeySequence::Redo})),
      filter(make("filter", tr("&Filter the kernels"), {QKeySequence::Find})),
      next(make("next", tr("&Next kernel"), {QKeySequence(".")})),
      previous(make("previous", tr("&Previous kernel"), {QKeySequence(",")})),
      focus(make("focus", tr("&Show the kernel on the chart"), {QKeySequence("F")})),
      clear_selection(make("clear_selection", tr("&Clear the selection"), {QKeySequence("Esc")})),
      bind_operation(make("bind_operation", tr("&Operation of the kernel…"), {QKeySequence("O")})),
      bind_all(make("bind_all", tr("Operations of &all kernels…"), {QKeySequence("Shift+O")})),
      what_if(make("what_if", tr("&What if the kernel…"), {QKeySequence("I")})),
      advice_thresholds(make("advice_thresholds", tr("&Thresholds of the advice…"))),
      fit(make("fit", tr("&Fit everything"), {QKeySequence("Ctrl+0")})),
      zoom_in(
          make("zoom_in", tr("Zoom &in"), {QKeySequence("W"), QKeySequence::ZoomIn, QKeySequence("Ctrl+=")})),
      zoom_out(make("zoom_out", tr("Zoom &out"), {QKeySequence("S"), QKeySequence::ZoomOut})),
      pan_left(make("pan_left", tr("Move &left"), {QKeySequence("A")})),
      pan_right(make("pan_right", tr("Move &right"), {QKeySequence("D")})),
      focus_chart(make("focus_chart", tr("Go to the &chart"), {QKeySequence("Ctrl+G")})),
      side_panels(make("side_panels", tr("Side &panels"), {QKeySequence("P")})),
      six_steps(make("six_steps", tr("&Six steps"))),
      lessons(make("lessons", tr("&Lessons"))),
      user_guide(
          make("user_guide", tr("&User guide"), QKeySequence::keyBindings(QKeySequence::HelpContents))),
      shortcuts(make("shortcuts", tr("&Keyboard shortcuts"), {QKeySequence("?")})),
      about(make("about", tr("&About Roofwalk"))) {
    sections_ = {
        {tr("Files"), {open, add, record, atlas, save, save_as, reload, join, close, close_all, quit}},
        {tr("Export"), {export_chart, copy_picture, copy_svg, copy_row}},
        {tr("Scenario"), {open_scenario, save_scenario, export_scenario}},
        {tr("Comparison"), {compare_with, stop_comparing, export_comparison, other_device}},
        {tr("Changes"), {undo, redo}},
        {tr("Kernels"),
         {filter, next, previous, focus, clear_selection, bind_operation, bind_all, what_if,
          advice_thresholds}},
        {tr("Chart"), {fit, zoom_in, zoom_out, pan_left, pan_right, focus_chart, side_panels}},
        {tr("Help"), {six_steps, lessons, user_guide, shortcuts, about}},
    };
    on_document_ = {
        add,      reload,   close,     close_all,   export_chart,    copy_picture,   copy_svg,     copy_row,
        filter,   next,     previous,  focus,       clear_selection, bind_operation, fit,          zoom_in,
        zoom_out, pan_left, pan_right, focus_chart, open_scenario,   compare_with,   other_device, bind_all};
    on_document_.append({save, save_as, advice_thresholds, what_if, join, side_panels});
    join->setCheckable(true);
    side_panels->setCheckable(true);
    side_panels->setChecked(true);
    side_panels->setIconText(tr("Panels"));
    open->setIcon(glyph_icon(Glyph::open));
    reload->setIcon(glyph_icon(Glyph::reload));
    export_chart->setIcon(glyph_icon(Glyph::save));
    open_scenario->setIconText(tr("Open…"));
    save_scenario->setIconText(tr("Save…"));
    export_scenario->setIconText(tr("Numbers…"));
    compare_with->setIconText(tr("Compare with…"));
    stop_comparing->setIconText(tr("Stop"));
    export_comparison->setIconText(tr("Numbers…"));
    fit->setIcon(glyph_icon(Glyph::fit));
    previous->setIcon(glyph_icon(Glyph::previous));
    next->setIcon(glyph_icon(Glyph::next));
    copy_row->setShortcutContext(
        Qt::WidgetWithChildrenShortcut);  // text marked in a panel is copied elsewhere
    quit->setMenuRole(QAction::QuitRole);
    about->setMenuRole(QAction::AboutRole);
}

QAction* Actions::make(const char* name, const QString& text, const QList<QKeySequence>& keys) {
    auto* action = new QAction(text, this);
    action->setObjectName(name);
    action->setShortcuts(keys);
    return action;
}

}  // namespace roofwalk

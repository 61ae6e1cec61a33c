// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/actions.h"

#include "ui/widgets/icons.h"

namespace roofwalk {

Actions::Actions(QObject* parent) : QObject(parent) {
    sections_ = {
        {tr("Files"), {open, add, record, atlas, save, save_as, reload, join, close, close_all, quit}},
        {tr("Export"), {export_chart, copy_picture, copy_svg, copy_row}},
        {tr("Scenario"), {open_scenario, save_scenario, export_scenario}},
        {tr("Comparison"), {compare_with, stop_comparing, export_comparison, other_device}},
        {tr("Changes"), {undo, redo}},
        {tr("Kernels"),
         {filter, next, previous, focus, clear_selection, bind_operation, type_operation, bind_all, what_if,
          advice_thresholds}},
        {tr("Chart"),
         {fit, zoom_in, zoom_out, zoom_back, zoom_forward, pan_left, pan_right, focus_chart, side_panels}},
        {tr("Help"), {six_steps, lessons, user_guide, shortcuts, about}},
    };
    on_document_ = {
        add,      reload,   close,     close_all,   export_chart,    copy_picture,   copy_svg,     copy_row,
        filter,   next,     previous,  focus,       clear_selection, bind_operation, fit,          zoom_in,
        zoom_out, pan_left, pan_right, focus_chart, open_scenario,   compare_with,   other_device, bind_all};
    on_document_.append({save, save_as, type_operation, advice_thresholds, what_if, join, side_panels});
    zoom_back->setEnabled(false);
    zoom_forward->setEnabled(false);
    join->setCheckable(true);
    side_panels->setCheckable(true);
    side_panels->setChecked(true);
    side_panels->setIconText(tr("Panels"));
    open->setIcon(glyph_icon(Glyph::open));
    open->setIconText(tr("Open"));
    reload->setIcon(glyph_icon(Glyph::reload));
    export_chart->setIcon(glyph_icon(Glyph::save));
    export_chart->setIconText(tr("Export"));
    open_scenario->setIconText(tr("Open…"));
    save_scenario->setIconText(tr("Save…"));
    export_scenario->setIconText(tr("Numbers…"));
    compare_with->setIconText(tr("Compare with…"));
    stop_comparing->setIconText(tr("Stop"));
    export_comparison->setIconText(tr("Numbers…"));
    fit->setIcon(glyph_icon(Glyph::fit));
    fit->setIconText(tr("Fit"));
    previous->setIcon(glyph_icon(Glyph::previous));
    previous->setIconText(tr("Previous"));
    next->setIcon(glyph_icon(Glyph::next));
    next->setIconText(tr("Next"));
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

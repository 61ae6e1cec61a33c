// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/view_options.h"

#include <QAction>
#include <QMenu>
#include <QToolBar>
#include <QToolButton>
#include <algorithm>

#include "core/report/kernel_page.h"
#include "core/roofline/point_bounds.h"
#include "ui/widgets/choice_menu.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/workspace/document.h"

namespace roofwalk {

bool is_shown_unasked(const Document& document, MemoryLevel level) {
    if (level != MemoryLevel::l1 || !document.analysis()) return false;
    const AnalysisOptions& options = document.analysis_options();
    if (options.levels[level] || !options.l1_where_it_binds) return false;
    return std::ranges::any_of(document.analysis()->points, l1_binds);
}

namespace {

bool has_bytes(const KernelPoint& point, MemoryLevel level) {
    return point.at(level) && point.at(level)->bytes.value() > 0;
}

/// Whether a kernel moves bytes there, or it has its roof without; where no kernel moves any, every roof that
/// is known is drawn if it is asked for.
bool can_show(const Document& document, MemoryLevel level) {
    if (!document.analysis() || !document.scene()) return true;
    const std::vector<KernelPoint>& points = document.analysis()->points;
    const auto moves = [&](MemoryLevel there) {
        return std::ranges::any_of(points, [&](const KernelPoint& point) { return has_bytes(point, there); });
    };
    const bool known = ceilings_in_use(*document.analysis(), document.scene_options())
                           .find(document.analysis_options().boundaries[level]) != nullptr;
    return moves(level) || (known && std::ranges::none_of(all_levels, moves)) ||
           std::ranges::any_of(document.scene()->roofs, [&](const Roof& roof) {
               const Boundary* boundary = std::get_if<Boundary>(&roof.target);
               return boundary && level_of(*boundary) == level;
           });
}

template <class Value>
void set_option(Document& document, Value AnalysisOptions::*member, Value value) {
    document.change_analysis([&](AnalysisOptions& options) { options.*member = value; });
}

template <class Value>
void set_option(Document& document, Value SceneOptions::*member, Value value) {
    document.change_scene([&](SceneOptions& options) { options.*member = value; });
}

}  // namespace

template <class Options, class Value>
ChoiceMenu* ViewOptions::make_menu(const QString& title, const char* name, Value Options::*member) {
    auto* menu = new ChoiceMenu(title, name, parent_);
    connect(menu, &ChoiceMenu::chosen, this,
            [this, member](int value) { set_option(document_, member, static_cast<Value>(value)); });
    return menu;
}

ViewOptions::ViewOptions(Document& document, QWidget* parent)
    : QObject(parent), document_(document), parent_(parent) {
    group_ = make_menu(tr("&Group launches by"), "group_by", &AnalysisOptions::group_by);
    group_->add_choice(tr("&Kernel"), static_cast<int>(GroupBy::kernel), "group_kernel");
    group_->add_choice(tr("&Launch"), static_cast<int>(GroupBy::launch), "group_launch");
    group_->add_choice(tr("&NVTX range"), static_cast<int>(GroupBy::nvtx), "group_nvtx");
    group_->add_choice(tr("&Operation"), static_cast<int>(GroupBy::operation), "group_operation");

    operations_ = make_menu(tr("&Operations"), "operations", &AnalysisOptions::operations);
    operations_->add_choice(tr("&Floating-point"), static_cast<int>(OperationClass::floating),
                            "operations_floating");
    operations_->add_choice(tr("&Integer"), static_cast<int>(OperationClass::integer),
                            integer_operations_action.data());
    operations_->add_choice(tr("&All"), static_cast<int>(OperationClass::all), "operations_all");
    operations_->add_choice(tr("A&utomatic"), static_cast<int>(OperationClass::automatic), "operations_auto");

    colour_ = make_menu(tr("&Colour by"), "colour_by", &SceneOptions::colour_by);
    colour_->add_choice(tr("&Class"), static_cast<int>(ColourBy::kernel_class), "colour_class");
    colour_->add_choice(tr("&Precision"), static_cast<int>(ColourBy::precision), "colour_precision");
    colour_->add_choice(tr("&Kernel"), static_cast<int>(ColourBy::kernel), "colour_kernel");
    colour_->add_choice(tr("&Report"), static_cast<int>(ColourBy::report), "colour_report");

    gaps_ = make_menu(tr("G&aps"), "gaps", &SceneOptions::gaps);
    gaps_->add_choice(tr("Of the &selected kernel"), 0, "gaps_of_selection");
    for (const int most : {3, 5, 10, 20})
        gaps_->add_choice(tr("Of the %1 kernels with most to recover too").arg(most), most,
                          qPrintable(QStringLiteral("gaps_%1").arg(most)));

    make_levels();
    make_switch("practical_roofs", tr("&Practical roofs"), &SceneOptions::practical_roofs,
                tr("What good kernels reach of each roof that was not measured on the device, dashed"));
    make_switch("theory_roofs", tr("&Theoretical roofs"), &SceneOptions::theory_roofs,
                tr("What theory says of each roof that was measured on the device, dotted"));
    make_switch("measured_roof", tr("Meas&ured roof"), &SceneOptions::measured_roof,
                tr("The roof with its round knee, where one was measured on the device"));
    make_switch("zones", tr("Memory and compute &zones"), &SceneOptions::zones);
    make_switch("operation_ranges", tr("T&ypical operations"), &SceneOptions::operation_ranges,
                tr("Where the algorithms of classes of operations usually stand, whatever the GPU"));
    connect(&document_, &Document::options_changed, this, &ViewOptions::show_document);
    connect(&document_, &Document::scene_changed, this, &ViewOptions::show_levels);
    show_document();
}

void ViewOptions::make_switch(const char* name, const QString& text, bool SceneOptions::*member,
                              const QString& tooltip) {
    auto* action = new QAction(text, this);
    action->setObjectName(name);
    action->setCheckable(true);
    if (!tooltip.isEmpty()) set_tooltip(*action, tooltip);
    connect(action, &QAction::triggered, this,
            [this, member](bool on) { set_option(document_, member, on); });
    switches_.emplace_back(action, member);
}

void ViewOptions::make_levels() {
    for (const MemoryLevel level : all_levels) {
        auto* action = new QAction(glyph_icon(glyph_of(level)), {}, this);
        action->setObjectName("level_" + to_qt(id_of(level)));
        action->setCheckable(true);
        action->setShortcut(QKeySequence(QString::number(levels_.size() + 1)));
        connect(action, &QAction::triggered, this, [this, level](bool on) {
            document_.set_analysis_options(with_level(document_.analysis_options(), level, on));
        });
        levels_.append(action);
    }
}

void ViewOptions::show_document() {
    const AnalysisOptions& analysis = document_.analysis_options();
    const SceneOptions& scene = document_.scene_options();
    group_->set_current(static_cast<int>(analysis.group_by));
    operations_->set_current(static_cast<int>(analysis.operations));
    colour_->set_current(static_cast<int>(scene.colour_by));
    gaps_->set_current(static_cast<int>(scene.gaps));
    for (const auto& [action, member] : switches_)
        action->setChecked(scene.*member);
    show_levels();
}

void ViewOptions::show_levels() {
    const AnalysisOptions options = document_.analysis_options();
    auto next = levels_.cbegin();
    for (const MemoryLevel level : all_levels) {
        QAction& action = **next++;
        const QString name = to_qt(label_of(level, options.memory));
        const bool binds = is_shown_unasked(document_, level);
        const bool shows = can_show(document_, level);
        action.setText(name);
        action.setEnabled(shows);
        action.setChecked(options.levels[level] || binds);
        const bool measured =
            document_.analysis() &&
            std::ranges::any_of(document_.analysis()->points,
                                [&](const KernelPoint& point) { return point.at(level).has_value(); });
        set_tooltip(action, !shows && measured ? tr("No kernel moves bytes of %1").arg(name)
                            : !shows           ? tr("No bytes of %1 are known").arg(name)
                            : binds            ? tr("%1 binds a kernel, so it is shown").arg(name)
                                               : tr("Show %1").arg(name));
    }
}

void ViewOptions::add_to(QMenu& menu) {
    menu.addMenu(group_);
    menu.addMenu(operations_);
    menu.addMenu(colour_);
    menu.addMenu(gaps_);
    QMenu* levels = menu.addMenu(tr("&Memory levels"));
    levels->addActions(levels_);
    menu.addSeparator();
    for (const auto& [action, member] : switches_)
        menu.addAction(action);
}

QToolButton* ViewOptions::make_button(ChoiceMenu* menu, const QString& caption, QToolBar& toolbar) {
    auto* button = new QToolButton(&toolbar);
    button->setMenu(menu);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setFocusPolicy(Qt::TabFocus);
    const auto name_it = [button, menu, caption] {
        button->setText(caption.arg(menu->current_text()));
        button->setAccessibleName(button->text());
    };
    connect(menu, &ChoiceMenu::current_changed, button, name_it);
    name_it();
    return button;
}

void ViewOptions::add_to(QToolBar& toolbar) {
    toolbar.addWidget(make_button(group_, tr("Group: %1"), toolbar));
    toolbar.addWidget(make_button(colour_, tr("Colour: %1"), toolbar));
    toolbar.addSeparator();
    toolbar.addActions(levels_);
    toolbar.addSeparator();
    toolbar.addAction(switches_.front().first);  // the practical roofs
}

}  // namespace roofwalk

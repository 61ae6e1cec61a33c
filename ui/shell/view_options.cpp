// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/view_options.h"

#include <QAction>
#include <QMenu>
#include <QToolBar>
#include <QToolButton>
#include <algorithm>

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

ViewOptions::ViewOptions(Document& document, QWidget* parent)
    : QObject(parent), document_(document), parent_(parent) {
    group_ = new ChoiceMenu(tr("&Group launches by"), "group_by", parent);
    group_->add_choice(tr("&Kernel"), static_cast<int>(GroupBy::kernel), "group_kernel");
    group_->add_choice(tr("&Launch"), static_cast<int>(GroupBy::launch), "group_launch");
    group_->add_choice(tr("&NVTX range"), static_cast<int>(GroupBy::nvtx), "group_nvtx");
    group_->add_choice(tr("&Operation"), static_cast<int>(GroupBy::operation), "group_operation");
    connect(group_, &ChoiceMenu::chosen, this, [this](int value) {
        AnalysisOptions options = document_.analysis_options();
        options.group_by = static_cast<GroupBy>(value);
        document_.set_analysis_options(options);
    });

    operations_ = new ChoiceMenu(tr("&Operations"), "operations", parent);
    operations_->add_choice(tr("&Floating-point"), static_cast<int>(OperationClass::floating),
                            "operations_floating");
    operations_->add_choice(tr("&Integer"), static_cast<int>(OperationClass::integer), "operations_integer");
    operations_->add_choice(tr("&All"), static_cast<int>(OperationClass::all), "operations_all");
    connect(operations_, &ChoiceMenu::chosen, this, [this](int value) {
        AnalysisOptions options = document_.analysis_options();
        options.operations = static_cast<OperationClass>(value);
        document_.set_analysis_options(options);
    });

    colour_ = new ChoiceMenu(tr("&Colour by"), "colour_by", parent);
    colour_->add_choice(tr("&Class"), static_cast<int>(ColourBy::kernel_class), "colour_class");
    colour_->add_choice(tr("&Precision"), static_cast<int>(ColourBy::precision), "colour_precision");
    colour_->add_choice(tr("&Kernel"), static_cast<int>(ColourBy::kernel), "colour_kernel");
    colour_->add_choice(tr("&Report"), static_cast<int>(ColourBy::report), "colour_report");
    connect(colour_, &ChoiceMenu::chosen, this, [this](int value) {
        SceneOptions options = document_.scene_options();
        options.colour_by = static_cast<ColourBy>(value);
        document_.set_scene_options(options);
    });

    gaps_ = new ChoiceMenu(tr("G&aps"), "gaps", parent);
    gaps_->add_choice(tr("Of the &selected kernel"), 0, "gaps_of_selection");
    for (const int longest : {3, 5, 10, 20})
        gaps_->add_choice(tr("Of the %1 longest kernels too").arg(longest), longest,
                          qPrintable(QStringLiteral("gaps_%1").arg(longest)));
    connect(gaps_, &ChoiceMenu::chosen, this, [this](int value) {
        SceneOptions options = document_.scene_options();
        options.gaps = static_cast<std::uint32_t>(value);
        document_.set_scene_options(options);
    });

    make_levels();
    const auto make_switch = [this](const char* name, const QString& text, bool SceneOptions::*member) {
        auto* action = new QAction(text, this);
        action->setObjectName(name);
        action->setCheckable(true);
        connect(action, &QAction::triggered, this, [this, member](bool on) {
            SceneOptions options = document_.scene_options();
            options.*member = on;
            document_.set_scene_options(options);
        });
        return action;
    };
    practical_ = make_switch("practical_roofs", tr("&Practical roofs"), &SceneOptions::practical_roofs);
    set_tooltip(*practical_,
                tr("What good kernels reach of each roof that was not measured on the device, dashed"));
    theory_ = make_switch("theory_roofs", tr("&Theoretical roofs"), &SceneOptions::theory_roofs);
    set_tooltip(*theory_, tr("What theory says of each roof that was measured on the device, dotted"));
    measured_ = make_switch("measured_roof", tr("Meas&ured roof"), &SceneOptions::measured_roof);
    set_tooltip(*measured_, tr("The roof with its round knee, where one was measured on the device"));
    zones_ = make_switch("zones", tr("Memory and compute &zones"), &SceneOptions::zones);
    ranges_ = make_switch("operation_ranges", tr("T&ypical operations"), &SceneOptions::operation_ranges);
    set_tooltip(*ranges_,
                tr("Where the algorithms of classes of operations usually stand, whatever the GPU"));
    connect(&document_, &Document::options_changed, this, &ViewOptions::show_document);
    connect(&document_, &Document::analysis_changed, this, &ViewOptions::show_levels);
    show_document();
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
    practical_->setChecked(scene.practical_roofs);
    theory_->setChecked(scene.theory_roofs);
    measured_->setChecked(scene.measured_roof);
    zones_->setChecked(scene.zones);
    ranges_->setChecked(scene.operation_ranges);
    show_levels();
}

void ViewOptions::show_levels() {
    const AnalysisOptions options = document_.analysis_options();
    for (const MemoryLevel level : all_levels) {
        const QString name = to_qt(label_of(level, options.memory));
        const bool binds = is_shown_unasked(document_, level);
        QAction& action = *levels_[static_cast<qsizetype>(level)];
        action.setText(name);
        action.setChecked(options.levels[level] || binds);
        set_tooltip(action,
                    binds ? tr("%1 binds a kernel, so it is shown").arg(name) : tr("Show %1").arg(name));
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
    menu.addActions({practical_, theory_, measured_, zones_, ranges_});
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
    toolbar.addAction(practical_);
}

}  // namespace roofwalk

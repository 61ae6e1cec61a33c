// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/what_if_menu.h"

#include <QUndoStack>
#include <QWidgetAction>
#include <utility>

#include "core/model/kernel_name.h"
#include "ui/dialogs/ask_about.h"
#include "ui/dialogs/preset_dialog.h"
#include "ui/dialogs/preset_preview.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/text_label.h"
#include "ui/workspace/document.h"
#include "ui/workspace/spec_change.h"

namespace roofwalk {

namespace {

constexpr std::size_t title_chars = 48;
constexpr std::size_t undo_chars = 32;
constexpr int width_of_reasons = 520;             // [px]
constexpr QMargins air_of_reasons(24, 3, 24, 3);  // the first as wide as entries leave for their icons

}  // namespace

WhatIfMenu::WhatIfMenu(Document& document, QUndoStack& changes, QWidget* parent)
    : QMenu(tr("&What if"), parent), document_(document), changes_(changes) {
    setObjectName("what_if_menu");
    setToolTipsVisible(true);
    connect(this, &QMenu::aboutToShow, this, &WhatIfMenu::list_presets);
}

void WhatIfMenu::list_presets() {
    clear();
    delete findChild<QMenu*>(QStringLiteral("what_if_not"));
    const std::optional<PresetPreview> subject = PresetPreview::of(document_);
    if (!subject) {
        addAction(tr("Select a kernel first"))->setEnabled(false);
        return;
    }
    add_menu_title(*this, to_qt(shorten_kernel_name(subject->kernel().name, title_chars)));
    std::vector<std::pair<const Preset*, Error>> others;
    for (const Preset& preset : presets())
        if (const Result<void> fits = subject->fits(preset))
            add_preset(preset, *subject);
        else
            others.emplace_back(&preset, fits.error());
    if (others.empty()) return;
    QMenu* apart = addMenu(tr("Not for this kernel"));
    apart->setObjectName("what_if_not");
    for (const auto& [preset, why] : others) {
        const QString whole = to_qt(to_line(Error{why.code, why.what, {}, why.hint}));
        auto* label = new TextLabel(tr("%1: %2", "preset, reason").arg(to_qt(preset->label), whole));
        label->setContentsMargins(air_of_reasons);
        label->setFixedWidth(width_of_reasons);
        auto* action = new QWidgetAction(apart);  // an entry of a menu has one line
        action->setDefaultWidget(label);
        action->setText(menu_text(label->accessibleName()));
        action->setStatusTip(whole);
        action->setEnabled(false);
        apart->addAction(action);
    }
}

void WhatIfMenu::add_preset(const Preset& preset, const PresetPreview& subject) {
    const QString text =
        tr("%1 (%2)", "preset, where to").arg(to_qt(preset.label), to_qt(label_of(preset.axis)));
    QAction* action = addAction(preset.parameter ? text + u'…' : text);
    action->setObjectName(QStringLiteral("preset_") + to_qt(preset.id));
    const QString note = to_qt(with_memory_name(subject.kernel().memory, preset.assumption));
    set_tooltip(*action, note);
    action->setStatusTip(note);
    connect(action, &QAction::triggered, this, [this, &preset, subject] { choose(preset, subject); });
}

void WhatIfMenu::choose(const Preset& preset, const PresetPreview& subject) {
    if (!preset.parameter) {
        if (const auto moves = subject.moves(preset, std::nullopt)) add_moves(preset, subject, *moves);
        return;
    }
    PresetDialog dialog(preset, subject, parentWidget());
    if (ask_about(document_, dialog)) add_moves(preset, subject, dialog.moves());
}

void WhatIfMenu::add_moves(const Preset& preset, const PresetPreview& subject,
                           const std::vector<OfferedMove>& moves) {
    Scenario scenario = document_.spec().scenario;
    for (Move& move : subject.with_keys(moves))
        scenario.moves.push_back(std::move(move));
    const QString what = to_qt(preset.label);
    const QString kernel = menu_text(to_qt(shorten_kernel_name(subject.kernel().name, undo_chars)));
    changes_.push(new SpecChange(document_, &WorkspaceSpec::scenario, std::move(scenario),
                                 moves.size() > 1 ? what : tr("%1, %2", "preset, kernel").arg(what, kernel)));
}

}  // namespace roofwalk

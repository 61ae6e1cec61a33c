// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/ceiling_row.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>

#include "core/base/text.h"
#include "ui/panels/ceiling_edits.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/rate_edit.h"
#include "ui/widgets/text_label.h"

namespace roofwalk {

namespace {

QString unit_of(Pipe pipe) {
    return counts_integers(pipe) ? QStringLiteral("OP/s") : QStringLiteral("FLOP/s");
}

}  // namespace

CeilingRow::CeilingRow(const CeilingTarget& target, const QString& name, const QString& unit, QWidget* parent)
    : QWidget(parent), target_(target), unit_(unit) {
    shown_ = new QCheckBox(name, this);
    shown_->setAccessibleName(tr("Show the roof of %1").arg(name));
    rate_ = new RateEdit(unit, tr("Rate of %1").arg(name), this);
    rate_->setMaximumWidth(140);
    fault_ = new PlainLabel(this);
    fault_->setObjectName("rate_fault");
    fault_->setWordWrap(true);
    fault_->hide();
    provenance_ = new TextLabel({}, this);
    provenance_->setForegroundRole(QPalette::PlaceholderText);
    provenance_->hide();  // until it has something to say
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 6);
    grid->setVerticalSpacing(4);
    grid->addWidget(shown_, 0, 0);
    grid->addWidget(rate_, 0, 1);
    grid->addWidget(fault_, 1, 0, 1, 2);
    grid->addWidget(provenance_, 3, 0, 1, 2);
    grid->setColumnStretch(0, 1);
    connect(shown_, &QCheckBox::clicked, this, &CeilingRow::switched);
    connect(rate_, &RateEdit::rate_typed, this, &CeilingRow::rate_typed);
    connect(rate_, &RateEdit::fault_changed, fault_, [this](const QString& fault) {
        fault_->setText(fault);
        fault_->setVisible(!fault.isEmpty());
    });
}

CeilingRow::CeilingRow(MemoryLevel level, QWidget* parent)
    : CeilingRow(default_boundary(level), to_qt(label_of(level)), QStringLiteral("B/s"), parent) {
    shown_->setObjectName("ceiling_" + to_qt(id_of(level)));
    boundary_ = new QComboBox(this);
    boundary_->setAccessibleName(tr("Bytes counted at %1").arg(to_qt(label_of(level))));
    for (const Boundary boundary : all_boundaries) {
        if (level_of(boundary) != level) continue;
        boundary_->addItem(to_qt(id_of(boundary)), static_cast<int>(boundary));
        boundary_->setItemData(boundary_->count() - 1, tooltip_text(to_qt(describe(boundary))),
                               Qt::ToolTipRole);
    }
    connect(boundary_, &QComboBox::activated, this,
            [this] { emit boundary_chosen(static_cast<Boundary>(boundary_->currentData().toInt())); });
    auto* grid = static_cast<QGridLayout*>(layout());
    grid->addWidget(boundary_, 2, 0, 1, 2);
    boundary_->setVisible(boundary_->count() > 1);
}

CeilingRow::CeilingRow(Pipe pipe, QWidget* parent)
    : CeilingRow(CeilingTarget(pipe), to_qt(label_of(pipe)), unit_of(pipe), parent) {
    shown_->setObjectName("ceiling_" + to_qt(id_of(pipe)));
}

void CeilingRow::show_ceiling(const CeilingTarget& target, bool shown, const CeilingSet& ceilings,
                              const CeilingSet& overrides) {
    target_ = target;
    shown_->setChecked(shown);
    if (boundary_ != nullptr) {
        const Boundary boundary = std::get<Boundary>(target);
        boundary_->setCurrentIndex(boundary_->findData(static_cast<int>(boundary)));
        set_tooltip(*boundary_, to_qt(describe(boundary)));
    }
    const std::optional<FoundCeiling> known = ceilings.find(target);
    rate_->show_rates(known ? to_qt(format_si(known->rate, unit_.toStdString())) : tr("not known"),
                      override_of(overrides, target));
    provenance_->set_text(known ? to_qt(describe(*known->provenance))
                                : tr("No source gives this ceiling; type one to see it."));
    provenance_->show();
}

}  // namespace roofwalk

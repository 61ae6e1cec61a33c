// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/rate_edit.h"

#include <QStyle>

#include "core/base/text.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/rate_text.h"

namespace roofwalk {

RateEdit::RateEdit(const QString& unit, const QString& name, QWidget* parent)
    : QLineEdit(parent), unit_(unit) {
    setAccessibleName(name);
    setClearButtonEnabled(true);
    tell(QString());
    connect(this, &QLineEdit::editingFinished, this, &RateEdit::read);
}

void RateEdit::show_rates(const QString& known, const std::optional<double>& typed) {
    setPlaceholderText(known);
    if (isModified()) return;  // not from under the person's hands
    setText(typed ? to_qt(format_si(*typed, unit_.toStdString(), 4)) : QString());
    mark(true);
}

void RateEdit::read() {
    if (!isModified()) return;
    if (text().trimmed().isEmpty()) {
        setModified(false);
        mark(true);
        emit rate_typed(std::nullopt);
        return;
    }
    const std::optional<double> rate = parse_rate(text(), unit_.toStdString());
    mark(rate.has_value());
    if (!rate) return;
    setModified(false);
    emit rate_typed(rate);
}

void RateEdit::mark(bool valid) {
    if (property("invalid").toBool() == !valid) return;
    setProperty("invalid", !valid);
    tell(valid
             ? QString()
             : tr("Not a rate: type a number with a prefix, as in 1.5 T%1. Nothing was changed.").arg(unit_));
    style()->unpolish(this);
    style()->polish(this);
}

void RateEdit::tell(const QString& fault) {
    set_tooltip(*this, fault.isEmpty()
                           ? tr("A rate of your own, as in 1.5 T%1. Empty: the known one.").arg(unit_)
                           : fault);
    emit fault_changed(fault);
}

}  // namespace roofwalk

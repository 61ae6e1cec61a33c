// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/rate_edit.h"

#include <QRegularExpression>
#include <cmath>

#include "core/base/text.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"

namespace roofwalk {

std::optional<double> parse_rate(const QString& text, std::string_view base) {
    // A comma separates thousands; "1,5" could be meant for 1.5 or 15 and is not read as either.
    static const QRegularExpression shape(
        R"(^\s*(\d{1,3}(?:,\d{3})+(?:\.\d*)?|\d+(?:\.\d*)?|\.\d+)\s*([^\s\d.,]\S*|)\s*$)");
    const QRegularExpressionMatch match = shape.match(text);
    if (!match.hasMatch()) return std::nullopt;
    bool is_number = false;
    const double number = match.captured(1).remove(',').toDouble(&is_number);
    if (!is_number) return std::nullopt;
    const std::optional<double> rate = scaled_value(number, match.captured(2).toStdString(), base);
    if (!rate || !std::isfinite(*rate) || *rate <= 0) return std::nullopt;
    return rate;
}

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
    mark_invalid(*this, !valid);
    tell(valid
             ? QString()
             : tr("Not a rate: type a number with a prefix, as in 1.5 T%1. Nothing was changed.").arg(unit_));
}

void RateEdit::tell(const QString& fault) {
    set_tooltip(*this, fault.isEmpty()
                           ? tr("A rate of your own, as in 1.5 T%1. Empty: the known one.").arg(unit_)
                           : fault);
    emit fault_changed(fault);
}

}  // namespace roofwalk

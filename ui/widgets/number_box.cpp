// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/number_box.h"

namespace roofwalk {

namespace {
constexpr int most_decimals = 6;
}

NumberBox::NumberBox(const QString& name, QWidget* parent) : QDoubleSpinBox(parent) {
    setAccessibleName(name);
    setDecimals(most_decimals);
    setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
}

void NumberBox::set_number(double number) {
    setValue(number);
    set_ = number;
    shown_ = value();
}

QString NumberBox::textFromValue(double value) const {
    QString text = locale().toString(value, 'f', most_decimals);
    if (!text.contains(locale().decimalPoint())) return text;
    while (text.endsWith(locale().zeroDigit()))
        text.chop(1);
    if (text.endsWith(locale().decimalPoint())) text.chop(1);
    return text;
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/rate_text.h"

#include <QRegularExpression>
#include <cmath>

#include "core/base/si_prefix.h"

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

}  // namespace roofwalk

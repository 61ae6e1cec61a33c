// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/rate_text.h"

#include <QRegularExpression>
#include <cmath>

namespace roofwalk {

namespace {

std::optional<double> prefix_value(QStringView prefix) {
    if (prefix.size() != 1) return std::nullopt;
    switch (prefix.front().unicode()) {
        case u'n':
            return 1e-9;
        case u'u':
        case u'µ':
            return 1e-6;
        case u'm':
            return 1e-3;
        case u'k':
        case u'K':
            return 1e3;
        case u'M':
            return 1e6;
        case u'G':
            return 1e9;
        case u'T':
            return 1e12;
        case u'P':
            return 1e15;
        case u'E':
            return 1e18;
        default:
            return std::nullopt;
    }
}

}  // namespace

std::optional<double> scaled_value(double number, QStringView unit, QStringView base) {
    if (unit == base) return number;
    // A small b is a bit; FLOP/s may be written as anyone likes.
    const Qt::CaseSensitivity letters = base == u"B/s" ? Qt::CaseSensitive : Qt::CaseInsensitive;
    const QStringView prefix = unit.endsWith(base, letters) ? unit.chopped(base.size()) : unit;
    if (prefix.isEmpty()) return unit.isEmpty() ? std::nullopt : std::optional(number);
    const std::optional<double> scale = prefix_value(prefix);
    if (!scale) return std::nullopt;
    return number * *scale;
}

std::optional<double> parse_rate(const QString& text, QStringView base) {
    // A comma separates thousands; "1,5" could be meant for 1.5 or 15 and is not read as either.
    static const QRegularExpression shape(
        R"(^\s*(\d{1,3}(?:,\d{3})+(?:\.\d*)?|\d+(?:\.\d*)?|\.\d+)\s*([^\s\d.,]\S*|)\s*$)");
    const QRegularExpressionMatch match = shape.match(text);
    if (!match.hasMatch()) return std::nullopt;
    bool is_number = false;
    const double number = match.captured(1).remove(',').toDouble(&is_number);
    if (!is_number) return std::nullopt;
    const std::optional<double> rate = scaled_value(number, match.captured(2), base);
    if (!rate || !std::isfinite(*rate) || *rate <= 0) return std::nullopt;
    return rate;
}

}  // namespace roofwalk

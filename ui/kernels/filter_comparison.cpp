// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kernels/filter_comparison.h"

#include <QCoreApplication>
#include <optional>

#include "core/model/kernel_name.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/rate_text.h"

namespace roofwalk {

namespace {

/// As it is shown, and as other profilers show it: without parameters, "void" and casts.
QString without_signature(const std::string& name) {
    return to_qt(shorten_kernel_name(name, name.size()));
}

using Kind = FilterToken::Kind;

QString tr(const char* text) {
    return QCoreApplication::translate("FilterExpression", text);
}

tl::unexpected<Error> fail(const QString& what, const FilterToken& at) {
    return tl::unexpected(Error{ErrorCode::bad_argument, what.toStdString(), place_of(at).toStdString(), {}});
}

bool compare(double left, const QString& comparison, double right) {
    if (comparison == "<") return left < right;
    if (comparison == "<=") return left <= right;
    if (comparison == ">") return left > right;
    if (comparison == ">=") return left >= right;
    const bool equal = left == right;
    return comparison == "!=" ? !equal : equal;
}

Result<FilterCondition> compare_text(const FilterField& field, const QString& comparison,
                                     const FilterToken& value) {
    if (value.kind != Kind::word && value.kind != Kind::quoted)
        return fail(tr("\"%1\" is compared with a word or a text in quotes.").arg(field.name), value);
    if (comparison.startsWith('<') || comparison.startsWith('>'))
        return fail(tr("\"%1\" is a text: compare it with =, != or ~.").arg(field.name), value);
    return [text = field.text, is_name = field.name == QLatin1String("name"), wanted = value.text, comparison,
            results = std::unordered_map<std::string, bool>()](
               const KernelPoint& point) mutable -> std::optional<bool> {
        const std::optional<std::string> known = text(point);
        if (!known) return std::nullopt;
        const auto [result, first] = results.try_emplace(*known);  // many launches have one name
        if (!first) return result->second;
        const QString has = to_qt(*known);
        if (comparison == "~")
            return result->second =
                       has.contains(wanted, Qt::CaseInsensitive) ||
                       (is_name && without_signature(*known).contains(wanted, Qt::CaseInsensitive));
        const bool equal =
            has.compare(wanted, Qt::CaseInsensitive) == 0 ||
            (is_name && without_signature(*known).compare(without_signature(wanted.toStdString()),
                                                          Qt::CaseInsensitive) == 0);
        return result->second = equal != (comparison == "!=");
    };
}

/// The number to compare with, in the field's own unit; a fault in words otherwise.
tl::expected<double, QString> limit_of(const FilterField& field, const FilterToken& value) {
    switch (field.unit) {
        case FilterUnit::percent:
            if (value.unit.isEmpty() || value.unit == "%") return value.number;
            return tl::unexpected(tr("\"%1\" is given in per cent, as in 80%.").arg(field.name));
        case FilterUnit::time:
            if (const auto time = scaled_value(value.number, value.unit, u"s")) return *time;
            return tl::unexpected(tr("Give \"%1\" a unit, as in 5ms, or 5% of the whole.").arg(field.name));
        case FilterUnit::rate:
            if (const auto rate = scaled_value(value.number, value.unit, u"FLOP/s")) return *rate;
            return tl::unexpected(
                tr("Give \"%1\" a prefix or a unit, as in 1.2T or 900 GFLOP/s.").arg(field.name));
        case FilterUnit::number:
        case FilterUnit::text:
            break;
    }
    if (value.unit.isEmpty() || value.unit == "x") return value.number;
    return tl::unexpected(tr("\"%1\" is a number without a unit.").arg(field.name));
}

}  // namespace

QString place_of(const FilterToken& token) {
    return token.kind == Kind::end ? tr("at the end") : tr("character %1").arg(token.at + 1);
}

Result<FilterCondition> make_comparison(const FilterField& field, const QString& comparison,
                                        const FilterToken& value) {
    if (field.unit == FilterUnit::text) return compare_text(field, comparison, value);
    if (comparison == "~") return fail(tr("\"%1\" is a number: ~ is for texts.").arg(field.name), value);
    if (value.kind != Kind::number)
        return fail(tr("\"%1\" is compared with a number.").arg(field.name), value);
    if (field.unit == FilterUnit::time && value.unit == "%")
        return [limit = value.number / 100, comparison](const KernelPoint& point) -> std::optional<bool> {
            if (!point.time) return std::nullopt;
            return compare(point.time_share, comparison, limit);
        };
    const auto limit = limit_of(field, value);
    if (!limit) return fail(limit.error(), value);
    return
        [number = field.number, limit = *limit, comparison](const KernelPoint& point) -> std::optional<bool> {
            const std::optional<double> has = number(point);
            if (!has) return std::nullopt;
            return compare(*has, comparison, limit);
        };
}

}  // namespace roofwalk

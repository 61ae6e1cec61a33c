// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kernels/kernel_filter.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <string>
#include <unordered_map>

#include "core/model/kernel_name.h"
#include "ui/kernels/filter_expression.h"
#include "ui/kernels/filter_field.h"
#include "ui/kernels/filter_lexer.h"
#include "ui/widgets/qt_text.h"

namespace roofwalk {

namespace {

/// Whether the text wants to be an expression. Names of C++ templates hold `<` and `>` too, so a comparison
/// counts only behind a field's name, or with a blank before it and a value behind it.
bool looks_like_expression(const QString& text) {
    static const QRegularExpression spaced(
        R"re(^[\s(]*(?:not[\s(]+)*[\w.]+\s+(?:<=|>=|!=|==|=|<|>|~)\s*[\d."\w])re");
    static const QRegularExpression field(R"re(^[\s(]*(?:not[\s(]+)*([\w.]+)\s*(?:<=|>=|!=|==|=|<|>|~))re");
    if (spaced.match(text).hasMatch()) return true;
    const QRegularExpressionMatch match = field.match(text);
    return match.hasMatch() && find_filter_field(match.captured(1)) != nullptr;
}

Result<KernelFilter> name_pattern(const QString& pattern) {
    const QRegularExpression expression(pattern, QRegularExpression::CaseInsensitiveOption);
    if (!expression.isValid())
        return tl::unexpected(
            Error{ErrorCode::bad_argument,
                  QCoreApplication::translate("KernelFilter", "The regular expression is not valid: %1.")
                      .arg(expression.errorString())
                      .toStdString(),
                  QCoreApplication::translate("KernelFilter", "character %1")
                      .arg(expression.patternErrorOffset() + 2)
                      .toStdString(),
                  {}});
    // Many launches have one name, and shortening it costs more than the pattern.
    return [expression, known = std::unordered_map<std::string, bool>()](const KernelPoint& point) mutable {
        const auto [entry, unknown] = known.try_emplace(point.name);
        if (unknown)
            entry->second =
                expression.match(to_qt(point.name)).hasMatch() ||
                expression.match(to_qt(shorten_kernel_name(point.name, point.name.size()))).hasMatch();
        return entry->second;
    };
}

}  // namespace

Result<KernelFilter> parse_kernel_filter(const QString& text) {
    const QString trimmed = text.trimmed();
    if (trimmed.isEmpty()) return KernelFilter();
    if (trimmed.size() > 2 && trimmed.startsWith('/') && trimmed.endsWith('/'))
        return name_pattern(trimmed.mid(1, trimmed.size() - 2));
    if (looks_like_expression(trimmed)) return parse_filter_expression(trimmed);
    return [trimmed](const KernelPoint& point) {
        return to_qt(point.name).contains(trimmed, Qt::CaseInsensitive);
    };
}

}  // namespace roofwalk

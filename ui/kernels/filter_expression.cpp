// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kernels/filter_expression.h"

#include <QCoreApplication>
#include <cmath>

#include "ui/kernels/filter_comparison.h"
#include "ui/kernels/filter_field.h"
#include "ui/kernels/filter_lexer.h"

namespace roofwalk {

namespace {

using Kind = FilterToken::Kind;

constexpr int deepest_nesting = 64;

class Parser {
    Q_DECLARE_TR_FUNCTIONS(FilterExpression)

  public:
    explicit Parser(const QString& text) : tokens_(filter_tokens(text)) {}

    Result<KernelFilter> parse() {
        Result<KernelFilter> filter = either();
        if (filter && peek().kind != Kind::end)
            return fail(tr("Expected \"and\" or \"or\" here, not \"%1\".").arg(peek().text));
        return filter;
    }

  private:
    Result<KernelFilter> either() {
        Result<KernelFilter> left = both();
        while (left && take_word("or")) {
            Result<KernelFilter> right = both();
            if (!right) return right;
            left = [a = *left, b = *right](const KernelPoint& point) { return a(point) || b(point); };
        }
        return left;
    }

    Result<KernelFilter> both() {
        Result<KernelFilter> left = single();
        while (left && take_word("and")) {
            Result<KernelFilter> right = single();
            if (!right) return right;
            left = [a = *left, b = *right](const KernelPoint& point) { return a(point) && b(point); };
        }
        return left;
    }

    Result<KernelFilter> single() {
        if (++depth_ > deepest_nesting) return fail(tr("The filter is nested too deeply."));
        Result<KernelFilter> filter = negated_or_grouped();
        --depth_;
        return filter;
    }

    Result<KernelFilter> negated_or_grouped() {
        if (take_word("not")) {
            Result<KernelFilter> inner = single();
            if (!inner) return inner;
            return [a = *inner](const KernelPoint& point) { return !a(point); };
        }
        if (peek().kind != Kind::open) return comparison();
        ++next_;
        Result<KernelFilter> inner = either();
        if (inner && peek().kind != Kind::close) return fail(tr("A closing parenthesis is missing."));
        ++next_;
        return inner;
    }

    Result<KernelFilter> comparison() {
        const FilterToken name = peek();
        if (name.kind != Kind::word)
            return fail(tr("Expected the name of a column: %1.").arg(filter_field_names()));
        const FilterField* field = find_filter_field(name.text);
        if (field == nullptr)
            return fail(
                tr("There is no column \"%1\". Columns are: %2.").arg(name.text, filter_field_names()));
        ++next_;
        if (peek().kind != Kind::comparison)
            return fail(tr("Expected a comparison behind \"%1\": <, <=, >, >=, =, != or ~.").arg(name.text));
        const FilterToken comparison = peek();
        ++next_;
        const FilterToken value = peek();
        Result<KernelFilter> filter = make_comparison(*field, comparison.text, value);
        if (filter) ++next_;
        return filter;
    }

    [[nodiscard]] const FilterToken& peek() const { return tokens_[next_]; }

    bool take_word(const char* word) {
        if (peek().kind != Kind::word || peek().text.compare(QLatin1String(word), Qt::CaseInsensitive) != 0)
            return false;
        ++next_;
        return true;
    }

    [[nodiscard]] tl::unexpected<Error> fail(const QString& what) const {
        return tl::unexpected(
            Error{ErrorCode::bad_argument, what.toStdString(), place_of(peek()).toStdString(), {}});
    }

    QList<FilterToken> tokens_;
    qsizetype next_ = 0;
    int depth_ = 0;
};

}  // namespace

Result<KernelFilter> parse_filter_expression(const QString& text) {
    return Parser(text).parse();
}

}  // namespace roofwalk

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

FilterCondition either_of(const FilterCondition& a, const FilterCondition& b) {
    return [a, b](const KernelPoint& point) -> std::optional<bool> {
        const std::optional<bool> left = a(point);
        if (left == true) return true;
        const std::optional<bool> right = b(point);
        if (right == true) return true;
        return left && right ? std::optional(false) : std::nullopt;
    };
}

FilterCondition both_of(const FilterCondition& a, const FilterCondition& b) {
    return [a, b](const KernelPoint& point) -> std::optional<bool> {
        const std::optional<bool> left = a(point);
        if (left == false) return false;
        const std::optional<bool> right = b(point);
        if (right == false) return false;
        return left && right ? std::optional(true) : std::nullopt;
    };
}

FilterCondition opposite_of(const FilterCondition& a) {
    return [a](const KernelPoint& point) -> std::optional<bool> {
        const std::optional<bool> value = a(point);
        if (!value) return std::nullopt;
        return !*value;
    };
}

class Parser {
    Q_DECLARE_TR_FUNCTIONS(FilterExpression)

  public:
    explicit Parser(const QString& text) : tokens_(filter_tokens(text)) {}

    Result<FilterCondition> parse() {
        Result<FilterCondition> filter = either();
        if (filter && peek().kind != Kind::end)
            return fail(tr("Expected \"and\" or \"or\" here, not \"%1\".").arg(peek().text));
        return filter;
    }

  private:
    Result<FilterCondition> either() {
        Result<FilterCondition> left = both();
        while (left && take_word("or")) {
            Result<FilterCondition> right = both();
            if (!right) return right;
            left = either_of(*left, *right);
        }
        return left;
    }

    Result<FilterCondition> both() {
        Result<FilterCondition> left = single();
        while (left && take_word("and")) {
            Result<FilterCondition> right = single();
            if (!right) return right;
            left = both_of(*left, *right);
        }
        return left;
    }

    Result<FilterCondition> single() {
        if (++depth_ > deepest_nesting) return fail(tr("The filter is nested too deeply."));
        Result<FilterCondition> filter = negated_or_grouped();
        --depth_;
        return filter;
    }

    Result<FilterCondition> negated_or_grouped() {
        if (take_word("not")) {
            Result<FilterCondition> inner = single();
            if (!inner) return inner;
            return opposite_of(*inner);
        }
        if (peek().kind != Kind::open) return comparison();
        ++next_;
        Result<FilterCondition> inner = either();
        if (inner && peek().kind != Kind::close) return fail(tr("A closing parenthesis is missing."));
        ++next_;
        return inner;
    }

    Result<FilterCondition> comparison() {
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
        Result<FilterCondition> filter = make_comparison(*field, comparison.text, value);
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
    return Parser(text).parse().map([](const FilterCondition& condition) -> KernelFilter {
        return [condition](const KernelPoint& point) { return condition(point).value_or(false); };
    });
}

}  // namespace roofwalk

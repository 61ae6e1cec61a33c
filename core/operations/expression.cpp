// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

#include "core/base/text.h"

namespace roofwalk {

namespace {

constexpr std::size_t longest_formula = 1000;
constexpr int deepest_nesting = 64;
constexpr std::array<std::string_view, 6> functions{"min", "max", "ceil", "floor", "log2", "sqrt"};

bool starts_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_function(std::string_view word) {
    return std::ranges::find(functions, word) != functions.end();
}

/// Reads a formula once from left to right. After the first error everything is 0 and nothing more is read.
class Evaluation {
  public:
    Evaluation(std::string_view formula, std::span<const NamedNumber> names)
        : formula_(formula), names_(names) {}

    Result<double> run() {
        const double value = sum();
        skip_space();
        if (!error_ && at_ < formula_.size()) fail(at_, unexpected(), "Join two values with + - * / or ^.");
        if (error_) return tl::unexpected(*error_);
        return value;
    }

  private:
    double sum() {
        double value = product();
        while (const char sign = take_one_of("+-")) {
            const std::size_t column = at_ - 1;
            const double right = product();
            value = finite(sign == '+' ? value + right : value - right, column);
        }
        return value;
    }

    double product() {
        double value = signed_power();
        while (const char sign = take_one_of("*/")) {
            const std::size_t column = at_ - 1;
            const double right = signed_power();
            if (sign == '/' && right == 0 && !error_) return fail(column, "The formula divides by zero", "");
            value = finite(sign == '*' ? value * right : value / right, column);
        }
        return value;
    }

    /// Every way to nest leads through here.
    double signed_power() {
        if (++depth_ > deepest_nesting)
            return fail(at_, "The formula is nested too deeply",
                        fmt::format("At most {} levels are read.", deepest_nesting));
        const char sign = take_one_of("+-");
        const double value = sign ? signed_power() : power();
        --depth_;
        return sign == '-' ? -value : value;
    }

    double power() {
        const double base = primary();
        if (!take_one_of("^")) return base;
        const std::size_t column = at_ - 1;
        return finite(std::pow(base, signed_power()), column);
    }

    double primary() {
        skip_space();
        if (error_) return 0;
        if (at_ == formula_.size()) return fail(at_, "The formula ends where a value must stand", "");
        const char c = formula_[at_];
        if (is_digit(c) || c == '.') return number();
        if (starts_name(c)) return name_or_call();
        if (!take_one_of("(")) return fail(at_, unexpected(), "A number, a name or ( must stand here.");
        const std::size_t open = at_ - 1;
        const double value = sum();
        if (!error_ && !take_one_of(")")) return fail(open, "This ( is never closed", "");
        return value;
    }

    double number() {
        double value = 0;
        const char* end = formula_.data() + formula_.size();
        const auto [stop, problem] = std::from_chars(formula_.data() + at_, end, value);
        if (problem == std::errc::result_out_of_range) return fail(at_, "This number is out of range", "");
        if (problem != std::errc{}) return fail(at_, unexpected(), "");
        at_ = static_cast<std::size_t>(stop - formula_.data());
        return value;
    }

    double name_or_call() {
        const std::size_t start = at_;
        while (at_ < formula_.size() && (starts_name(formula_[at_]) || is_digit(formula_[at_])))
            ++at_;
        const std::string_view word = formula_.substr(start, at_ - start);
        if (is_function(word)) return call(word, start);
        const auto found = std::ranges::find(names_, word, &NamedNumber::name);
        if (found == names_.end())
            return fail(start, fmt::format("The formula uses '{}', which has no value", word), known_names());
        return found->value;
    }

    double call(std::string_view function, std::size_t start) {
        if (!take_one_of("(")) return fail(at_, fmt::format("A ( must follow {}", function), "");
        std::vector<double> values{sum()};
        while (!error_ && take_one_of(","))
            values.push_back(sum());
        if (!error_ && !take_one_of(")"))
            return fail(start, fmt::format("{}( is never closed", function), "");
        if (error_) return 0;
        if (function == "min") return *std::ranges::min_element(values);
        if (function == "max") return *std::ranges::max_element(values);
        if (values.size() != 1) return fail(start, fmt::format("{} takes one value", function), "");
        if (function == "ceil") return std::ceil(values[0]);
        if (function == "floor") return std::floor(values[0]);
        return finite(function == "log2" ? std::log2(values[0]) : std::sqrt(values[0]), start);
    }

    double finite(double value, std::size_t column) {
        if (error_ || std::isfinite(value)) return value;
        return fail(column, "No finite number comes out here", "");
    }

    double fail(std::size_t column, std::string what, std::string hint) {
        if (!error_)
            error_ = Error{ErrorCode::bad_argument, std::move(what), fmt::format("column {}", column + 1),
                           std::move(hint)};
        at_ = formula_.size();
        return 0;
    }

    [[nodiscard]] std::string unexpected() const {
        std::size_t length = 1;
        while (at_ + length < formula_.size() && (formula_[at_ + length] & 0xC0) == 0x80)
            ++length;
        return fmt::format("'{}' is not expected in the formula", clean_utf8(formula_.substr(at_, length)));
    }

    [[nodiscard]] std::string known_names() const {
        if (names_.empty()) return "It has no names to use.";
        return "It may use " + joined(names_, ", ", &NamedNumber::name) + ".";
    }

    void skip_space() {
        while (at_ < formula_.size() && (formula_[at_] == ' ' || formula_[at_] == '\t'))
            ++at_;
    }

    /// The next character when it is one of `wanted`, else 0.
    char take_one_of(std::string_view wanted) {
        skip_space();
        if (at_ == formula_.size() || wanted.find(formula_[at_]) == std::string_view::npos) return 0;
        return formula_[at_++];
    }

    std::string_view formula_;
    std::span<const NamedNumber> names_;
    std::size_t at_ = 0;
    int depth_ = 0;
    std::optional<Error> error_;
};

}  // namespace

Result<double> evaluate(std::string_view formula, std::span<const NamedNumber> names) {
    if (formula.size() > longest_formula)
        return unexpected(ErrorCode::bad_argument,
                          fmt::format("A formula of {} characters is too long", formula.size()),
                          fmt::format("column {}", longest_formula + 1),
                          fmt::format("At most {} characters are read.", longest_formula));
    return Evaluation(formula, names).run();
}

std::string number_text(double value) {
    return fmt::format("{}", value);
}

bool is_formula_name(std::string_view word) {
    return !word.empty() && starts_name(word.front()) && !is_function(word) &&
           std::ranges::all_of(word, [](char c) { return starts_name(c) || is_digit(c); });
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace roofwalk {

/// A number that a formula may call by its name.
struct NamedNumber {
    std::string name;
    double value = 0;

    friend bool operator==(const NamedNumber&, const NamedNumber&) = default;
};

/// The value of a formula as people type it: + - * / ^ and parentheses, numbers such as 1e9, the names given,
/// and min, max, ceil, floor, log2 and sqrt. ^ binds tighter than a sign and from the right: -2^2 is -4,
/// 2^3^2 is 512. Anything else, a division by zero, a value that no double holds, a formula longer than 1000
/// characters or nested deeper than 64 is an error that names the column.
[[nodiscard]] Result<double> evaluate(std::string_view formula, std::span<const NamedNumber> names = {});

/// The shortest text that `evaluate` reads as the same number.
[[nodiscard]] std::string number_text(double value);

/// Whether a word can be the name of a number: letters, digits and _, no digit first, not the name of a
/// function.
[[nodiscard]] bool is_formula_name(std::string_view word);

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/error.h"
#include "core/operations/op_arguments.h"
#include "core/operations/op_model.h"

namespace roofwalk {

enum class ParameterKind : std::uint8_t {
    count,    ///< a whole number
    number,   ///< a number of at least 0
    type,     ///< a DataType
    choice,   ///< one of `choices`
    flag,     ///< yes or no
    pipe,     ///< the id of a pipe, or "auto"
    formula,  ///< an expression over the other numbers
};

/// One parameter of an operation.
struct ParameterSpec {
    std::string_view name;
    std::string_view alias;  ///< a second name; may be empty
    ParameterKind kind = ParameterKind::count;
    /// Empty: must be given. "=m": the value of the parameter m, which stands before this one.
    std::string_view default_value;
    std::string_view unit;     ///< "elements", "tokens"; empty for words
    std::string_view meaning;  ///< one clause
    std::string_view choices;  ///< of a choice: "none|shared"
    double minimum = 1;        ///< of a count

    [[nodiscard]] bool required() const { return default_value.empty(); }
};

/// One row of the registry: everything that help, completion and documents say about an operation.
struct OperationSpec {
    std::string_view name;
    std::span<const std::string_view> aliases;
    std::string_view summary;
    std::string_view noun;     ///< "a GEMM of this shape", as in "moves more bytes than ... needs"
    std::string_view work;     ///< formula of the work
    std::string_view traffic;  ///< formula of the compulsory bytes
    std::string_view source;   ///< who counts so
    std::string_view example;
    std::span<const ParameterSpec> parameters;
    bool takes_names = false;  ///< further names may be given numbers, for its formulas
    Result<OperationModel> (*model)(const OperationArguments&) = nullptr;
};

/// The values that `parameter` takes, in words: "a whole number of 1 to 2^53", "fp64, fp32, ...".
[[nodiscard]] std::string allowed_values(const ParameterSpec& parameter);

}  // namespace roofwalk

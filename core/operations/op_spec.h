// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/operations/data_type.h"
#include "core/operations/expression.h"
#include "core/operations/op_model.h"

namespace roofwalk {

/// "m=4096" as it stands in a text.
struct WrittenArgument {
    std::string name;
    std::string value;
};

/// The value of one parameter, checked against its specification.
struct ParameterValue {
    std::string_view name;  ///< of the specification
    std::string text;       ///< the value as it is shown
    bool given = false;
    double number = 0;               ///< of a count or a number
    DataType type = DataType::fp32;  ///< of a type
    std::optional<Pipe> pipe = {};   ///< of a pipe; absent for "auto"
};

/// Every parameter of an operation with a value that it allows. The names asked for are those of the
/// operation's own table, so they are always there.
class OperationArguments {
  public:
    OperationArguments(std::vector<ParameterValue> values, std::vector<NamedNumber> names)
        : values_(std::move(values)), names_(std::move(names)) {}

    [[nodiscard]] double number(std::string_view name) const { return at(name).number; }
    [[nodiscard]] DataType type(std::string_view name) const { return at(name).type; }
    [[nodiscard]] bool flag(std::string_view name) const { return at(name).text == "yes"; }
    [[nodiscard]] const std::string& text(std::string_view name) const { return at(name).text; }
    /// The pipe chosen by the parameter "pipe", else `usual`.
    [[nodiscard]] Pipe pipe_or(Pipe usual) const { return at("pipe").pipe.value_or(usual); }
    [[nodiscard]] bool chooses_pipe() const { return at("pipe").pipe.has_value(); }

    [[nodiscard]] const std::vector<ParameterValue>& values() const { return values_; }
    /// Numbers beyond the parameters, for formulas.
    [[nodiscard]] const std::vector<NamedNumber>& names() const { return names_; }

  private:
    [[nodiscard]] const ParameterValue& at(std::string_view name) const;

    std::vector<ParameterValue> values_;
    std::vector<NamedNumber> names_;
};

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
    std::string_view aliases = {};  ///< as choices: "matmul|mm|bmm|linear"
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

/// "1" and "2" of "1|2".
[[nodiscard]] std::vector<std::string_view> split_choices(std::string_view choices);

/// The words that `parameter` may be, in their order: types, pipes, choices. Empty of numbers and formulas.
[[nodiscard]] std::vector<std::string> choices_of(const ParameterSpec& parameter);

/// The values that `parameter` takes, in words: "a whole number of 1 to 2^53", "fp64, fp32, ...".
[[nodiscard]] std::string allowed_values(const ParameterSpec& parameter);

/// Checks what was written against the parameters of `spec` and fills in the defaults. A name that is
/// unknown, written twice or missing, or a value that cannot be, is an error that says what is allowed.
[[nodiscard]] Result<OperationArguments> read_arguments(const OperationSpec& spec,
                                                        const std::vector<WrittenArgument>& written);

}  // namespace roofwalk

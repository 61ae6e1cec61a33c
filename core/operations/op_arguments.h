// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/operations/data_type.h"
#include "core/operations/expression.h"

namespace roofwalk {

struct OperationSpec;

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

/// Checks what was written against the parameters of `spec` and fills in the defaults. A name that is
/// unknown, written twice or missing, or a value that cannot be, is an error that says what is allowed.
[[nodiscard]] Result<OperationArguments> read_arguments(const OperationSpec& spec,
                                                        const std::vector<WrittenArgument>& written);

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/operations/op_spec.h"

namespace roofwalk {

/// Every operation, in the order of the help.
[[nodiscard]] std::span<const OperationSpec* const> operations();

/// By name or alias, in any case, '-' read as '_'; null when unknown.
[[nodiscard]] const OperationSpec* find_operation(std::string_view name);

/// How an operation stores its operands, in the order of its parameters; empty of one that is not known.
[[nodiscard]] std::vector<DataType> operand_types(const OperationModel& model);

/// "Did you mean ...?" and the list of names.
[[nodiscard]] Error unknown_operation(std::string_view name);

}  // namespace roofwalk

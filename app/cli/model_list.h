// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>

#include "core/operations/op_spec.h"

namespace roofwalk::cli {

/// Operations with their parameters, formulas and an example, for people and for scripts.
[[nodiscard]] std::string to_list_text(std::span<const OperationSpec* const> specs);
[[nodiscard]] std::string to_list_json(std::span<const OperationSpec* const> specs);

}  // namespace roofwalk::cli

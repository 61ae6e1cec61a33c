// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/operations/op_spec.h"

namespace roofwalk {

/// Reads the value of one parameter. Numbers may be typed as formulas without names: 2^20, 32*128.
[[nodiscard]] Result<ParameterValue> read_value(const OperationSpec& spec, const ParameterSpec& parameter,
                                                std::string_view text);

}  // namespace roofwalk

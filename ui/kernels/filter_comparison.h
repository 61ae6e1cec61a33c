// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>

#include "ui/kernels/filter_field.h"
#include "ui/kernels/filter_lexer.h"
#include "ui/kernels/kernel_filter.h"

namespace roofwalk {

/// A filter before its end: absent where a number or a text is not known of the kernel, so that `not` does
/// not turn an unknown into a match.
using FilterCondition = std::function<std::optional<bool>(const KernelPoint&)>;

/// `field comparison value`, with the units that the field allows. A bare number for a time is an error: it
/// could be seconds or a share.
[[nodiscard]] Result<FilterCondition> make_comparison(const FilterField& field, const QString& comparison,
                                                      const FilterToken& value);

/// "character 7", or "at the end".
[[nodiscard]] QString place_of(const FilterToken& token);

}  // namespace roofwalk

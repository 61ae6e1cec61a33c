// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/kernels/kernel_filter.h"

namespace roofwalk {

/// Parses `gap > 2 and not (class ~ memory or time < 5%)`.
///
///     either      := both ("or" both)*
///     both        := single ("and" single)*
///     single      := "not" single | "(" either ")" | field operator value
///     operator    := "<" | "<=" | ">" | ">=" | "=" | "==" | "!=" | "~"
[[nodiscard]] Result<KernelFilter> parse_filter_expression(const QString& text);

}  // namespace roofwalk

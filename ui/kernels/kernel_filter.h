// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>

#include "core/base/error.h"
#include "core/roofline/analysis.h"

namespace roofwalk {

/// Whether a kernel is shown. Empty: every kernel is.
using KernelFilter = std::function<bool(const KernelPoint&)>;

/// What a person typed into the filter field, as a filter. Three forms:
/// `sgemm` finds the text in the name, whatever the case; `/gemm_\d+/` is a regular expression over the name;
/// `gap > 2 and time > 5%` compares fields, with `and`, `or`, `not`, parentheses and `~` for "contains".
///
/// A comparison with something that is not known of a kernel is unknown, and so is its `not`; what stays
/// unknown is no match. Errors name the place and what was expected.
[[nodiscard]] Result<KernelFilter> parse_kernel_filter(const QString& text);

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/report/report_columns.h"
#include "core/roofline/analysis.h"

namespace roofwalk {

/// Whether a kernel is shown. Empty: every kernel is.
using KernelFilter = std::function<bool(const KernelPoint&)>;

/// What a person typed as a filter, in the window, in a session or behind --filter. Three forms:
/// `sgemm` finds the text in the name, whatever the case; `/gemm_\d+/` is an RE2 expression over the name;
/// `gap > 2 and time > 5%` compares columns, with `and`, `or`, `not`, parentheses and `~` for "contains".
/// Text with one of ^ $ | \ ? [ .* .+ is looked for as it stands and as an RE2 expression.
///
///     either      := both ("or" both)*
///     both        := single ("and" single)*
///     single      := "not" single | "(" either ")" | column operator value
///     operator    := "<" | "<=" | ">" | ">=" | "=" | "==" | "!=" | "~"
///
/// A name is looked at as tables show it, without result type and parameters, and whole. A comparison with
/// something that is not known of a kernel is unknown, and so is its `not`; what stays unknown is no match.
/// Errors name the place and what was expected. The filter refers to `profile` and `analysis`; without them
/// what only the launches of a point tell is unknown.
[[nodiscard]] Result<KernelFilter> parse_kernel_filter(std::string_view text,
                                                       const Profile* profile = nullptr,
                                                       const Analysis* analysis = nullptr);

/// The words of a filter that name a column of which no kernel has a value: it matches none on their account.
[[nodiscard]] std::vector<std::string> columns_without_values(std::string_view filter, const Profile& profile,
                                                              const Analysis& analysis);

/// `class = "memory-bound"`; absent where the text cannot stand between quotes.
[[nodiscard]] std::optional<std::string> equal_condition(std::string_view column, std::string_view text);
/// A filter that leaves of another only what a condition holds for; absent where that one is a pattern or
/// holds a quote.
[[nodiscard]] std::optional<std::string> with_condition(std::string_view filter, std::string_view condition);

/// By point; empty without a filter. Absent when it is cancelled.
[[nodiscard]] std::optional<std::vector<bool>> matching_points(const Analysis& analysis,
                                                               const KernelFilter& filter,
                                                               const Progress& progress = {});

/// What a filter can name: every column of kernels, by its word or its id.
[[nodiscard]] const std::vector<KernelColumn>& filter_columns();
/// How the right side of a comparison with a column is written: "80%", "5ms, or 5% of the whole"; empty for a
/// bare number and for texts.
[[nodiscard]] std::string filter_example(const KernelColumn& column);

}  // namespace roofwalk

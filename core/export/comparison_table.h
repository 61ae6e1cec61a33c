// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/compare/comparison.h"
#include "core/compare/roof_change.h"
#include "core/export/report_table.h"

namespace roofwalk {

/// What stands in the verdict column for kernels without a verdict.
inline constexpr std::string_view added_kernel = "added";
inline constexpr std::string_view removed_kernel = "removed";
inline constexpr std::string_view ambiguous_kernel = "ambiguous";

/// A comparison in rows, for every text export: kernels that could be compared, longest time in the newest
/// report first; with more than two reports a row for each step of a kernel after the row for its whole way;
/// then added, removed and ambiguous kernels. Amounts are those of the reports; the speed-up is of one launch
/// where the notes say so.
[[nodiscard]] ReportTable comparison_table(const Comparison& comparison);

/// The comparison for scripts (`resources/schema/comparison.schema.json`). Of file paths only the last part
/// is written.
[[nodiscard]] std::string to_comparison_json(const Comparison& comparison);

/// What would bind each kernel on other devices: a row for each of them.
[[nodiscard]] ReportTable roof_change_table(const RunView& run, std::span<const DeviceRoofs> devices);
/// The same for scripts (`resources/schema/roof-comparison.schema.json`).
[[nodiscard]] std::string to_roof_change_json(const RunView& run, std::span<const DeviceRoofs> devices);

}  // namespace roofwalk

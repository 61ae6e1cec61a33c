// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/compare/comparison.h"

namespace roofwalk {

/// A kernel in one of the reports that are compared.
struct LineSide {
    const RunView* run = nullptr;
    std::uint32_t number = 0;  ///< of the report, the oldest is 1
    std::uint32_t point = 0;   ///< index into Analysis::points

    [[nodiscard]] const KernelPoint& kernel() const { return run->point(point); }
};

/// One line of a comparison, for tables; refers to the comparison. A kernel of one report only has one side.
struct ComparisonLine {
    std::optional<LineSide> before;
    std::optional<LineSide> after;
    const KernelChange* change = nullptr;  ///< null where there is one side only
    std::string_view verdict;              ///< for people: "both", "added", "removed", "ambiguous"
    bool step = false;                     ///< part of the way that the line before the steps is of
};

/// Kernels that could be compared, longest time in the newest report first; with more than two reports a line
/// for each step of a kernel after the line for its whole way; then added, removed and ambiguous kernels.
[[nodiscard]] std::vector<ComparisonLine> comparison_lines(const Comparison& comparison);

}  // namespace roofwalk

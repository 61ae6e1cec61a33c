// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/enum_array.h"
#include "core/roofline/analysis.h"
#include "ui/widgets/fact_table.h"

/// What the panel says of several kernels together.
namespace roofwalk {

/// Sums over points. A sum is absent unless every point has its part.
struct SelectionSum {
    std::size_t points = 0;
    GroupBy rows = GroupBy::kernel;  ///< what a point is
    std::uint64_t launches = 0;
    std::optional<Seconds> time;
    double time_share = 0;  ///< of all launches; points without a time add nothing
    std::optional<Flops> work;
    bool work_incomplete = false;  ///< a part of the work was not counted: `work` is a lower bound
    EnumArray<MemoryLevel, std::optional<Bytes>> bytes{};  ///< by MemoryLevel
};

[[nodiscard]] SelectionSum sum_points(const Analysis& analysis, const std::vector<std::uint32_t>& points);
/// "3 kernels selected: 1.20 ms, 45 % of the time."
[[nodiscard]] QString selection_headline(const SelectionSum& sum);
/// Time, work and bytes, with the performance and intensities that follow from them.
[[nodiscard]] FactTable sum_table(const SelectionSum& sum, const Analysis& analysis);
/// The kernels by time, the longest ones only when they are many.
[[nodiscard]] FactTable selection_table(const Analysis& analysis, std::vector<std::uint32_t> points);

}  // namespace roofwalk

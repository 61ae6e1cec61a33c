// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/chart/layout/layout.h"

/// Dots of one kernel too near to be told apart in a view would cover each other, as HBM and L2 do where
/// nothing is used twice. Then the first is filled and the others stand around it as outlines.
namespace roofwalk {

/// How many dots of the same kernel before dot `i` it stands around in this view.
[[nodiscard]] std::uint32_t dots_inside(std::span<const Dot> dots, std::uint32_t i, const View& view);

/// Whether one of the largest dots stands around another in this view.
[[nodiscard]] bool has_nested_dots(std::span<const Dot> dots, const View& view);

/// The radius that dot `i` is painted with: its own, or enough to stand around the others [px].
[[nodiscard]] double painted_radius(std::span<const Dot> dots, std::uint32_t i, const View& view);

/// The radius of the last dot of the kernel that stands around dot `i`, or its own [px].
[[nodiscard]] double outermost_radius(std::span<const Dot> dots, std::uint32_t i, const View& view);

/// Which dot is painted at the turn of dot `turn`: of one kernel the dot at its binding level last, so that
/// the others do not hide it.
[[nodiscard]] std::uint32_t painted_at(std::span<const Dot> dots, std::uint32_t turn);

/// The dots of the same kernel at nearly the same place, dot `i` among them, the farthest level first.
[[nodiscard]] std::vector<std::uint32_t> dots_together(std::span<const Dot> dots, std::uint32_t i,
                                                       const View& view);

}  // namespace roofwalk

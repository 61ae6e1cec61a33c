// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "core/chart/layout/layout.h"

namespace roofwalk {

/// Dots nearer than this to each other are seen as one [px].
inline constexpr double seen_as_one = 2;
/// What nobody sees: dots this near are looked at as one where a pile has hundreds [px].
inline constexpr double same_place = 0.3;

/// Whether two places are nearer to each other than `apart` px.
[[nodiscard]] inline bool are_near(PointF a, PointF b, double apart = seen_as_one) {
    return std::hypot(a.x - b.x, a.y - b.y) < apart;
}

/// Kernels whose first dots, those of the farthest level, are seen as one.
struct DotPile {
    std::vector<std::uint32_t> others;  ///< points besides the one asked for
    bool counted = true;  ///< false where so many dots are drawn that smaller ones were left out

    /// " and 2 more kernels", in the words of the scene's rows, or their numbers, ", 5, 7", where all have
    /// some; empty without others.
    [[nodiscard]] std::string words(const Scene& scene) const;
};

/// What lies at the place of dot `i`, a first one in the plot, without the points of `told`. In time constant
/// beyond the largest thousand dots.
[[nodiscard]] DotPile pile_at(const Scene& scene, const View& view, std::uint32_t i,
                              const std::vector<std::uint32_t>& told);

/// " and 2 more kernels"; empty for 0.
[[nodiscard]] std::string and_more(std::size_t more, GroupBy rows);

}  // namespace roofwalk

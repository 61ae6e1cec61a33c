// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/chart/layout.h"
#include "core/chart/scene.h"

namespace roofwalk {

/// How many dots fall into each 2 x 2 px cell of the plot, for views with more dots than sprites can carry.
struct DensityMap {
    int columns = 0;
    int rows = 0;
    std::vector<std::uint32_t> counts;  ///< row by row, top row first
    std::uint32_t max = 0;              ///< in one cell
    std::size_t inside = 0;             ///< in all cells
};

/// Counts into `map`, reusing its memory. `log_x` and `log_y` are the natural logarithms of the dots' places.
void count_density(std::span<const float> log_x, std::span<const float> log_y, const View& view,
                   DensityMap& map);

}  // namespace roofwalk

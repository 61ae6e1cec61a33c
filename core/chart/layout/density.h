// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/chart/layout/layout.h"
#include "core/chart/scene/scene.h"

namespace roofwalk {

inline constexpr double density_cell = 2;  ///< [px]

/// How many dots fall into each square cell of the plot, for views with more dots than can be drawn one by
/// one.
struct DensityMap {
    double cell = density_cell;  ///< side of a cell [px]
    int columns = 0;
    int rows = 0;
    std::vector<std::uint32_t> counts;  ///< row by row, top row first
    std::uint32_t max = 0;              ///< in one cell
    std::size_t inside = 0;             ///< in all cells
};

/// Counts into cells of `map.cell`, reusing its memory. `log_x` and `log_y` are the natural logarithms of the
/// dots' places.
void count_density(std::span<const float> log_x, std::span<const float> log_y, const View& view,
                   DensityMap& map);

/// The ink of a cell: grey, as each colour of a dot means something.
struct Shade {
    Colour colour;
    double opacity = 1;
};

/// From thin, where one dot stands, at 0, to solid, where most do, at 1.
[[nodiscard]] Shade shade_at(double share, const Palette& palette);
/// Which shade a cell has where `most` dots stand in the fullest one: by the logarithm, 0 to 1.
[[nodiscard]] float shade_share(std::uint32_t count, std::uint32_t most);

}  // namespace roofwalk

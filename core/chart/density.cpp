// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/density.h"

#include <algorithm>
#include <cmath>

namespace roofwalk {

namespace {

constexpr double cell_px = 2;

}  // namespace

void count_density(std::span<const float> log_x, std::span<const float> log_y, const View& view,
                   DensityMap& map) {
    map.columns = std::max(1, static_cast<int>(std::ceil(view.plot.width / cell_px)));
    map.rows = std::max(1, static_cast<int>(std::ceil(view.plot.height / cell_px)));
    map.counts.assign(static_cast<std::size_t>(map.columns) * static_cast<std::size_t>(map.rows), 0);
    map.max = 0;

    const double left = std::log(view.x.lo);
    const double top = std::log(view.y.hi);
    const auto x_lo = static_cast<float>(left);
    const auto y_hi = static_cast<float>(top);
    const auto x_scale = static_cast<float>(view.plot.width / cell_px / (std::log(view.x.hi) - left));
    const auto y_scale = static_cast<float>(view.plot.height / cell_px / (top - std::log(view.y.lo)));
    const auto columns = static_cast<float>(map.columns);
    const auto rows = static_cast<float>(map.rows);
    const std::size_t count = std::min(log_x.size(), log_y.size());
    for (std::size_t i = 0; i < count; ++i) {
        const float column = (log_x[i] - x_lo) * x_scale;
        const float row = (y_hi - log_y[i]) * y_scale;
        // Negated, so that a NaN is left out as well.
        if (!(column >= 0 && column < columns && row >= 0 && row < rows)) continue;
        const auto cell = static_cast<std::size_t>(row) * static_cast<std::size_t>(map.columns) +
                          static_cast<std::size_t>(column);
        map.max = std::max(map.max, ++map.counts[cell]);
    }
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/layout/density.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace roofwalk {

namespace {

constexpr std::size_t block = 512;  // dots whose cells are worked out before they are counted

/// From logarithms to cells; dots outside the plot, and those that are no numbers, have the cell past the
/// last.
class Cells {
  public:
    Cells(const View& view, const DensityMap& map)
        : columns_(map.columns), nowhere_(map.columns * map.rows), rows_(map.rows) {
        const double left = std::log(view.x.lo);
        const double top = std::log(view.y.hi);
        x_lo_ = static_cast<float>(left);
        y_hi_ = static_cast<float>(top);
        x_scale_ = static_cast<float>(view.plot.width / map.cell / (std::log(view.x.hi) - left));
        y_scale_ = static_cast<float>(view.plot.height / map.cell / (top - std::log(view.y.lo)));
    }

    /// Without a branch, so that many are worked out at once.
    [[nodiscard]] std::int32_t of(float log_x, float log_y) const {
        const float column = (log_x - x_lo_) * x_scale_;
        const float row = (y_hi_ - log_y) * y_scale_;
        const bool seen = (column >= 0) & (column < static_cast<float>(columns_)) & (row >= 0) &
                          (row < static_cast<float>(rows_));
        const auto cell = static_cast<std::int32_t>(seen ? row : 0.0F) * columns_ +
                          static_cast<std::int32_t>(seen ? column : 0.0F);
        return seen ? cell : nowhere_;
    }

  private:
    std::int32_t columns_;
    std::int32_t nowhere_;
    std::int32_t rows_;
    float x_lo_ = 0;
    float y_hi_ = 0;
    float x_scale_ = 1;
    float y_scale_ = 1;
};

}  // namespace

void count_density(std::span<const float> log_x, std::span<const float> log_y, const View& view,
                   DensityMap& map) {
    map.columns = std::max(1, static_cast<int>(std::ceil(view.plot.width / map.cell)));
    map.rows = std::max(1, static_cast<int>(std::ceil(view.plot.height / map.cell)));
    const auto all = static_cast<std::size_t>(map.columns) * static_cast<std::size_t>(map.rows);
    map.counts.assign(all + 1, 0);

    const Cells cells(view, map);
    const std::size_t count = std::min(log_x.size(), log_y.size());
    std::array<std::int32_t, block> cell_of{};
    for (std::size_t first = 0; first < count; first += block) {
        const std::size_t dots = std::min(block, count - first);
        for (std::size_t i = 0; i < dots; ++i)
            cell_of[i] = cells.of(log_x[first + i], log_y[first + i]);
        for (std::size_t i = 0; i < dots; ++i)
            ++map.counts[static_cast<std::size_t>(cell_of[i])];
    }
    map.inside = count - map.counts.back();
    map.counts.pop_back();
    map.max = *std::ranges::max_element(map.counts);
}

Shade shade_at(double share, const Palette& palette) {
    constexpr double thinnest = 0.35;
    constexpr double mixed_from = 0.4;  // below, only the opacity grows
    const Colour few = palette.faint_text;
    const Colour many = palette.text;
    const double mix = std::max(0.0, share - mixed_from) / (1 - mixed_from);
    const auto blend = [mix](std::uint8_t a, std::uint8_t b) {
        return static_cast<std::uint8_t>(std::lround(a + mix * (b - a)));
    };
    return {{blend(few.r, many.r), blend(few.g, many.g), blend(few.b, many.b)},
            thinnest + (1 - thinnest) * share};
}

float shade_share(std::uint32_t count, std::uint32_t most) {
    return std::log2(static_cast<float>(count) + 1.0F) / std::log2(static_cast<float>(most) + 1.0F);
}

}  // namespace roofwalk

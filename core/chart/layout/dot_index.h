// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/chart/layout/layout.h"
#include "core/chart/scene/scene.h"

namespace roofwalk {

/// Finds the dot under the pointer among millions: a grid over log space, built once for a Scene. It refers
/// to the dots, which must outlive it unmoved.
class DotIndex {
  public:
    DotIndex() = default;
    explicit DotIndex(std::span<const Dot> dots);

    /// The dot whose rim is nearest to `at`, no farther than `reach` px; on the band of a rail only dots of
    /// that rail, for others end at the plot's edge. Among dots that cover `at` the one
    /// with the nearest centre; index into the dots. Where more than 128 dots share a cell of the grid, its
    /// 128 largest are looked at; on a rail, of the small ones, 64 on either side.
    [[nodiscard]] std::optional<std::uint32_t> nearest(const View& view, PointF at, double reach) const;
    /// Every dot whose centre lies in a rectangle of the page, in no order; those under the band of a rail
    /// are not seen and not found.
    [[nodiscard]] std::vector<std::uint32_t> inside(const View& view, const RectF& area) const;
    /// Every dot whose shape may reach into a rectangle of the page, in no order, until `wanted` answers
    /// false. `corner` is from the middle of a dot to what is farthest from it, in radii.
    void visit_reaching(const View& view, const RectF& area, double corner,
                        const std::function<bool(std::uint32_t dot)>& wanted) const;

  private:
    struct Cell {
        std::int64_t x = 0;
        std::int64_t y = 0;
    };
    /// Single precision is a thousandth of a pixel: enough to leave out most dots without a logarithm.
    struct LogPlace {
        float x = 0;
        float y = 0;
        float radius = 0;  // [px]
    };
    [[nodiscard]] Cell cell_of(double log_x, double log_y) const;
    /// First and last position of a cell in order_.
    [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> dots_in(Cell cell) const;
    [[nodiscard]] bool is_empty(std::int64_t row, std::int64_t first_column, std::int64_t last_column) const;
    /// Dots whose centre lies in a rectangle, until `wanted` answers false, which is the answer then.
    template <class Wanted>
    bool visit_inside(const View& view, const RectF& area, const Wanted& wanted) const;
    /// The dots of a rail from `lo` to `hi`.
    [[nodiscard]] std::span<const std::uint32_t> between(const std::vector<std::uint32_t>& rail, Rail which,
                                                         double lo, double hi) const;
    /// The same, those nearest to `middle` when there are many.
    [[nodiscard]] std::span<const std::uint32_t> on_rail(const std::vector<std::uint32_t>& rail, Rail which,
                                                         double lo, double middle, double hi) const;

    std::span<const Dot> dots_;
    std::vector<std::uint32_t> starts_;      // of each cell in order_, row by row
    std::vector<std::uint32_t> order_;       // dots cell by cell, largest first within a cell
    std::vector<LogPlace> places_;           // of the dots in order_
    double small_radius_ = 0;                // of all dots but the large ones, at most [px]
    std::vector<std::uint32_t> large_;       // few; kept apart, so that the search for small ones ends early
    std::vector<LogPlace> large_places_;     // of the dots in large_, where they stand on no rail
    std::vector<std::uint32_t> no_work_;     // along the bottom rail
    std::vector<std::uint32_t> no_traffic_;  // along the right rail
    std::vector<std::uint32_t> edge_;        // by the rate of their lines
    double log_x_ = 0;
    double log_y_ = 0;
    double cell_x_ = 1;
    double cell_y_ = 1;
    std::int64_t side_ = 0;
};

}  // namespace roofwalk

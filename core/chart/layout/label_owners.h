// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/chart/layout/label_box.h"

namespace roofwalk {

/// The dots, empty markers and arrows of a chart by kernel: what a label could be taken to belong to. Of dots
/// the largest and those of kernels with a name only.
class LabelOwners {
  public:
    LabelOwners(const Scene& scene, const View& view, const Layout& layout);

    /// `box` is that of the label. Whether it is nearer to the marks of its own kernel than to dots of
    /// others, without a leader to their arrows too, and by more where it stands in the row of another's dot
    /// and of none of its own. Dots and arrows of other kernels at the very place of its own do not count.
    [[nodiscard]] bool is_nearest_to_own(const PlacedText& label, const LabelBox& box,
                                         std::uint32_t point) const;

  private:
    static constexpr std::size_t side = 32;  // cells of the plot, both ways

    struct Mark {
        PointF from;
        PointF to;  ///< of an arrow
        double radius = 0;
        std::uint32_t point = 0;
        bool arrow = false;

        [[nodiscard]] double distance(const LabelBox& box) const {
            return arrow ? box.distance(from, to) : box.distance_to_circle(from, radius);
        }
        /// Whether it covers another of the same kind.
        [[nodiscard]] bool stands_for(const Mark& other) const;
        [[nodiscard]] bool comes_near(const RectF& area) const;
        [[nodiscard]] bool in_row_of(const RectF& words) const;
    };

    void add(const Mark& mark);
    void add_arrow(const PlacedLine& line, std::uint32_t point) { add({line.from, line.to, 0, point, true}); }
    void add_dots(const Scene& scene, const View& view);
    void add_paths(const Scene& scene, const Layout& layout);
    [[nodiscard]] std::span<const Mark> marks_of(std::uint32_t point) const;
    [[nodiscard]] static bool is_at_one_of(std::span<const Mark> own, const Mark& mark);
    [[nodiscard]] bool none_nearer(const LabelBox& box, double distance, double to_arrows, double more_in_row,
                                   std::uint32_t than) const;
    /// Whether `found` is true of a cell that an area covers; what is outside the plot is in those at its
    /// sides.
    template <class Found>
    bool any_cell(const RectF& area, const Found& found) const;

    RectF plot_;
    std::vector<std::vector<Mark>> cells_;
    std::unordered_map<std::uint32_t, std::vector<Mark>> by_point_;
};

}  // namespace roofwalk

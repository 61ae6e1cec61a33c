// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/chart/layout/density.h"

/// Which dots a page draws one by one. A page is for people and papers: of more dots than can be told apart
/// it shades how many stand where, and only those that matter most stay dots.
namespace roofwalk {

/// A page with more dots shades.
inline constexpr std::size_t most_page_dots = 5'000;
/// So many kernels (or launches: what a point stands for) stay dots over shading: those with most time, and
/// of those selected again those with most time.
inline constexpr std::size_t longest_on_page = 500;

struct PageDots {
    std::vector<bool> drawn;     ///< by point: with its dots; empty: every one
    std::size_t longest = 0;     ///< points drawn because they have most time
    std::size_t selected = 0;    ///< points drawn because they are selected
    std::size_t unringed = 0;    ///< selected points that are not drawn
    std::size_t off_rails = 0;   ///< dots that a rail leaves out, each where a longer one stands
    std::vector<float> log_x{};  ///< natural logarithms of the places of the dots that are shading
    std::vector<float> log_y{};

    [[nodiscard]] bool draws(std::uint32_t point) const { return drawn.empty() || drawn[point]; }
    /// How many dots are shading; 0 where each is drawn.
    [[nodiscard]] std::size_t shaded() const { return log_x.size(); }
};

/// Beside the longest, those with a gap, a target, a path or a name are dots whatever their time.
[[nodiscard]] PageDots page_dots(const Scene& scene);

/// Where those that are shading stand, in cells of `density_cell`, or larger ones on a page so large that a
/// file would be all cells.
[[nodiscard]] DensityMap density_of(const PageDots& dots, const View& view);

/// For the legend: "2,998,500 dots as shading: 1 to 812 in 2 px × 2 px".
[[nodiscard]] std::string shading_words(const DensityMap& density);

/// For the caption: "2,998,500 of 3,000,000 dots are shading, stronger where more stand; the 500 longest
/// launches are dots"; empty where each is drawn.
[[nodiscard]] std::string page_dots_words(const Scene& scene, const PageDots& dots);

}  // namespace roofwalk

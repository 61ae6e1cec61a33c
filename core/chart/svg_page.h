// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/chart/layout.h"
#include "core/chart/svg_writer.h"

namespace roofwalk {

/// A row of the legend in its place: the sample, then the text.
struct PlacedLegendRow {
    LegendRow row;
    PointF at;  ///< start of the sample, on the text's baseline
};

/// Where everything around the plot stands: title, legend, axes, caption, from top to bottom.
struct SvgPage {
    View view;
    std::vector<Tick> x_ticks;
    std::vector<Tick> y_ticks;
    std::vector<PlacedLegendRow> legend;
    std::string title;  ///< cut to the page
    PointF title_at;
    PointF x_label_at;
    PointF y_label_at;
    std::vector<std::string> caption;  ///< lines, cut to the page
    PointF caption_at;                 ///< of the first line
};

inline constexpr double svg_title_size = 14;
inline constexpr double svg_text_size = 11;
inline constexpr double svg_small_size = 10;
inline constexpr double svg_line_height = 16;
inline constexpr double svg_sample_width = 15;  ///< of a legend row, with the gap to its text

[[nodiscard]] SvgPage plan_page(const Scene& scene, const SvgOptions& options);

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/chart/layout/layout.h"
#include "core/chart/layout/page_dots.h"

/// The page of an exported chart: one plan for SVG, PNG and PDF.
namespace roofwalk {

struct PageSize {
    double width = 900;   ///< [px]; a large chart is a small one scaled up, lines and letters too
    double height = 600;  ///< [px]
};

/// A row of the legend in its place: the sample, then the text.
struct PlacedLegendRow {
    LegendRow row;
    PointF at;  ///< start of the sample, on the text's baseline
};

/// Where everything stands: title, legend, plot, axes, caption, from top to bottom. All places are in pixels
/// of the drawing, which `scale` brings to the size that was asked for.
struct Page {
    PageSize drawing;
    double scale = 1;
    View view;
    std::vector<Tick> x_ticks;
    std::vector<Tick> y_ticks;
    std::vector<PlacedText> tick_labels;
    std::vector<PlacedLegendRow> legend;
    PlacedText title;  ///< empty without one
    PlacedText x_label;
    PlacedText y_label;
    std::vector<PlacedText> caption;  ///< lines, cut to the page
    PlacedText empty_note;            ///< empty when there are dots

    /// Where the note of an empty chart stands; absent without one.
    [[nodiscard]] std::optional<RectF> note_area() const;
    [[nodiscard]] double x_of(const Tick& tick) const;
    [[nodiscard]] double y_of(const Tick& tick) const;
};

inline constexpr double page_title_size = 14;
inline constexpr double page_text_size = 11;
inline constexpr double page_small_size = 10;
inline constexpr double page_line_height = 16;
inline constexpr double page_caption_height = 13;  ///< of a line
inline constexpr double page_sample_width = 15;    ///< of a legend row, with the gap to its text
inline constexpr double page_tick_length = 4;      ///< outwards; half of it without a number

/// `note` begins the caption, `shading` the legend.
[[nodiscard]] Page plan_page(const Scene& scene, const PageSize& size, const std::string& note = {},
                             const std::string& shading = {});

/// A page and what stands in its plot; the caption says what found no place there, and of what is shaded.
struct PagePlacement {
    Page page;
    Layout layout;
    PageDots dots;
    DensityMap density;  ///< empty where every dot is drawn
};
[[nodiscard]] PagePlacement lay_out_page(const Scene& scene, const PageSize& size);

}  // namespace roofwalk

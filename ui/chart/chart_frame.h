// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMargins>
#include <cstddef>

#include "core/chart/layout/layout.h"

/// What stands around the plot on screen: ticks and their labels, the titles of the axes, and the caption
/// below. The canvas leaves room for it and the painter fills it, both from here.
namespace roofwalk {

inline constexpr double tick_label_size = 12;          ///< font [px]
inline constexpr double axis_title_size = 13;          ///< font [px]
inline constexpr double caption_size = 11;             ///< font [px]
inline constexpr int tick_length = 5;                  ///< outwards [px]
inline constexpr int minor_tick_length = 2;            ///< outwards [px]
inline constexpr int tick_label_gap = 5;               ///< from a tick to its label [px]
inline constexpr int axis_title_gap = 6;               ///< from these to the axis' title [px]
inline constexpr std::size_t caption_lines_usual = 3;  ///< that have room also where there are fewer
inline constexpr std::size_t caption_lines_shown = 6;  ///< at most

/// Room around the plot, by the height of the fonts, for so many lines of the caption. It is the same for
/// every view, so that the plot stays put while labels change under a pan.
[[nodiscard]] QMargins chart_margins(std::size_t caption_lines = caption_lines_usual);

/// Where a line of the caption starts, on its baseline. The lines are as wide as caption_width(). `frame` is
/// the plot with its bands.
[[nodiscard]] PointF caption_start(const RectF& frame, std::size_t line);
[[nodiscard]] double caption_width(const RectF& frame);

}  // namespace roofwalk

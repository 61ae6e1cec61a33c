// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/chart/layout/layout.h"

namespace roofwalk {

/// The visible part of a roof in pixels, left end first; nothing when it does not cross the plot.
[[nodiscard]] std::optional<PlacedLine> clip_roof(const Roof& roof, const View& view);

/// The visible part of P = rate [byte/s] * I up to an intensity [FLOP/byte], in pixels, left end first.
[[nodiscard]] std::optional<PlacedLine> clip_slope(double rate, double ends_at, const View& view);

/// A vertical line at `x` [FLOP/byte] between two performances [FLOP/s], in pixels; nothing when outside.
[[nodiscard]] std::optional<PlacedLine> clip_vertical(double x, double from, double to, const View& view);
/// A horizontal line at `y` [FLOP/s] between two intensities [FLOP/byte], in pixels; nothing when outside.
[[nodiscard]] std::optional<PlacedLine> clip_horizontal(double y, double from, double to, const View& view);

/// The part of a line inside the plot [px]; nothing when outside or no line at all.
[[nodiscard]] std::optional<PlacedLine> clip_line(PointF from, PointF to, const RectF& plot);

/// The part of a roof with a round knee that the plot shows, as corners [px] of a line from left to right;
/// empty: none.
[[nodiscard]] std::vector<PointF> clip_curve(const RoofCurve& curve, const View& view);

/// The corners [px] of the area under the roof left of its ridge, and right of it; empty when outside.
[[nodiscard]] std::vector<PointF> memory_zone(const Zones& zones, const View& view);
[[nodiscard]] std::vector<PointF> compute_zone(const Zones& zones, const View& view);

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "core/chart/layout/label_placer.h"

namespace roofwalk {

/// Legs and empty markers of the paths, clipped to the plot. A leg runs from an empty marker's middle or a
/// dot's rim to the next rim; places that are too near have none between them.
void lay_out_paths(const Scene& scene, const View& view, Layout& layout);
/// Beside a leg of the path, the last one first, or beside its last place; then farther away, with a leader.
/// No label stands nearer to the arrow or the dot of another kernel than to its own.
void place_path_labels(const Scene& scene, const View& view, Layout& layout, LabelPlacer& placer);

/// The colour of a path, its arrow heads and its label.
[[nodiscard]] Colour path_colour(const ScenePath& path, const Palette& palette);

/// The head of an arrow along a leg: one end of its stroke, the tip, the other end.
[[nodiscard]] std::array<PointF, 3> arrow_head(const PlacedLeg& leg);

}  // namespace roofwalk

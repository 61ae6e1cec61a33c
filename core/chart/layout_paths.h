// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "core/chart/label_placer.h"

namespace roofwalk {

/// Legs and empty markers of the paths, clipped to the plot. A leg runs from an empty marker's middle or a
/// dot's rim to the next rim; places that are too near have none between them.
void lay_out_paths(const Scene& scene, const View& view, Layout& layout);
/// Beside the last leg of a path or, where the places are too near for any leg, beside the last place.
void place_path_labels(const Scene& scene, const View& view, Layout& layout, LabelPlacer& placer);

/// The colour of a path, its arrow heads and its label.
[[nodiscard]] Colour path_colour(const ScenePath& path, const Palette& palette);

/// The head of an arrow along a leg: one end of its stroke, the tip, the other end.
[[nodiscard]] std::array<PointF, 3> arrow_head(const LaidLeg& leg);

}  // namespace roofwalk

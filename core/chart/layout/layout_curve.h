// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/chart/layout/layout.h"

namespace roofwalk {

/// The part of a curve that the plot shows, as corners of a line from left to right; empty: none.
[[nodiscard]] std::vector<PointF> lay_out_curve(const RoofCurve& curve, const View& view);

}  // namespace roofwalk

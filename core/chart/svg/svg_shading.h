// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/chart/layout/density.h"
#include "core/chart/svg/svg_canvas.h"

namespace roofwalk {

/// The cells of a plot, a path for each shade whose title says how many dots such a cell holds; nothing where
/// none holds any.
void put_shading(SvgCanvas& canvas, const DensityMap& density, const View& view, const Palette& palette);

/// From thin to solid, for the legend.
void put_shading_sample(SvgCanvas& canvas, PointF centre, const Palette& palette);

}  // namespace roofwalk

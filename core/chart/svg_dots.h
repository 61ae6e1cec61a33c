// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/chart/svg_canvas.h"

namespace roofwalk {

/// The marker of a level around a place: circle, square, diamond or triangle, all of the area of a circle of
/// `radius`. `attributes` and `content` go into the element.
void put_marker(SvgCanvas& canvas, MemoryLevel level, PointF at, double radius, std::string_view attributes,
                std::string_view content = {});

/// Every dot of the scene that stands inside the view.
void put_dots(SvgCanvas& canvas, const Scene& scene, const Analysis& analysis, const View& view);

}  // namespace roofwalk

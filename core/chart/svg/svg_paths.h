// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/chart/svg/svg_canvas.h"

namespace roofwalk {

/// The paths of the scene: arrows and empty markers. Their labels stand among the others.
void put_paths(SvgCanvas& canvas, const Scene& scene, const Layout& layout);

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/chart/layout/page.h"

class QPainter;

namespace roofwalk {

/// Paints a whole chart, axes and legend included, as it was laid out. Shapes and texts only, no pictures, so
/// that a PDF stays sharp at any size.
void paint_chart_page(QPainter& painter, const Scene& scene, const PagePlacement& laid);

}  // namespace roofwalk

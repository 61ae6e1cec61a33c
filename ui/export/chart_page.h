// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSizeF>

#include "core/chart/scene/scene.h"

class QPainter;

namespace roofwalk {

/// Paints a whole chart, axes and legend included, on a page of `size` px. Shapes and texts only, no
/// pictures, so that a PDF stays sharp at any size.
void paint_chart_page(QPainter& painter, const Scene& scene, QSizeF size);

}  // namespace roofwalk

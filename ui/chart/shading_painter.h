// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>

#include "core/chart/layout/density.h"

class QPainter;

namespace roofwalk {

/// Shades the cells of a plot by how many dots they hold. `image` is what is painted, its memory used again.
void paint_shading(QPainter& painter, const DensityMap& density, const View& view, const Palette& palette,
                   QImage& image);

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>

#include "core/chart/scene/palette.h"
#include "core/roofline/verdict.h"

class QPainter;
class QPixmap;

namespace roofwalk {

/// Draws the sign of a class, or of low use `by_unit`, as the legend of the chart has it: a dot of its colour
/// with its mark.
void draw_class_glyph(QPainter& painter, KernelClass kernel_class, bool by_unit, Theme theme,
                      const QRectF& area);

/// The sign as a picture, `side` logical pixels wide.
[[nodiscard]] QPixmap class_pixmap(const Verdict& verdict, Theme theme, int side, double pixel_ratio);

}  // namespace roofwalk

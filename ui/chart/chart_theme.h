// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <string>

#include "core/chart/layout.h"
#include "core/chart/palette.h"

/// The chart's colours, fonts and shapes of core as Qt's.
namespace roofwalk {

[[nodiscard]] inline QColor to_qt(Colour colour, int alpha = 255) {
    return {colour.r, colour.g, colour.b, alpha};
}
[[nodiscard]] inline QPointF to_qt(PointF point) {
    return {point.x, point.y};
}
[[nodiscard]] inline QRectF to_qt(const RectF& rect) {
    return {rect.x, rect.y, rect.width, rect.height};
}
[[nodiscard]] inline QString to_qt(const std::string& text) {
    return QString::fromStdString(text);
}

/// The font whose widths text_width() knows, at `size` px.
[[nodiscard]] QFont chart_font(double size);

}  // namespace roofwalk

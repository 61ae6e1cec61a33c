// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QPointF>
#include <QRectF>
#include <cmath>

#include "core/chart/layout/layout.h"
#include "core/chart/scene/palette.h"
#include "ui/widgets/qt_text.h"

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

[[nodiscard]] inline PointF to_core(QPointF point) {
    return {point.x(), point.y()};
}
[[nodiscard]] inline RectF to_core(const QRectF& rect) {
    return {rect.x(), rect.y(), rect.width(), rect.height()};
}

/// The font whose widths text_width() knows, at `size` px.
[[nodiscard]] inline QFont chart_font(double size) {
    QFont font;
    font.setFamilies(
        {QStringLiteral("Liberation Sans"), QStringLiteral("Arial"), QStringLiteral("Helvetica")});
    font.setStyleHint(QFont::SansSerif);
    font.setPixelSize(static_cast<int>(std::lround(size)));
    return font;
}

}  // namespace roofwalk

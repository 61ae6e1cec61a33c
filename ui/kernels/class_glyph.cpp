// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kernels/class_glyph.h"

#include <QPainter>
#include <QPainterPath>
#include <QPixmap>

#include "ui/widgets/theme.h"

namespace roofwalk {

namespace {

/// On 10 x 10. Filled shapes are measured states; outlines say that something is missing.
struct Sign {
    QPainterPath path;
    bool filled = true;
};

QPainterPath polygon(std::initializer_list<QPointF> points) {
    QPolygonF shape;
    for (const QPointF& point : points)
        shape << point;
    QPainterPath path;
    path.addPolygon(shape);
    path.closeSubpath();
    return path;
}

Sign sign_of(KernelClass kernel_class) {
    Sign sign;
    switch (kernel_class) {
        case KernelClass::memory_bound:  // the slope
            sign.path = polygon({{0.5, 9.5}, {9.5, 9.5}, {9.5, 0.5}});
            break;
        case KernelClass::compute_bound:  // the plateau
            sign.path.addRect(0.5, 1.5, 9, 7);
            break;
        case KernelClass::latency_bound:  // an hourglass
            sign.path = polygon({{0.5, 0.5}, {9.5, 0.5}, {0.5, 9.5}, {9.5, 9.5}});
            break;
        case KernelClass::low_use:  // the same, empty
            sign.path = polygon({{0.5, 0.5}, {9.5, 0.5}, {0.5, 9.5}, {9.5, 9.5}});
            sign.filled = false;
            break;
        case KernelClass::near_roof:
            sign.path.addEllipse(QRectF(0.5, 0.5, 9, 9));
            break;
        case KernelClass::above_roof:  // pointing up
            sign.path = polygon({{5, 0.3}, {9.7, 9.2}, {0.3, 9.2}});
            break;
        case KernelClass::no_flop:
            sign.path.addRect(1, 1, 8, 8);
            sign.filled = false;
            break;
        case KernelClass::no_traffic:
            sign.path = polygon({{5, 0.5}, {9.5, 5}, {5, 9.5}, {0.5, 5}});
            sign.filled = false;
            break;
        case KernelClass::only_timed:  // the face of a clock
            sign.path.addEllipse(QRectF(1, 1, 8, 8));
            sign.path.moveTo(5, 2.5);
            sign.path.lineTo(5, 5);
            sign.path.lineTo(7, 6);
            sign.filled = false;
            break;
        case KernelClass::work_incomplete:  // pointing up: it does more
            sign.path = polygon({{5, 0.8}, {9.3, 9}, {0.7, 9}});
            sign.filled = false;
            break;
        case KernelClass::not_measured:
            sign.path.addEllipse(QRectF(1, 1, 8, 8));
            sign.filled = false;
            break;
    }
    return sign;
}

}  // namespace

void draw_class_glyph(QPainter& painter, KernelClass kernel_class, Theme theme, const QRectF& area) {
    const Sign sign = sign_of(kernel_class);
    const QColor colour = to_qt(colour_of(kernel_class, theme));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(area.topLeft());
    painter.scale(area.width() / 10, area.height() / 10);
    painter.setPen(sign.filled ? QPen(Qt::NoPen) : QPen(colour, 1.4));
    painter.setBrush(sign.filled ? QBrush(colour) : QBrush(Qt::NoBrush));
    painter.drawPath(sign.path);
    painter.restore();
}

QPixmap class_pixmap(KernelClass kernel_class, Theme theme, int side, double pixel_ratio) {
    QPixmap pixmap(QSize(side, side) * pixel_ratio);
    pixmap.setDevicePixelRatio(pixel_ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    draw_class_glyph(painter, kernel_class, theme, QRectF(0, 0, side, side));
    return pixmap;
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kernels/class_glyph.h"

#include <QPainter>
#include <QPixmap>

#include "core/roofline/verdict_words.h"
#include "ui/widgets/theme.h"

namespace roofwalk {

namespace {

constexpr double mark_share = 0.6;  // of the radius

/// Of what no chart draws an outline only.
bool is_drawn(KernelClass kernel_class) {
    return kernel_class != KernelClass::only_timed && kernel_class != KernelClass::not_measured;
}

}  // namespace

void draw_class_glyph(QPainter& painter, KernelClass kernel_class, bool by_unit, Theme theme,
                      const QRectF& area) {
    const Colour colour = colour_of(kernel_class, theme, by_unit);
    const double radius = area.width() / 2 - 0.5;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(is_drawn(kernel_class) ? QPen(to_qt(palette_of(theme).axis), 0.8)
                                          : QPen(to_qt(colour), 1.4));
    painter.setBrush(is_drawn(kernel_class) ? QBrush(to_qt(colour)) : QBrush(Qt::NoBrush));
    painter.drawEllipse(area.center(), radius, radius);
    painter.setPen(QPen(to_qt(ink_on(colour)), 1.5, Qt::SolidLine, Qt::RoundCap));
    for (const MarkStroke& stroke : mark_of(kernel_class, by_unit))
        painter.drawLine(area.center() + mark_share * radius * QPointF(stroke.from_x, stroke.from_y),
                         area.center() + mark_share * radius * QPointF(stroke.to_x, stroke.to_y));
    painter.restore();
}

QPixmap class_pixmap(const Verdict& verdict, Theme theme, int side, double pixel_ratio) {
    QPixmap pixmap(QSize(side, side) * pixel_ratio);
    pixmap.setDevicePixelRatio(pixel_ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    draw_class_glyph(painter, verdict.kernel_class, is_bound_by_unit(verdict), theme,
                     QRectF(0, 0, side, side));
    return pixmap;
}

}  // namespace roofwalk

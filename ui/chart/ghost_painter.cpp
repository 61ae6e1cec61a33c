// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/ghost_painter.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QStringList>

#include "ui/chart/chart_theme.h"
#include "ui/chart/dot_sprites.h"
#include "ui/chart/text_painter.h"
#include "ui/chart/view_motion.h"

namespace roofwalk {

namespace {

constexpr double beside = 16;  // px from the held dot to its words

void paint_path(QPainter& painter, const QColor& colour, const QLineF& line) {
    QPen pen(colour, 1);
    pen.setDashPattern({4, 3});
    painter.setPen(pen);
    painter.drawLine(line);
}

void paint_words(QPainter& painter, const Palette& palette, const View& view, QPointF at,
                 const std::vector<std::string>& words) {
    QStringList lines;
    for (const std::string& line : words)
        lines.append(to_qt(line));
    const QString text = lines.join('\n');
    const QRectF area = to_qt(view.plot);
    const QSizeF size = plate_size(text);
    const bool right = at.x() + beside + size.width() < area.right();
    const bool below = at.y() + beside + size.height() < area.bottom();
    const double middle = right ? at.x() + beside + size.width() / 2 : at.x() - beside - size.width() / 2;
    paint_plate(painter, text,
                {middle, at.y() + (below ? beside + size.height() / 2 : -beside - size.height() / 2)}, area,
                to_qt(palette.text), to_qt(palette.background, 235), to_qt(palette.axis));
}

}  // namespace

void paint_ghosts(QPainter& painter, const Scene& scene, const Layout& layout, const View& view) {
    const Palette& palette = palette_of(scene.options.theme);
    painter.save();
    for (const LaidLine& path : layout.ghost_paths)
        paint_path(painter, to_qt(palette.faint_text), {to_qt(path.from), to_qt(path.to)});
    painter.setBrush(Qt::NoBrush);
    for (const Ghost& ghost : scene.ghosts) {
        QPen rim(to_qt(scene.dot_colours[ghost.dot.colour]), 1.2);
        rim.setDashPattern({2.5, 1.7});
        painter.setPen(rim);
        painter.drawPath(dot_shape(ghost.dot.level, static_cast<double>(ghost.dot.radius))
                             .translated(to_qt(dot_position(ghost.dot, view))));
    }
    painter.restore();
}

void paint_carried(QPainter& painter, const ChartScene& shown, const View& view,
                   const CarriedKernel& carried) {
    const Scene& scene = *shown.scene();
    const Palette& palette = palette_of(scene.options.theme);
    const LogAxis x = x_axis(view);
    const LogAxis y = y_axis(view);
    std::optional<QPointF> held;
    painter.save();
    painter.setClipRect(to_qt(view.plot));
    for (const CarriedKernel::Place& place : carried.places) {
        const QPointF at(x.to_pixel(place.x), y.to_pixel(place.y));
        paint_path(painter, to_qt(palette.highlight),
                   {QPointF(x.to_pixel(place.from_x), y.to_pixel(place.from_y)), at});
        for (const std::uint32_t index : shown.field().dots_of(carried.point)) {
            const Dot& dot = scene.dots[index];
            if (dot.level != place.level) continue;
            paint_dot(painter, at, dot, static_cast<double>(dot.radius), scene.dot_colours[dot.colour]);
            paint_ring(painter, at, dot, static_cast<double>(dot.radius), palette.highlight);
        }
        if (place.level == carried.held) held = at;
    }
    painter.restore();
    if (held) paint_words(painter, palette, view, *held, carried.words);
}

}  // namespace roofwalk

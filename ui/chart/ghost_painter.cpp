// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/ghost_painter.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPolygonF>
#include <QStringList>

#include "core/chart/layout_paths.h"
#include "ui/chart/chart_theme.h"
#include "ui/chart/dot_sprites.h"
#include "ui/chart/text_painter.h"
#include "ui/chart/view_motion.h"

namespace roofwalk {

namespace {

constexpr double beside = 16;  // px from the held dot to its words

QPen line_pen(QPen pen, PathLine line) {
    if (line == PathLine::dashed) pen.setDashPattern({6 / pen.widthF(), 3 / pen.widthF()});
    if (line == PathLine::dotted) pen.setDashPattern({1.5 / pen.widthF(), 2.5 / pen.widthF()});
    return pen;
}

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

void paint_paths(QPainter& painter, const Scene& scene, const Layout& layout) {
    const Palette& palette = palette_of(scene.options.theme);
    painter.save();
    painter.setBrush(Qt::NoBrush);
    for (const LaidGhost& ghost : layout.ghosts) {
        const ScenePath& path = scene.paths[ghost.index];
        const auto colour = path.places[ghost.step].colour;
        QPen rim(to_qt(colour ? scene.dot_colours[*colour] : palette.faint_text), 1.2);
        rim.setDashPattern({2.5, 1.7});
        painter.setPen(rim);
        painter.drawPath(dot_shape(path.level, ghost.radius).translated(to_qt(ghost.at)));
    }
    for (const LaidLeg& leg : layout.path_legs) {
        const ScenePath& path = scene.paths[leg.index];
        const QPen pen(to_qt(path_colour(path, palette)), path.selected ? 1.8 : 1.2);
        painter.setPen(line_pen(pen, path.line));
        painter.drawLine(to_qt(leg.from), to_qt(leg.to));
        if (!leg.has_head) continue;
        painter.setPen(pen);
        QPolygonF head;
        for (const PointF& corner : arrow_head(leg))
            head.append(to_qt(corner));
        painter.drawPolyline(head);
    }
    painter.restore();
}

void paint_path_labels(QPainter& painter, const Scene& scene, const Layout& layout) {
    const Palette& palette = palette_of(scene.options.theme);
    for (const LaidText& text : layout.path_labels)
        paint_text(painter, text, to_qt(path_colour(scene.paths[text.index], palette)),
                   to_qt(palette.plot, 200));
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
            paint_dot(painter, at, dot, {static_cast<double>(dot.radius)}, scene.dot_colours[dot.colour]);
            paint_ring(painter, at, dot, static_cast<double>(dot.radius), palette.highlight);
        }
        if (place.level == carried.held) held = at;
    }
    painter.restore();
    if (held) paint_words(painter, palette, view, *held, carried.words);
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/ghost_painter.h"

#include <QPainter>
#include <QPainterPath>
#include <QPolygonF>
#include <QStringList>
#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <tuple>

#include "core/chart/layout/layout_paths.h"
#include "ui/chart/chart_theme.h"
#include "ui/chart/dot_sprites.h"
#include "ui/chart/gap_painter.h"
#include "ui/chart/text_painter.h"
#include "ui/chart/view_motion.h"

namespace roofwalk {

namespace {

constexpr double corner_reach = 1.4;  // of a triangle, over the radius of a circle of its area
constexpr double ring = 3;            // px from a selected dot to the rim of its ring
constexpr double grid = 24;           // px between places for the words
constexpr double farthest = 320;      // px from the held dot to them
constexpr double beside = 16;         // px from the held dot to its words
constexpr double arrow_end = 8;       // px around the tip of an arrow

QPen line_pen(QPen pen, PathLine line) {
    if (line == PathLine::dashed) pen.setDashPattern({6 / pen.widthF(), 3 / pen.widthF()});
    if (line == PathLine::dotted) pen.setDashPattern({1.5 / pen.widthF(), 2.5 / pen.widthF()});
    return pen;
}

void paint_ghost(QPainter& painter, const QPainterPath& shape, const QColor& colour) {
    QPen rim(colour, 1.2);
    rim.setDashPattern({2.5, 1.7});
    painter.setPen(rim);
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(shape);
}

void paint_path(QPainter& painter, const QColor& colour, const QLineF& line) {
    QPen pen(colour, 1);
    pen.setDashPattern({4, 3});
    painter.setPen(pen);
    painter.drawLine(line);
}

QRectF around(QPointF middle, double reach) {
    return {middle.x() - reach, middle.y() - reach, 2 * reach, 2 * reach};
}

/// A dot of the scene, where it was taken up and where it is dragged.
struct DraggedDot {
    const Dot* dot;
    QPointF from;
    QPointF at;
};

std::vector<DraggedDot> dragged_dots(const ChartScene& shown, const View& view,
                                     const DraggedKernel& dragged) {
    const LogAxis x = x_axis(view);
    const LogAxis y = y_axis(view);
    std::vector<DraggedDot> dots;
    for (const DraggedKernel::Position& place : dragged.places)
        for (const std::uint32_t index : shown.field().dots_of(dragged.point)) {
            const Dot& dot = shown.scene()->dots[index];
            if (dot.level == place.level)
                dots.push_back({&dot,
                                {x.to_pixel(place.from_x), y.to_pixel(place.from_y)},
                                {x.to_pixel(place.x), y.to_pixel(place.y)}});
        }
    return dots;
}

/// Up to the roof, and across to the algorithm, from where the kernel is dragged.
std::vector<QLineF> dragged_gaps(const View& view, const DraggedKernel& dragged,
                                 const std::vector<DraggedDot>& dots) {
    const auto at_level = [&](std::optional<MemoryLevel> level) {
        return std::ranges::find_if(dots, [&](const DraggedDot& dot) { return dot.dot->level == level; });
    };
    std::vector<QLineF> gaps;
    if (dragged.roof && !dots.empty()) {
        const auto binding = at_level(dragged.binding);
        const QPointF from = binding != dots.end() ? binding->at : dots.front().at;
        gaps.emplace_back(from, QPointF(from.x(), y_axis(view).to_pixel(*dragged.roof)));
    }
    if (const auto hbm = at_level(MemoryLevel::hbm); dragged.algorithmic && hbm != dots.end())
        gaps.emplace_back(hbm->at, QPointF(x_axis(view).to_pixel(*dragged.algorithmic), hbm->at.y()));
    return gaps;
}

void paint_words(QPainter& painter, const Palette& palette, const View& view, QPointF at,
                 const QRectF& legend, const std::vector<QRectF>& marks, const std::vector<LabelBox>& labels,
                 const std::vector<std::string>& words) {
    QStringList lines;
    for (const std::string& line : words)
        lines.append(to_qt(line));
    const QString text = lines.join('\n');
    const QRectF place = place_of_words(at, plate_size(text), to_qt(view.plot), legend, marks, labels);
    paint_plate(painter, text, place.center(), to_qt(view.plot), palette);
}

}  // namespace

void paint_paths(QPainter& painter, const Scene& scene, const Layout& layout) {
    const Palette& palette = palette_of(scene.options.theme);
    painter.save();
    painter.setBrush(Qt::NoBrush);
    for (const PlacedGhost& ghost : layout.ghosts) {
        const ScenePath& path = scene.paths[ghost.index];
        const auto colour = path.places[ghost.step].colour;
        paint_ghost(painter, dot_shape(path.level, ghost.radius).translated(to_qt(ghost.at)),
                    to_qt(colour ? line_colour(scene.dot_colours[*colour], scene.options.theme)
                                 : palette.faint_text));
    }
    for (const PlacedLeg& leg : layout.path_legs) {
        const ScenePath& path = scene.paths[leg.index];
        const QPen pen(to_qt(path_colour(path, palette)), path.selected ? 1.8 : 1.2);
        painter.setPen(line_pen(pen, path.places[leg.step].line));
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
    for (const PlacedText& text : layout.path_labels)
        paint_text(painter, text, to_qt(path_colour(scene.paths[text.index], palette)),
                   to_qt(palette.plot, 200));
}

QRectF place_of_words(QPointF dot, QSizeF size, const QRectF& plot, const QRectF& legend,
                      const std::vector<QRectF>& marks, const std::vector<LabelBox>& labels) {
    const auto beside_dot = [&](bool right, bool below) {
        QRectF place({}, size);
        place.moveLeft(right ? dot.x() + beside : dot.x() - beside - size.width());
        place.moveTop(below ? dot.y() + beside : dot.y() - beside - size.height());
        place.moveLeft(std::max(plot.left(), std::min(place.left(), plot.right() - size.width())));
        place.moveTop(std::max(plot.top(), std::min(place.top(), plot.bottom() - size.height())));
        return place;
    };
    std::vector<QRectF> places{beside_dot(true, true), beside_dot(false, true), beside_dot(true, false),
                               beside_dot(false, false)};
    const std::size_t near = places.size();
    const QRectF around =
        QRectF(dot, size).adjusted(-farthest - size.width(), -farthest - size.height(), farthest, farthest) &
        plot;
    for (double y = around.top(); y <= around.bottom() - size.height(); y += grid)
        for (double x = around.left(); x <= around.right() - size.width(); x += grid)
            places.emplace_back(QPointF(x, y), size);
    const auto fits = [&](const QRectF& place) {
        return plot.contains(place) && !place.intersects(legend) && !place.contains(dot);
    };
    const auto hides = [&](const QRectF& place) {
        const LabelBox box(to_core(place));
        return std::ranges::count_if(marks, [&](const QRectF& mark) { return place.intersects(mark); }) +
               std::ranges::count_if(labels, [&](const LabelBox& label) { return label.overlaps(box); });
    };
    // Those beside the dot come first, in their order; the others by how near they are.
    const auto rank = [&](std::size_t i) {
        return std::tuple(hides(places[i]), i < near ? 0.0 : QLineF(places[i].center(), dot).length(), i);
    };
    auto best = std::tuple(std::numeric_limits<std::ptrdiff_t>::max(), 0.0, std::size_t{0});
    for (std::size_t i = 0; i < places.size() && (i != near || std::get<0>(best) > 0); ++i)
        if (fits(places[i])) best = std::min(best, rank(i));
    return places[std::get<2>(best)];
}

void paint_dragged_kernel(QPainter& painter, const ChartScene& shown, const View& view,
                          const DraggedKernel& dragged, const QRectF& legend, const Layout& layout) {
    const Scene& scene = *shown.scene();
    const Palette& palette = palette_of(scene.options.theme);
    std::optional<QPointF> held;
    std::vector<QRectF> marks;  // that the words must not hide
    painter.save();
    painter.setClipRect(to_qt(view.plot));
    const std::vector<DraggedDot> dots = dragged_dots(shown, view, dragged);
    for (const QLineF& gap : dragged_gaps(view, dragged, dots)) {
        paint_dragged_gap(painter, gap, palette);
        marks.push_back(around(gap.p2(), arrow_end));
    }
    const bool by_class = scene.options.colour_by == ColourBy::kernel_class;
    for (const DraggedDot& dot : dots) {
        const std::uint8_t look =
            by_class ? class_look(dragged.kernel_class, dragged.by_unit) : dot.dot->colour;
        paint_path(painter, to_qt(palette.highlight), {dot.from, dot.at});
        const double radius = static_cast<double>(dot.dot->radius);
        const double reach = corner_reach * radius + ring;
        marks.insert(marks.end(), {around(dot.from, reach), around(dot.at, reach)});
        paint_ghost(painter, dot_shape(dot.dot->level, radius).translated(dot.from),
                    to_qt(line_colour(scene.dot_colours[dot.dot->colour], scene.options.theme)));
        paint_dot(painter, dot.at, *dot.dot, {radius, DotInk::filled, scene.options.theme},
                  scene.dot_colours[look], scene.mark_of(look));
        paint_ring(painter, dot.at, *dot.dot, radius, palette.highlight);
        if (dot.dot->level == dragged.held) held = dot.at;
    }
    painter.restore();
    std::vector<LabelBox> labels;
    for (const auto* texts : {&layout.roof_labels, &layout.names, &layout.ridge_labels})
        for (const PlacedText& text : *texts)
            labels.emplace_back(text);
    if (held) paint_words(painter, palette, view, *held, legend, marks, labels, dragged.words);
}

}  // namespace roofwalk

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
constexpr double shortest_arrow = 3;  // px

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

void paint_leg(QPainter& painter, const PlacedLeg& leg, const QPen& pen, PathLine line) {
    painter.setPen(line_pen(pen, line));
    painter.drawLine(to_qt(leg.from), to_qt(leg.to));
    if (!leg.has_head) return;
    painter.setPen(pen);
    QPolygonF head;
    for (const PointF& corner : arrow_head(leg))
        head.append(to_qt(corner));
    painter.drawPolyline(head);
}

QPen leg_pen(const QColor& colour, bool selected) {
    return {colour, selected ? 1.8 : 1.2};
}

/// Whether it is what a scenario did to the kernel; how it came from an older report stays in a drag.
bool is_scenario_path(const ScenePath& path, std::optional<std::uint32_t> dragged) {
    return path.by_scenario && path.point == dragged;
}

QRectF around(QPointF middle, double reach) {
    return {middle.x() - reach, middle.y() - reach, 2 * reach, 2 * reach};
}

/// A dot of the scene, where it was measured and where it is dragged.
struct DraggedDot {
    const Dot* dot;
    QPointF from;
    QPointF at;
    PathLine line;
    std::uint8_t ghost_colour;
    double ghost_radius;

    /// Around it and its ring, and around its ghost.
    [[nodiscard]] double reach() const { return corner_reach * static_cast<double>(dot->radius) + ring; }
    [[nodiscard]] double ghost_reach() const { return corner_reach * ghost_radius; }
    /// The arrow up to the ring; absent where it has no length.
    [[nodiscard]] std::optional<PlacedLeg> arrow() const {
        QLineF way(from, at);
        const double length = way.length() - reach();
        if (length < shortest_arrow) return std::nullopt;
        way.setLength(length);
        return PlacedLeg{.from = to_core(from), .to = to_core(way.p2()), .has_head = true};
    }
};

std::vector<DraggedDot> dragged_dots(const ChartScene& shown, const View& view,
                                     const DraggedKernel& dragged) {
    const Scene& scene = *shown.scene();
    const LogAxis x = x_axis(view);
    const LogAxis y = y_axis(view);
    std::vector<DraggedDot> dots;
    for (const DraggedKernel::Position& place : dragged.places)
        for (const std::uint32_t index : shown.field().dots_of(dragged.point)) {
            const Dot& dot = scene.dots[index];
            if (dot.level != place.level) continue;
            const auto path = std::ranges::find_if(scene.paths, [&](const ScenePath& one) {
                return is_scenario_path(one, dot.point) && one.level == dot.level;
            });
            const bool was_moved = path != scene.paths.end();
            dots.push_back({&dot,
                            {x.to_pixel(place.from_x), y.to_pixel(place.from_y)},
                            {x.to_pixel(place.x), y.to_pixel(place.y)},
                            place.line,
                            was_moved ? path->places.front().colour.value_or(dot.colour) : dot.colour,
                            static_cast<double>(was_moved ? path->places.front().radius : dot.radius)});
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

std::vector<ChartMark> marks_of(const std::vector<DraggedDot>& dots, const std::vector<QLineF>& gaps) {
    std::vector<ChartMark> marks;
    for (const QLineF& gap : gaps)
        marks.push_back({to_core(gap.p1()), to_core(gap.p2()), arrow_end});
    for (const DraggedDot& dot : dots) {
        marks.push_back({to_core(dot.from), to_core(dot.from), dot.ghost_reach()});
        marks.push_back({to_core(dot.at), to_core(dot.at), dot.reach()});
        if (const auto arrow = dot.arrow()) marks.push_back({arrow->from, arrow->to, arrow_end});
    }
    return marks;
}

/// Those of roofs and of kernels that are not in hand.
std::vector<LabelBox> labels_in_drag(const Scene& scene, const Layout& layout, std::uint32_t dragged) {
    std::vector<LabelBox> labels;
    for (const auto* texts : {&layout.roof_labels, &layout.ridge_labels})
        for (const PlacedText& text : *texts)
            labels.emplace_back(text);
    for (const PlacedText& name : layout.names)
        if (scene.dots[scene.names[name.index].dot].point != dragged) labels.emplace_back(name);
    for (const PlacedText& label : layout.path_labels)
        if (!is_scenario_path(scene.paths[label.index], dragged)) labels.emplace_back(label);
    return labels;
}

/// The name of the ghost of a dot beside it, where it hides least; absent while the dot is over the ghost.
std::optional<PlacedText> ghost_label(const DraggedDot& dot, const View& view,
                                      const std::vector<ChartMark>& marks,
                                      const std::vector<LabelBox>& labels) {
    constexpr double air = 4;  // [px]
    if (!dot.arrow()) return std::nullopt;
    PlacedText label{.text = std::string(ghost_name)};
    const double aside = dot.ghost_reach() + air;
    const double below = (text_ascent - text_descent) / 2 * label.size;  // from the middle to the baseline
    const auto hidden = [&](const PlacedText& text) {
        const LabelBox box(text);
        return std::ranges::count_if(labels, [&](const LabelBox& other) { return other.overlaps(box); }) +
               std::ranges::count_if(marks, [&](const ChartMark& mark) {
                   return box.distance(mark.from, mark.to) < mark.reach;
               });
    };
    std::optional<std::pair<std::ptrdiff_t, PlacedText>> best;
    for (const auto& [x, y, anchor] :
         {std::tuple(0.0, aside + text_ascent * label.size, TextAnchor::middle),
          std::tuple(0.0, -aside - text_descent * label.size, TextAnchor::middle),
          std::tuple(aside, below, TextAnchor::start), std::tuple(-aside, below, TextAnchor::end)}) {
        label.at = {dot.from.x() + x, dot.from.y() + y};
        label.anchor = anchor;
        if (!LabelBox(label).inside(view.plot)) continue;
        if (const auto cost = hidden(label); !best || cost < best->first) best = std::pair(cost, label);
    }
    return best ? std::optional(best->second) : std::nullopt;
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

void paint_paths(QPainter& painter, const Scene& scene, const Layout& layout,
                 std::optional<std::uint32_t> dragged) {
    const Palette& palette = palette_of(scene.options.theme);
    painter.save();
    painter.setBrush(Qt::NoBrush);
    for (const PlacedGhost& ghost : layout.ghosts) {
        const ScenePath& path = scene.paths[ghost.index];
        if (is_scenario_path(path, dragged)) continue;
        const auto colour = path.places[ghost.step].colour;
        paint_ghost(painter, dot_shape(path.level, ghost.radius).translated(to_qt(ghost.at)),
                    to_qt(colour ? line_colour(scene.dot_colours[*colour], scene.options.theme)
                                 : palette.faint_text));
    }
    for (const PlacedLeg& leg : layout.path_legs) {
        const ScenePath& path = scene.paths[leg.index];
        if (is_scenario_path(path, dragged)) continue;
        paint_leg(painter, leg, leg_pen(to_qt(path_colour(path, palette)), path.selected),
                  path.places[leg.step].line);
    }
    painter.restore();
}

void paint_path_labels(QPainter& painter, const Scene& scene, const Layout& layout,
                       std::optional<std::uint32_t> dragged) {
    const Palette& palette = palette_of(scene.options.theme);
    for (const PlacedText& text : layout.path_labels)
        if (!is_scenario_path(scene.paths[text.index], dragged))
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

DraggedLook dragged_look(const DraggedKernel& dragged, const ChartScene& shown) {
    const Scene& scene = *shown.scene();
    DraggedLook look;
    if (scene.options.colour_by == ColourBy::kernel_class) {
        look.colour = class_look(dragged.kernel_class, dragged.by_unit);
        look.class_label = dragged.class_label;
    }
    const auto dots = shown.field().dots_of(dragged.point);
    for (const DraggedKernel::Position& place : dragged.places) {
        const auto is_there = [&](std::uint32_t dot) { return scene.dots[dot].level == place.level; };
        if (!place.has_moved() || std::ranges::none_of(dots, is_there)) continue;
        look.moved = true;
        look.dashed = look.dashed || place.line == PathLine::dashed;
        look.dotted = look.dotted || place.line == PathLine::dotted;
    }
    return look;
}

std::vector<ChartMark> dragged_marks(const DraggedKernel& dragged, const ChartScene& shown,
                                     const View& view) {
    const std::vector<DraggedDot> dots = dragged_dots(shown, view, dragged);
    return marks_of(dots, dragged_gaps(view, dragged, dots));
}

void paint_dragged_kernel(QPainter& painter, const ChartScene& shown, const View& view,
                          const DraggedKernel& dragged, const QRectF& legend, const Layout& layout) {
    const Scene& scene = *shown.scene();
    const Palette& palette = palette_of(scene.options.theme);
    const DraggedDot* held = nullptr;
    painter.save();
    painter.setClipRect(to_qt(view.plot));
    const std::vector<DraggedDot> dots = dragged_dots(shown, view, dragged);
    const std::vector<QLineF> gaps = dragged_gaps(view, dragged, dots);
    for (const QLineF& gap : gaps)
        paint_dragged_gap(painter, gap, palette);
    const std::optional<std::uint8_t> class_colour = dragged_look(dragged, shown).colour;
    for (const DraggedDot& dot : dots) {
        const std::uint8_t look = class_colour.value_or(dot.dot->colour);
        const double radius = static_cast<double>(dot.dot->radius);
        paint_ghost(painter, dot_shape(dot.dot->level, dot.ghost_radius).translated(dot.from),
                    to_qt(line_colour(scene.dot_colours[dot.ghost_colour], scene.options.theme)));
        if (const auto arrow = dot.arrow())
            paint_leg(painter, *arrow, leg_pen(to_qt(palette.highlight), true), dot.line);
        paint_dot(painter, dot.at, *dot.dot, {radius, DotInk::filled, scene.options.theme},
                  scene.dot_colours[look], scene.mark_of(look));
        paint_ring(painter, dot.at, *dot.dot, radius, palette.highlight);
        if (dot.dot->level == dragged.held) held = &dot;
    }
    painter.restore();
    if (!held) return;
    std::vector<LabelBox> labels = labels_in_drag(scene, layout, dragged.point);
    std::vector<ChartMark> marks = marks_of(dots, gaps);
    std::vector<QRectF> ends;  // that the words must not hide
    for (const ChartMark& mark : marks)
        ends.push_back(around(to_qt(mark.to), mark.reach));
    labels.emplace_back(to_core(legend));
    for (const PlacedLine& join : layout.joins)
        marks.push_back({join.from, join.to, 1});
    for (const PlacedLeg& leg : layout.path_legs)
        if (!is_scenario_path(scene.paths[leg.index], dragged.point)) marks.push_back({leg.from, leg.to, 1});
    if (const auto name = ghost_label(*held, view, marks, labels)) {
        paint_text(painter, *name, to_qt(palette.highlight), to_qt(palette.plot, 200));
        labels.emplace_back(*name);
    }
    paint_words(painter, palette, view, held->at, legend, ends, labels, dragged.words);
}

}  // namespace roofwalk

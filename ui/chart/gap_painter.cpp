// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/gap_painter.h"

#include <QPainter>
#include <QPolygonF>

#include "ui/chart/chart_theme.h"
#include "ui/chart/text_painter.h"

namespace roofwalk {

namespace {

constexpr double head = 7;  // px from the tip of an arrow to its base

void paint_arrow(QPainter& painter, const QLineF& line) {
    if (line.length() < 1) return;
    const double size = std::min(head, line.length() / 2);
    const QPointF along = (line.p2() - line.p1()) / line.length();
    const QPointF across(-along.y(), along.x());
    const QPointF base = line.p2() - along * size;
    painter.drawLine(line.p1(), base);
    painter.save();
    painter.setBrush(painter.pen().color());
    painter.setPen(Qt::NoPen);
    painter.drawPolygon(QPolygonF({line.p2(), base + across * size * 0.45, base - across * size * 0.45}));
    painter.restore();
}

/// Across the line where it leaves the view, instead of a head: what it points at is not there.
void paint_break(QPainter& painter, const QLineF& line) {
    if (line.length() < 1) return;
    const QPointF along = (line.p2() - line.p1()) / line.length();
    const QPointF across(-along.y(), along.x());
    QPen solid = painter.pen();
    solid.setStyle(Qt::SolidLine);
    painter.save();
    painter.setPen(solid);
    for (const double back : {2.0, 6.0}) {
        const QPointF tip = line.p2() - along * back;
        const QPointF foot = tip - along * head / 2;
        painter.drawPolyline(QPolygonF({foot + across * head / 2, tip, foot - across * head / 2}));
    }
    painter.restore();
}

void paint_pointer(QPainter& painter, const PlacedLine& line) {
    const QLineF way(to_qt(line.from), to_qt(line.to));
    if (!line.cut) return paint_arrow(painter, way);
    painter.drawLine(way);
    paint_break(painter, way);
}

QPen gap_pen(const Palette& palette, bool selected) {
    return {to_qt(selected ? palette.highlight : palette.faint_text), selected ? 2.0 : 1.0};
}

QPen dashed(QPen pen) {
    pen.setCapStyle(Qt::FlatCap);
    pen.setDashPattern({4 / pen.widthF(), 3 / pen.widthF()});
    return pen;
}

/// Dashed to the algorithm, solid as far as intensity is a lever, with a tick where the algorithm stands.
void paint_targets(QPainter& painter, const Scene& scene, const Layout& layout,
                   std::optional<std::uint32_t> dragged) {
    const Palette& palette = palette_of(scene.options.theme);
    const auto is_dragged = [&](const PlacedLine& line) {
        return scene.targets[line.index].point == dragged;
    };
    const auto pen_of = [&](const PlacedLine& line) {
        return gap_pen(palette, scene.targets[line.index].selected);
    };
    for (const PlacedLine& line : layout.targets) {
        if (is_dragged(line)) continue;
        painter.setPen(dashed(pen_of(line)));
        paint_pointer(painter, line);
    }
    for (const auto* lines : {&layout.useful_parts, &layout.target_ticks})
        for (const PlacedLine& line : *lines) {
            if (lines == &layout.useful_parts && is_dragged(line)) continue;
            painter.setPen(pen_of(line));
            painter.drawLine(to_qt(line.from), to_qt(line.to));
        }
}

}  // namespace

void paint_gaps(QPainter& painter, const Scene& scene, const Layout& layout,
                std::optional<std::uint32_t> dragged) {
    const Palette& palette = palette_of(scene.options.theme);
    const auto is_dragged = [&](const PlacedLine& line) { return scene.gaps[line.index].point == dragged; };
    painter.save();
    for (const PlacedLine& line : layout.own_roofs) {
        if (is_dragged(line)) continue;
        QPen pen = gap_pen(palette, scene.gaps[line.index].selected);
        pen.setDashPattern({5, 3});
        painter.setPen(pen);
        painter.drawLine(to_qt(line.from), to_qt(line.to));
    }
    for (const PlacedLine& line : layout.gaps) {
        if (is_dragged(line)) continue;
        painter.setPen(gap_pen(palette, scene.gaps[line.index].selected));
        paint_pointer(painter, line);
    }
    paint_targets(painter, scene, layout, dragged);
    painter.restore();
}

void paint_dragged_gap(QPainter& painter, const QLineF& gap, const Palette& palette) {
    QPen pen = gap_pen(palette, true);
    if (gap.dx() != 0) pen = dashed(pen);
    painter.setPen(pen);
    paint_arrow(painter, gap);
}

void paint_gap_labels(QPainter& painter, const Scene& scene, const Layout& layout,
                      std::optional<std::uint32_t> dragged) {
    const Palette& palette = palette_of(scene.options.theme);
    const auto paint = [&](const PlacedText& text, bool selected) {
        paint_text(painter, text, to_qt(selected ? palette.highlight : palette.text),
                   to_qt(palette.plot, 200));
    };
    for (const PlacedText& text : layout.gap_labels)
        if (scene.gaps[text.index].point != dragged) paint(text, scene.gaps[text.index].selected);
    for (const PlacedText& text : layout.target_labels)
        if (scene.targets[text.index].point != dragged) paint(text, scene.targets[text.index].selected);
    for (const PlacedText& text : layout.target_tick_labels)
        paint(text, scene.targets[text.index].selected);
}

void paint_kernel_ceilings(QPainter& painter, const Scene& scene, const Layout& layout) {
    const Palette& palette = palette_of(scene.options.theme);
    painter.save();
    for (const PlacedLine& line : layout.kernel_ceilings) {
        const bool selected = scene.options.selected == scene.kernel_ceilings[line.index].point;
        painter.setPen(QPen(to_qt(selected ? palette.highlight : palette.faint_roof), 2));
        painter.drawLine(to_qt(line.from), to_qt(line.to));
    }
    painter.restore();
}

void paint_kernel_ceiling_labels(QPainter& painter, const Scene& scene, const Layout& layout) {
    const Palette& palette = palette_of(scene.options.theme);
    for (const PlacedText& text : layout.kernel_ceiling_labels)
        paint_text(painter, text, to_qt(palette.faint_text), to_qt(palette.plot, 200));
}

QPen kernel_line_pen(Colour colour, bool other_device) {
    QPen pen(to_qt(colour), 1);
    pen.setDashPattern(other_device ? QList<qreal>{4, 2, 1, 2} : QList<qreal>{3, 2});
    return pen;
}

void paint_kernel_lines(QPainter& painter, const Scene& scene, const Layout& layout) {
    painter.save();
    for (const PlacedLine& placed : layout.kernel_lines) {
        const KernelLine& line = scene.lines[placed.index];
        painter.setPen(kernel_line_pen(line_colour(scene.dot_colours[line.colour], scene.options.theme),
                                       line.other_device));
        painter.drawLine(to_qt(placed.from), to_qt(placed.to));
    }
    painter.restore();
}

void paint_joins(QPainter& painter, const Scene& scene, const Layout& layout) {
    const Palette& palette = palette_of(scene.options.theme);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const PlacedLine& line : layout.joins) {
        const bool selected = scene.joins[line.index].selected;
        painter.setPen(QPen(to_qt(selected ? palette.highlight : palette.faint_roof), 1));
        painter.drawLine(to_qt(line.from), to_qt(line.to));
    }
    painter.setPen(QPen(to_qt(palette.faint_roof), 1));
    for (const PlacedLine& line : layout.whiskers)
        painter.drawLine(to_qt(line.from), to_qt(line.to));
    painter.restore();
}

void paint_names(QPainter& painter, const Scene& scene, const Layout& layout,
                 std::optional<std::uint32_t> dragged) {
    const Palette& palette = palette_of(scene.options.theme);
    for (const PlacedText& text : layout.names) {
        const Dot& dot = scene.dots[scene.names[text.index].dot];
        if (dot.point == dragged) continue;
        const bool selected = scene.options.selected == dot.point;
        paint_text(painter, text, to_qt(selected ? palette.highlight : palette.text),
                   to_qt(palette.plot, 200));
    }
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/roof_painter.h"

#include <QPainter>
#include <QPolygonF>

#include "ui/chart/chart_theme.h"
#include "ui/chart/text_painter.h"

namespace roofwalk {

namespace {

void fill_polygon(QPainter& painter, const std::vector<PointF>& corners, Colour colour) {
    if (corners.size() < 3) return;
    QPolygonF polygon;
    for (const PointF& corner : corners)
        polygon.append(to_qt(corner));
    painter.setPen(Qt::NoPen);
    painter.setBrush(to_qt(colour));
    painter.drawPolygon(polygon);
}

QPen pen_of(const Roof& roof, const Palette& palette) {
    QPen pen = roof_pen(roof.line, palette);
    if (roof.highlighted) {
        pen.setColor(to_qt(palette.highlight));
        pen.setWidthF(2.5);
    }
    return pen;
}

}  // namespace

void paint_zones(QPainter& painter, const Scene& scene, const Layout& layout) {
    const Palette& palette = palette_of(scene.options.theme);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    fill_polygon(painter, layout.memory_zone, palette.memory_zone);
    fill_polygon(painter, layout.compute_zone, palette.compute_zone);
    constexpr int range_alpha = 115;
    QPen range(to_qt(palette.faint_text, range_alpha), 5);
    range.setCapStyle(Qt::FlatCap);
    painter.setPen(range);
    for (const PlacedLine& line : layout.operation_ranges)
        painter.drawLine(to_qt(line.from), to_qt(line.to));
    painter.restore();
}

void paint_zone_labels(QPainter& painter, const Scene& scene, const Layout& layout) {
    const Palette& palette = palette_of(scene.options.theme);
    for (const auto* labels : {&layout.zone_labels, &layout.operation_range_labels})
        for (const PlacedText& text : *labels)
            paint_text(painter, text, to_qt(palette.faint_text), Qt::transparent);
}

void paint_roof_grounds(QPainter& painter, const Scene& scene, const Layout& layout) {
    constexpr int ground_alpha = 180;
    painter.save();
    painter.setPen(QPen(to_qt(palette_of(scene.options.theme).plot, ground_alpha), 4.5));
    for (const PlacedLine& line : layout.roofs)
        if (!scene.roofs[line.index].is_beside()) painter.drawLine(to_qt(line.from), to_qt(line.to));
    painter.restore();
}

QPen roof_pen(RoofLine line, const Palette& palette) {
    const bool usual = line == RoofLine::usual;
    QPen pen(to_qt(usual ? palette.roof : palette.faint_roof), usual ? 1.5 : 1.0);
    pen.setCapStyle(Qt::FlatCap);
    if (line == RoofLine::practical) pen.setDashPattern({6, 4});
    if (line == RoofLine::theory) pen.setDashPattern({2, 2.5});
    if (line == RoofLine::other_device) pen.setDashPattern({9, 3, 2, 3});
    return pen;
}

QPen measured_roof_pen(const Palette& palette) {
    QPen pen(to_qt(palette.faint_roof), 2);
    pen.setJoinStyle(Qt::RoundJoin);
    return pen;
}

void paint_measured_roof(QPainter& painter, const Scene& scene, const Layout& layout) {
    QPolygonF line;
    for (const PointF& corner : layout.measured_roof)
        line.append(to_qt(corner));
    painter.save();
    painter.setPen(measured_roof_pen(palette_of(scene.options.theme)));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line);
    painter.restore();
}

void paint_roofs(QPainter& painter, const Scene& scene, const Layout& layout) {
    const Palette& palette = palette_of(scene.options.theme);
    painter.save();
    for (const bool highlighted : {false, true}) {
        for (const PlacedLine& line : layout.roofs) {
            const Roof& roof = scene.roofs[line.index];
            if (roof.highlighted != highlighted) continue;
            painter.setPen(pen_of(roof, palette));
            painter.drawLine(to_qt(line.from), to_qt(line.to));
        }
    }
    painter.restore();
}

void paint_roof_labels(QPainter& painter, const Scene& scene, const Layout& layout) {
    const Palette& palette = palette_of(scene.options.theme);
    for (const PlacedText& text : layout.roof_labels) {
        const Roof& roof = scene.roofs[text.index];
        const Colour colour = roof.highlighted   ? palette.highlight
                              : roof.is_beside() ? palette.faint_text
                                                 : palette.text;
        paint_text(painter, text, to_qt(colour), to_qt(palette.plot));
    }
}

void paint_ridges(QPainter& painter, const Scene& scene, const Layout& layout) {
    const Palette& palette = palette_of(scene.options.theme);
    painter.save();
    const auto colour_of = [&](std::uint32_t ridge, Colour usual) {
        return to_qt(scene.ridges[ridge].binding ? palette.highlight : usual);
    };
    for (const PlacedLine& tick : layout.ridge_ticks) {
        painter.setPen(QPen(colour_of(tick.index, palette.roof), 1.5));
        painter.drawLine(to_qt(tick.from), to_qt(tick.to));
    }
    painter.restore();
    for (const PlacedText& text : layout.ridge_labels)
        paint_text(painter, text, colour_of(text.index, palette.text), to_qt(palette.plot, 200));
}

void paint_rails(QPainter& painter, const Scene& scene, const Layout& layout) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    const Palette& palette = palette_of(scene.options.theme);
    painter.setPen(QPen(to_qt(palette.grid), 1));
    painter.setBrush(to_qt(palette.background));
    for (const PlacedRail& rail : layout.rails)
        painter.drawRect(to_qt(rail.band));
    painter.setPen(QPen(to_qt(palette.axis), 1));
    for (const PlacedRail& rail : layout.rails)
        painter.drawLine(to_qt(rail.band).topLeft(), rail.rail == Rail::no_work
                                                         ? to_qt(rail.band).topRight()
                                                         : to_qt(rail.band).bottomLeft());
    painter.restore();
}

void paint_rail_labels(QPainter& painter, const Scene& scene, const Layout& layout) {
    const Palette& palette = palette_of(scene.options.theme);
    for (const PlacedRail& rail : layout.rails) {
        paint_text(painter, rail.label, to_qt(palette.text), Qt::transparent);
        paint_text(painter, rail.note, to_qt(palette.faint_text), Qt::transparent);
    }
}

}  // namespace roofwalk

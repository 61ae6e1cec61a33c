// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/chart_legend.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "core/chart/layout/density.h"
#include "core/chart/layout/label_box.h"
#include "core/chart/scene/nested_dots.h"
#include "ui/chart/chart_theme.h"
#include "ui/chart/dot_sprites.h"
#include "ui/chart/gap_painter.h"
#include "ui/chart/roof_painter.h"

namespace roofwalk {

namespace {

constexpr double text_size = 11;
constexpr double row_height = 17;
constexpr double padding = 7;
constexpr double sample = 18;              // px for a shape or colour before the text
constexpr double widest = 360;             // px of a row
constexpr double gap = 10;                 // px to the plot's edges
constexpr double most_of_the_plot = 0.12;  // that an open legend covers unasked
constexpr std::size_t most_spots = 32;     // that are remembered

QString heading_text(bool folded) {
    return folded ? QCoreApplication::translate("RooflineChart", "Legend ▸")
                  : QCoreApplication::translate("RooflineChart", "Legend ▾");
}

/// Share of a line inside a rectangle, in steps of a few pixels.
double length_inside(PointF start, PointF end, const QRectF& rect) {
    const QPointF from = to_qt(start);
    const QPointF step = to_qt(end) - from;
    const double length = std::hypot(step.x(), step.y());
    constexpr double stride = 6;
    double inside = 0;
    for (double at = 0; at <= length; at += stride)
        if (rect.contains(from + step * (at / std::max(length, 1.0)))) inside += stride;
    return inside;
}

double clutter(const QRectF& near, const Layout& layout) {
    constexpr double per_text = 60;
    double sum = 0;
    for (const auto* lines : {&layout.roofs, &layout.gaps, &layout.targets, &layout.kernel_ceilings,
                              &layout.joins, &layout.whiskers, &layout.kernel_lines})
        for (const PlacedLine& line : *lines)
            sum += length_inside(line.from, line.to, near);
    for (std::size_t i = 1; i < layout.measured_roof.size(); ++i)
        sum += length_inside(layout.measured_roof[i - 1], layout.measured_roof[i], near);
    for (const PlacedLeg& leg : layout.path_legs)
        sum += length_inside(leg.from, leg.to, near);
    for (const auto* texts : {&layout.roof_labels, &layout.names, &layout.gap_labels, &layout.target_labels,
                              &layout.target_tick_labels, &layout.ridge_labels, &layout.path_labels})
        for (const PlacedText& text : *texts)
            if (LabelBox(text).overlaps(LabelBox(to_core(near)))) sum += per_text;
    return sum;
}

/// Dots that a plate would touch, counted up to a few: more make no difference.
std::size_t dots_touched(const QRectF& plate, const View& view, const ChartScene& shown,
                         std::optional<std::uint32_t> dragged) {
    constexpr std::size_t enough = 20;
    const LabelBox box(to_core(plate));
    std::size_t touched = 0;
    shown.index().visit_reaching(
        view, to_core(plate), marker_reach(MemoryLevel::smem), [&](std::uint32_t index) {
            const Dot& dot = shown.scene()->dots[index];
            const double reach = marker_reach(dot.level) * static_cast<double>(dot.radius);
            if (dot.point != dragged && box.touches_circle(dot_position(dot, view), reach)) ++touched;
            return touched < enough;
        });
    return touched;
}

/// Of the arrows, limits and ghosts of the selected kernel, but for those that go while it is dragged.
std::vector<ChartMark> selected_marks(const Scene& scene, const Layout& layout,
                                      std::optional<std::uint32_t> dragged) {
    constexpr double air = 8;  // [px]
    std::vector<ChartMark> marks;
    const auto add = [&](const auto& lines, const auto& is_selected) {
        for (const auto& line : lines)
            if (is_selected(line.index)) marks.push_back({line.from, line.to, air});
    };
    const auto stays = [&](std::uint32_t point) {
        return scene.options.selected == point && point != dragged;
    };
    const auto of_gap = [&](std::uint32_t index) { return stays(scene.gaps[index].point); };
    const auto of_target = [&](std::uint32_t index) { return stays(scene.targets[index].point); };
    const auto of_path = [&](std::uint32_t index) {
        const ScenePath& path = scene.paths[index];
        return path.by_scenario ? stays(path.point) : scene.options.selected == path.point;
    };
    add(layout.gaps, of_gap);
    add(layout.own_roofs, of_gap);
    add(layout.targets, of_target);
    add(layout.target_ticks, of_target);
    add(layout.path_legs, of_path);
    for (const PlacedGhost& ghost : layout.ghosts)
        if (of_path(ghost.index)) marks.push_back({ghost.at, ghost.at, ghost.radius + air});
    return marks;
}

std::size_t marks_touched(const QRectF& plate, const std::vector<ChartMark>& marks) {
    const LabelBox box(to_core(plate));
    return static_cast<std::size_t>(std::ranges::count_if(
        marks, [&](const ChartMark& mark) { return box.distance(mark.from, mark.to) < mark.reach; }));
}

/// Along the plot's edge, its corners first.
template <class Visit>
void visit_edge(const Visit& visit) {
    constexpr int steps = 8;
    for (const double corner : {0.0, 1.0})
        for (const double down : {corner, 1 - corner})
            visit(corner, down);
    for (int i = 1; i < steps; ++i)
        for (const double edge : {0.0, 1.0}) {
            const double along = static_cast<double>(i) / steps;
            visit(along, edge);
            visit(edge, along);
        }
}

}  // namespace

void paint_legend_sample(QPainter& painter, const LegendRow& row, QPointF at, const Palette& palette) {
    if (!row.has_sample()) return;
    painter.save();
    painter.translate(at);
    if (row.curve) {
        QPainterPath knee(QPointF(-5, 4));
        knee.quadTo(QPointF(-1, -3), QPointF(6, -3));
        painter.strokePath(knee, measured_roof_pen(palette));
        painter.restore();
        return;
    }
    if (row.line) {
        painter.setPen(roof_pen(*row.line, palette));
        painter.drawLine(QPointF(-6, 0), QPointF(7, 0));
        painter.restore();
        return;
    }
    if (row.kernel_line) {
        painter.setPen(QPen(to_qt(*row.colour), 1.5));
        painter.drawPath(dot_shape(MemoryLevel::hbm, 2.7).translated(-3.5, 2.5));
        painter.setPen(kernel_line_pen(*row.colour, false));
        painter.drawLine(QPointF(-1.5, 0.5), QPointF(4, -5));
        painter.setPen(QPen(to_qt(palette.faint_roof), 2));
        if (row.bar) painter.drawLine(QPointF(0, -5), QPointF(7, -5));
        painter.restore();
        return;
    }
    if (row.shading) {
        for (int i = 0; i < 3; ++i) {
            const Shade shade = shade_at(i / 2.0, palette);
            painter.fillRect(QRectF(4 * i - 6, -4, 4, 8), to_qt(shade.colour, qRound(shade.opacity * 255)));
        }
        painter.restore();
        return;
    }
    painter.setPen(row.colour ? QPen(to_qt(palette.axis), 0.8) : QPen(to_qt(palette.faint_text), 1.5));
    painter.setBrush(row.colour ? QBrush(to_qt(*row.colour)) : QBrush(Qt::NoBrush));
    painter.drawPath(dot_shape(row.shape.value_or(MemoryLevel::hbm), 4.5));
    if (row.colour) paint_dot_mark(painter, row.mark, {}, 5, ink_on(*row.colour));
    painter.restore();
}

void ChartLegend::set_scene(const Scene& scene, bool whiskers) {
    set_rows(scene.legend, whiskers, true);
}

void ChartLegend::set_rows(std::vector<LegendRow> legend, bool whiskers, bool nested) {
    legend_ = std::move(legend);
    rows_.clear();
    widths_ = {QFontMetricsF(chart_font(text_size)).horizontalAdvance(heading_text(false))};
    key_ = coloured_ = 0;
    for (std::uint32_t i = 0; i < legend_.size(); ++i) {
        const LegendRow& row = legend_[i];
        if ((row.whiskers && !whiskers) || (row.outlines && !nested)) continue;
        if (row.shape && key_ == rows_.size()) ++key_;
        if ((row.shape || row.colour) && coloured_ == rows_.size()) ++coloured_;
        rows_.push_back(i);
        widths_.push_back(std::min(widest, sample + text_width(row.text, text_size)));
    }
    most_ = rows_.size();
}

QSizeF ChartLegend::size_of(std::size_t rows) const {
    if (rows_.empty()) return {};
    const auto widths = std::span(widths_).first(rows + 1);
    return {*std::ranges::max_element(widths) + 2 * padding,
            row_height * static_cast<double>(rows + 1) + (rows > 0 ? 1.5 : 1) * padding};
}

std::size_t ChartLegend::seen_rows(const View& view) const {
    if (folded_) return *folded_ ? 0 : rows_.size();
    const auto is_seen = [&](std::size_t rows) {
        const QSizeF size = size_of(rows);
        return rows <= most_ &&
               size.width() * size.height() <= most_of_the_plot * view.plot.width * view.plot.height;
    };
    const std::array counts{rows_.size(), coloured_, key_, std::size_t{0}};
    return *std::ranges::find_if(counts, [&](std::size_t rows) { return rows == 0 || is_seen(rows); });
}

QRectF ChartLegend::place_at(Spot spot, const View& view) const {
    const QSizeF size = size_of(seen_rows(view));
    if (size.isEmpty()) return {};
    const double x = view.plot.x + gap + spot.across * (view.plot.width - 2 * gap - size.width());
    const double y = view.plot.y + gap + spot.down * (view.plot.height - 2 * gap - size.height());
    return {QPointF(std::round(x) + 0.5, std::round(y) + 0.5), size};
}

QRectF ChartLegend::place(const View& view) const {
    return place_at(spot_, view);
}

QRectF ChartLegend::heading(const View& view) const {
    QRectF rect = place(view);
    if (!rect.isEmpty()) rect.setHeight(size_of(0).height());
    return rect;
}

std::optional<std::uint32_t> ChartLegend::row_at(const View& view, QPointF at) const {
    const QRectF rect = place(view);
    if (!rect.contains(at)) return std::nullopt;
    const double row = (at.y() - rect.y() - padding / 2) / row_height - 1;
    return row >= 0 && row < static_cast<double>(seen_rows(view))
               ? std::optional(rows_[static_cast<std::size_t>(row)])
               : std::nullopt;
}

ChartLegend::Cover ChartLegend::cover_at(Spot spot, const View& view, const Obstacles& obstacles) const {
    constexpr double air = 6;  // [px]
    const QRectF plate = place_at(spot, view);
    return {
        dots_touched(plate, view, obstacles.shown, obstacles.dragged) + marks_touched(plate, obstacles.marks),
        clutter(plate.marginsAdded({air, air, air, air}), obstacles.layout)};
}

ChartLegend::Cover ChartLegend::move_to_best(const View& view, const Obstacles& obstacles) {
    const Cover here = cover_at(spot_, view, obstacles);
    Cover best = here;
    Spot best_spot = spot_;
    visit_edge([&](double across, double down) {
        const Cover there = cover_at({across, down}, view, obstacles);
        if (!(there < best)) return;
        best = there;
        best_spot = {across, down};
    });
    if (best.marks == here.marks && best.clutter > here.clutter * 0.5) return here;
    spot_ = best_spot;
    return best;
}

bool ChartLegend::is_in_the_way(const View& view, const std::vector<ChartMark>& marks) const {
    return marks_touched(place(view), marks) > in_the_way_;
}

void ChartLegend::settle(const View& view, const ChartScene& shown, const Layout& layout,
                         const std::optional<DraggedLegend>& dragged) {
    set_rows(dragged ? dragged->rows : shown.scene()->legend, !layout.whiskers.empty(),
             has_nested_dots(shown.scene()->dots, view));
    const auto point = dragged ? std::optional(dragged->point) : std::nullopt;
    Obstacles obstacles{shown, layout, point, selected_marks(*shown.scene(), layout, point)};
    if (dragged) obstacles.marks.insert(obstacles.marks.end(), dragged->marks.begin(), dragged->marks.end());
    const std::array ranges{view.x.lo, view.x.hi, view.y.lo, view.y.hi};
    const auto seen = std::ranges::find(spots_, ranges, &decltype(spots_)::value_type::first);
    if (seen != spots_.end() && !dragged) spot_ = seen->second;
    for (const std::size_t rows : {rows_.size(), coloured_, key_, std::size_t{0}}) {
        most_ = rows;
        if (move_to_best(view, obstacles).marks == 0 || folded_) break;
    }
    in_the_way_ = dragged ? marks_touched(place(view), dragged->marks) : 0;
    if (dragged) return;
    if (seen != spots_.end())
        spots_.erase(seen);
    else if (spots_.size() == most_spots)
        spots_.erase(spots_.begin());
    spots_.emplace_back(ranges, spot_);
}

void ChartLegend::paint(QPainter& painter, const Scene& scene, const View& view) const {
    const QRectF rect = place(view);
    if (rect.isEmpty() || rect.width() > view.plot.width || rect.height() > view.plot.height) return;
    const Palette& palette = palette_of(scene.options.theme);
    painter.save();
    painter.setPen(QPen(to_qt(palette.grid), 1));
    painter.setBrush(to_qt(palette.plot));
    painter.drawRoundedRect(rect, 4, 4);
    painter.setFont(chart_font(text_size));
    painter.setPen(to_qt(palette.faint_text));
    const QFontMetricsF metrics(chart_font(text_size));
    const double middle = (row_height + metrics.ascent() - metrics.descent()) / 2;
    double y = rect.y() + padding / 2;
    painter.drawText(QPointF(rect.x() + padding, y + middle), heading_text(folded(view)));
    for (const std::uint32_t index : std::span(rows_).first(seen_rows(view))) {
        const LegendRow& row = legend_[index];
        y += row_height;
        const QPointF at(rect.x() + padding + 5.5, y + row_height / 2);
        paint_legend_sample(painter, row, at, palette);
        const double indent = row.has_sample() ? sample : 0;
        painter.setPen(to_qt(palette.text));
        painter.drawText(QPointF(rect.x() + padding + indent, y + middle),
                         to_qt(elided(row.text, text_size, widest - indent, Elide::middle)));
    }
    painter.restore();
}

}  // namespace roofwalk

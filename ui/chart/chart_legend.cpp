// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/chart_legend.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/chart/chart_theme.h"
#include "ui/chart/dot_sprites.h"

namespace roofwalk {

namespace {

constexpr double text_size = 11;
constexpr double row_height = 17;
constexpr double padding = 7;
constexpr double sample = 18;              // px for a shape or colour before the text
constexpr double gap = 10;                 // px to the plot's edges
constexpr double most_of_the_plot = 0.12;  // that an open legend covers unasked

QString heading_text(bool folded) {
    return folded ? QCoreApplication::translate("RooflineChart", "Legend ▸")
                  : QCoreApplication::translate("RooflineChart", "Legend ▾");
}

/// Share of a line inside a rectangle, in steps of a few pixels.
double length_inside(const LaidLine& line, const QRectF& rect) {
    const QPointF from = to_qt(line.from);
    const QPointF step = to_qt(line.to) - from;
    const double length = std::hypot(step.x(), step.y());
    constexpr double stride = 6;
    double inside = 0;
    for (double at = 0; at <= length; at += stride)
        if (rect.contains(from + step * (at / std::max(length, 1.0)))) inside += stride;
    return inside;
}

double clutter(const QRectF& rect, std::span<const PointF> dots, const Layout& layout) {
    constexpr double per_dot = 20;
    constexpr double per_text = 60;
    double sum = 0;
    const QRectF near = rect.marginsAdded({6, 6, 6, 6});
    for (const PointF& dot : dots)
        sum += near.contains(to_qt(dot)) ? per_dot : 0;
    for (const auto* lines : {&layout.roofs, &layout.gaps, &layout.targets, &layout.mixed})
        for (const LaidLine& line : *lines)
            sum += length_inside(line, near);
    for (const auto* texts : {&layout.roof_labels, &layout.names, &layout.gap_labels, &layout.target_labels,
                              &layout.target_tick_labels, &layout.ridge_labels}) {
        for (const LaidText& text : *texts) {
            const double width = text_width(text.text, text.size);
            const double left = text.anchor == TextAnchor::start ? 0
                                : text.anchor == TextAnchor::end ? -width
                                                                 : -width / 2;
            const double turn = text.angle * std::acos(-1.0) / 180;
            for (const double along : {left, left + width / 2, left + width})
                if (near.contains(text.at.x + along * std::cos(turn), text.at.y - along * std::sin(turn)))
                    sum += per_text;
        }
    }
    return sum;
}

}  // namespace

void paint_legend_sample(QPainter& painter, const LegendRow& row, QPointF at, const Palette& palette) {
    if (!row.shape && !row.colour) return;
    painter.save();
    painter.translate(at);
    painter.setPen(row.colour ? QPen(Qt::NoPen) : QPen(to_qt(palette.faint_text), 1.5));
    painter.setBrush(row.colour ? QBrush(to_qt(*row.colour)) : QBrush(Qt::NoBrush));
    painter.drawPath(dot_shape(row.shape.value_or(MemoryLevel::hbm), 4.5));
    painter.restore();
}

void ChartLegend::set_scene(const Scene& scene) {
    const double heading = QFontMetricsF(chart_font(text_size)).horizontalAdvance(heading_text(false));
    folded_size_ = scene.legend.empty() ? QSizeF() : QSizeF(heading + 2 * padding, row_height + padding);
    double width = heading;
    for (const LegendRow& row : scene.legend)
        width = std::max(width, sample + text_width(row.text, text_size));
    open_size_ = scene.legend.empty()
                     ? QSizeF()
                     : QSizeF(width + 2 * padding,
                              row_height * static_cast<double>(scene.legend.size() + 1) + 1.5 * padding);
}

bool ChartLegend::folded(const View& view) const {
    const double share = open_size_.width() * open_size_.height() / (view.plot.width * view.plot.height);
    return folded_.value_or(share > most_of_the_plot);
}

QRectF ChartLegend::place_in(Corner corner, const View& view) const {
    const QSizeF size = folded(view) ? folded_size_ : open_size_;
    if (size.isEmpty()) return {};
    const bool left = corner == Corner::top_left || corner == Corner::bottom_left;
    const bool top = corner == Corner::top_left || corner == Corner::top_right;
    const double x = left ? view.plot.x + gap : view.plot.right() - gap - size.width();
    const double y = top ? view.plot.y + gap : view.plot.bottom() - gap - size.height();
    return {QPointF(std::round(x) + 0.5, std::round(y) + 0.5), size};
}

QRectF ChartLegend::place(const View& view) const {
    return place_in(corner_, view);
}

QRectF ChartLegend::heading(const View& view) const {
    QRectF rect = place(view);
    if (!rect.isEmpty()) rect.setHeight(folded_size_.height());
    return rect;
}

void ChartLegend::settle(const View& view, std::span<const PointF> dots, const Layout& layout) {
    // A corner is left only for a clearly better one, so that the legend does not hop about.
    double best = clutter(place(view), dots, layout);
    for (const Corner corner :
         {Corner::top_left, Corner::bottom_right, Corner::top_right, Corner::bottom_left}) {
        const double here = clutter(place_in(corner, view), dots, layout);
        if (here < best * 0.5) {
            best = here;
            corner_ = corner;
        }
    }
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
    if (!folded(view)) {
        for (const LegendRow& row : scene.legend) {
            y += row_height;
            const QPointF at(rect.x() + padding + 5.5, y + row_height / 2);
            paint_legend_sample(painter, row, at, palette);
            const double indent = row.shape || row.colour ? sample : 0;
            painter.setPen(to_qt(palette.text));
            painter.drawText(QPointF(rect.x() + padding + indent, y + middle), to_qt(row.text));
        }
    }
    painter.restore();
}

}  // namespace roofwalk

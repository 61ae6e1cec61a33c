// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/hover_ruler.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "core/base/text.h"
#include "ui/chart/chart_theme.h"
#include "ui/chart/text_painter.h"
#include "ui/chart/view_motion.h"

namespace roofwalk {

namespace {

constexpr double line_height = 18;  // between two read-outs [px]
constexpr double beside_line = 10;  // from a line to what is read out at it [px]
constexpr std::size_t dots_kept_free = 80;

/// Heights of read-outs, moved apart so that none covers another; both sorted downwards.
std::vector<double> spread(std::vector<double> heights) {
    for (std::size_t i = 1; i < heights.size(); ++i)
        heights[i] = std::max(heights[i], heights[i - 1] + line_height);
    return heights;
}

LabelBox plate_box(PointF middle, double half_width) {
    return LabelBox(RectF{middle.x - half_width, middle.y - line_height / 2, 2 * half_width, line_height});
}

/// A number at a line, in the plot: at its axis the plate would lie over ticks and titles.
void read_out(QPainter& painter, const Scene& scene, const View& view, const std::string& number, PointF at,
              const std::vector<LabelBox>& taken) {
    const QString text = to_qt(number);
    const PointF middle = read_out_place(view.plot, at, plate_size(text).width() / 2, taken);
    paint_plate(painter, text, to_qt(middle), to_qt(view.plot), palette_of(scene.options.theme));
}

void read_out_x(QPainter& painter, const Scene& scene, const View& view, double pixel, double value,
                const std::vector<LabelBox>& taken) {
    const double foot = view.plot.bottom() - line_height / 2 - 2;
    read_out(painter, scene, view, format_number(value) + " " + scene.unit + "/byte", {pixel, foot}, taken);
}

void read_out_y(QPainter& painter, const Scene& scene, const View& view, double pixel, double value,
                const std::vector<LabelBox>& taken) {
    const double start = view.plot.x + 3 - beside_line;
    read_out(painter, scene, view, format_si(value, scene.unit + "/s"), {start, pixel}, taken);
}

}  // namespace

std::vector<LabelBox> label_obstacles(const Scene& scene, const View& view, const Layout& layout) {
    std::vector<LabelBox> boxes;
    for (const auto* labels :
         {&layout.roof_labels, &layout.ridge_labels, &layout.gap_labels, &layout.target_labels,
          &layout.target_tick_labels, &layout.kernel_ceiling_labels, &layout.names, &layout.path_labels})
        for (const PlacedText& label : *labels)
            boxes.emplace_back(label);
    const std::size_t count = scene.dots.size();
    for (std::size_t i = count - std::min(count, dots_kept_free); i < count; ++i) {
        const PointF at = dot_position(scene.dots[i], view);
        const double radius = view.marks.of(scene.dots[i].radius);
        boxes.emplace_back(RectF{at.x - radius, at.y - radius, 2 * radius, 2 * radius});
    }
    return boxes;
}

PointF read_out_place(const RectF& plot, PointF at, double half_width, const std::vector<LabelBox>& taken) {
    std::optional<PointF> first;
    for (const double higher : {0.0, line_height, -line_height, 2 * line_height, -2 * line_height,
                                3 * line_height, -3 * line_height})
        for (const double side : {1.0, -1.0}) {
            const PointF middle{at.x + side * (beside_line + half_width), at.y - higher};
            if (!plate_box(middle, half_width + 2).inside(plot)) continue;
            if (!first) first = middle;
            const LabelBox plate = plate_box(middle, half_width);
            if (std::ranges::none_of(taken, [&](const LabelBox& label) { return label.overlaps(plate); }))
                return middle;
        }
    return first.value_or(PointF{at.x - beside_line - half_width, at.y});
}

std::vector<Crossing> crossings(const Scene& scene, double x, std::optional<MemoryLevel> level) {
    std::vector<Crossing> result;
    for (std::uint32_t i = 0; i < scene.roofs.size(); ++i) {
        const Roof& roof = scene.roofs[i];
        if (const auto* boundary = std::get_if<Boundary>(&roof.target)) {
            const bool same_bytes = !level || level_of(*boundary) == *level;
            if (same_bytes && x <= roof.ends_at) result.push_back({i, roof.rate * x});
        } else if (x >= roof.ends_at) {
            result.push_back({i, roof.rate});
        }
    }
    std::ranges::sort(result, std::ranges::greater{}, &Crossing::performance);
    return result;
}

void paint_ruler(QPainter& painter, const Scene& scene, const View& view, const Dot& dot,
                 const Layout& layout) {
    if (dot.rail != Rail::none) return;
    const PointF at = dot_position(dot, view);
    if (at.x < view.plot.x || at.x > view.plot.right()) return;
    const LogAxis performance = y_axis(view);
    const Palette& palette = palette_of(scene.options.theme);

    std::vector<Crossing> met;
    std::vector<double> heights;
    for (const Crossing& crossing : crossings(scene, dot.x, dot.level)) {
        const double y = performance.to_pixel(crossing.performance);
        if (y < view.plot.y || y > view.plot.bottom()) continue;
        met.push_back(crossing);
        heights.push_back(y);
    }

    painter.save();
    painter.setPen(QPen(to_qt(palette.text), 1, Qt::DashLine));
    painter.drawLine(QPointF(at.x, view.plot.y), QPointF(at.x, view.plot.bottom()));
    painter.setPen(QPen(to_qt(palette.text), 1.5));
    painter.setBrush(to_qt(palette.background));
    for (const double y : heights)
        painter.drawEllipse(QPointF(at.x, y), 3.5, 3.5);
    painter.restore();

    const QFontMetricsF metrics(chart_font(11));
    const std::vector<double> rows = spread(heights);
    std::vector<LabelBox> taken = label_obstacles(scene, view, layout);
    for (std::size_t i = 0; i < met.size(); ++i) {
        const QString text = QStringLiteral("%1  %2").arg(
            to_qt(scene.roofs[met[i].roof].name), to_qt(format_si(met[i].performance, scene.unit + "/s")));
        const double half = metrics.horizontalAdvance(text) / 2 + 5;
        const PointF middle = read_out_place(view.plot, {at.x, rows[i]}, half, taken);
        paint_plate(painter, text, to_qt(middle), to_qt(view.plot), palette);
        taken.push_back(plate_box(middle, half));
    }
    read_out_x(painter, scene, view, at.x, dot.x, taken);
    if (at.y >= view.plot.y && at.y <= view.plot.bottom())
        read_out_y(painter, scene, view, at.y, dot.y, taken);
}

void paint_intensity_mark(QPainter& painter, const Scene& scene, const View& view, double intensity,
                          const Layout& layout) {
    const double x = x_axis(view).to_pixel(intensity);
    if (!(x >= view.plot.x && x <= view.plot.right())) return;
    painter.save();
    painter.setPen(QPen(to_qt(palette_of(scene.options.theme).highlight), 2, Qt::DashLine));
    painter.drawLine(QPointF(x, view.plot.y), QPointF(x, view.plot.bottom()));
    painter.restore();
    read_out_x(painter, scene, view, x, intensity, label_obstacles(scene, view, layout));
}

void paint_crosshair(QPainter& painter, const Scene& scene, const View& view, PointF at,
                     const Layout& layout) {
    if (!to_qt(view.plot).contains(to_qt(at))) return;  // a band has neither intensity nor performance
    const Palette& palette = palette_of(scene.options.theme);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(to_qt(palette.axis, 150), 1, Qt::DotLine));
    painter.drawLine(QPointF(at.x, view.plot.y), QPointF(at.x, view.plot.bottom()));
    painter.drawLine(QPointF(view.plot.x, at.y), QPointF(view.plot.right(), at.y));
    painter.restore();
    const std::vector<LabelBox> taken = label_obstacles(scene, view, layout);
    read_out_x(painter, scene, view, at.x, x_axis(view).to_value(at.x), taken);
    read_out_y(painter, scene, view, at.y, y_axis(view).to_value(at.y), taken);
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/chart_frame.h"

#include <QFontMetricsF>

#include "ui/chart/chart_theme.h"

namespace roofwalk {

namespace {

QFontMetricsF metrics_of(double size) {
    return QFontMetricsF(chart_font(size));
}

/// Of a label of a tick, as wide as they get short of the far ends of what the axes can show.
double widest_label() {
    return metrics_of(tick_label_size).horizontalAdvance(QStringLiteral("888.8 G"));
}

/// Between the chart's edge and what stands there, and between two kinds of text.
double air() {
    return metrics_of(caption_size).height() / 2;
}

/// From the plot to the far side of an axis' title, past labels that take `labels` px.
double axis_depth(double labels) {
    return tick_length + tick_label_gap + labels + axis_title_gap + metrics_of(axis_title_size).height();
}

/// From the plot to the baseline of a line of the caption.
double caption_depth(std::size_t line) {
    const QFontMetricsF caption = metrics_of(caption_size);
    return axis_depth(metrics_of(tick_label_size).height()) + air() + caption.ascent() +
           static_cast<double>(line) * caption.lineSpacing();
}

}  // namespace

QMargins chart_margins(std::size_t caption_lines) {
    const double left = axis_depth(widest_label()) + air() / 2;
    const double top = metrics_of(tick_label_size).height() / 2 + air();
    const double right = widest_label() / 2;
    const double bottom = caption_depth(caption_lines - 1) + metrics_of(caption_size).descent() + air();
    return QMarginsF(left, top, right, bottom).toMargins();
}

PointF caption_start(const RectF& frame, std::size_t line) {
    return {2 * air(), frame.bottom() + caption_depth(line)};
}

double caption_width(const RectF& frame) {
    return frame.right() - caption_start(frame, 0).x;
}

}  // namespace roofwalk

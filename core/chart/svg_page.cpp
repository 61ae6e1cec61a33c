// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/svg_page.h"

#include <algorithm>

namespace roofwalk {

namespace {

constexpr double margin = 12;             // around the page [px]
constexpr double tick_gap = 6;            // between the axis and its labels
constexpr double axis_label_height = 18;  // an axis' title
constexpr double legend_gap = 16;         // between neighbouring rows
constexpr double least_plot = 80;
constexpr double legend_share = 0.25;  // of the page's height at most
constexpr std::size_t most_caption_lines = 2;

/// Rows one after the other in as many lines as they need; what does not fit is counted in a last row.
/// Returns the height used.
double flow_legend(const Scene& scene, const RectF& strip, std::vector<PlacedLegendRow>& placed) {
    PointF at{strip.x, strip.y + svg_line_height};
    const auto width_of = [](const LegendRow& row) {
        const bool sample = row.shape || row.colour;
        return (sample ? svg_sample_width : 0) + text_width(row.text, svg_text_size);
    };
    for (std::size_t i = 0; i < scene.legend.size(); ++i) {
        LegendRow row = scene.legend[i];
        row.text = elided(row.text, svg_text_size, strip.width - svg_sample_width);
        if (at.x > strip.x && at.x + width_of(row) > strip.right()) {
            at = {strip.x, at.y + svg_line_height};
            if (at.y > strip.bottom()) {
                placed.back().row.text += ", and " + std::to_string(scene.legend.size() - i) + " more";
                at.y -= svg_line_height;
                break;
            }
        }
        placed.push_back({row, at});
        at.x += width_of(row) + legend_gap;
    }
    return placed.empty() ? 0 : at.y - strip.y + tick_gap;
}

/// Breaks at "; " where a line is full.
std::vector<std::string> caption_lines(const std::string& caption, double width) {
    std::vector<std::string> lines;
    std::size_t begin = 0;
    while (begin < caption.size()) {
        const std::size_t stop = caption.find("; ", begin);
        const std::size_t end = stop == std::string::npos ? caption.size() : stop;
        const std::string part = caption.substr(begin, end - begin);
        const std::string joined = lines.empty() ? part : lines.back() + "; " + part;
        const bool fits = text_width(joined, svg_small_size) <= width;
        if (lines.empty() || (!fits && lines.size() < most_caption_lines))
            lines.push_back(part);
        else
            lines.back() = joined;
        begin = stop == std::string::npos ? caption.size() : stop + 2;
    }
    for (std::string& line : lines)
        line = elided(line, svg_small_size, width);
    return lines;
}

double widest_label(const std::vector<Tick>& ticks) {
    double widest = 0;
    for (const Tick& tick : ticks)
        widest = std::max(widest, text_width(tick.label, svg_text_size));
    return widest;
}

}  // namespace

SvgPage plan_page(const Scene& scene, const SvgOptions& options) {
    SvgPage page;
    const double inner = options.width - 2 * margin;
    double top = margin;
    if (!scene.options.title.empty()) {
        page.title = elided(scene.options.title, svg_title_size, inner);
        page.title_at = {margin, top + svg_title_size};
        top += svg_title_size + tick_gap;
    }
    page.caption = caption_lines(scene.caption, inner);
    const double caption_height = static_cast<double>(page.caption.size()) * (svg_small_size + 3);
    const double bottom = options.height - margin - caption_height;
    page.caption_at = {margin, bottom + svg_small_size + 1};

    RectF& plot = page.view.plot;
    const double below = svg_text_size + tick_gap + axis_label_height + (page.caption.empty() ? 0 : tick_gap);
    page.view.x = scene.x;
    page.view.y = scene.y;

    // Ticks of y need the height, the legend needs the left edge, the left edge needs the ticks of y.
    const double rough_height = std::max(least_plot, bottom - below - top - svg_line_height);
    plot.x = margin + axis_label_height + widest_label(log_ticks(scene.y, rough_height, TickLabels::si)) +
             tick_gap;
    plot.width = std::max(least_plot, options.width - plot.x - margin);
    top +=
        flow_legend(scene, {plot.x, top - tick_gap, plot.width, options.height * legend_share}, page.legend);
    plot.y = top;
    plot.height = std::max(least_plot, bottom - below - top);
    page.x_ticks = log_ticks(scene.x, plot.width, TickLabels::plain);
    page.y_ticks = log_ticks(scene.y, plot.height, TickLabels::si);
    page.x_label_at = {plot.x + plot.width / 2,
                       plot.bottom() + tick_gap + svg_text_size + axis_label_height - 2};
    page.y_label_at = {margin + svg_text_size * text_ascent, plot.y + plot.height / 2};
    return page;
}

}  // namespace roofwalk

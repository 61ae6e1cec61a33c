// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/svg/svg_canvas.h"

#include "core/base/text.h"
#include "core/chart/layout/label_box.h"

namespace roofwalk {

namespace {

/// " class=\"a\"" after an element's own attributes.
std::string after_space(std::string_view attributes) {
    return attributes.empty() ? std::string() : " " + std::string(attributes);
}

}  // namespace

std::string svg_number(double value) {
    std::string digits = fmt::format("{:.2f}", value);
    while (digits.back() == '0')
        digits.pop_back();
    if (digits.back() == '.') digits.pop_back();
    return digits == "-0" ? "0" : digits;
}

void SvgCanvas::element(std::string_view name, std::string_view content) {
    put("<{}>{}</{}>\n", name, escape_xml(content), name.substr(0, name.find(' ')));
}

void SvgCanvas::line(PointF from, PointF to, std::string_view attributes) {
    put("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{}/>\n", svg_number(from.x), svg_number(from.y),
        svg_number(to.x), svg_number(to.y), after_space(attributes));
}

void SvgCanvas::path(std::string_view commands, std::string_view attributes) {
    if (!commands.empty()) put("<path d=\"{}\"{}/>\n", commands, after_space(attributes));
}

void SvgCanvas::rect(const RectF& area, std::string_view attributes) {
    put("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}/>\n", svg_number(area.x), svg_number(area.y),
        svg_number(area.width), svg_number(area.height), after_space(attributes));
}

void SvgCanvas::polygon(const std::vector<PointF>& corners, std::string_view attributes) {
    if (corners.empty()) return;
    std::string points;
    for (const PointF& corner : corners)
        points += (points.empty() ? "" : " ") + svg_number(corner.x) + "," + svg_number(corner.y);
    put("<polygon points=\"{}\"{}/>\n", points, after_space(attributes));
}

void SvgCanvas::text(const PlacedText& label, std::string_view attributes) {
    for (const PlacedText& line : lines_of(label)) {
        const std::string x = svg_number(line.at.x);
        const std::string y = svg_number(line.at.y);
        put("<text x=\"{}\" y=\"{}\"", x, y);
        if (line.anchor != TextAnchor::start)
            put(" text-anchor=\"{}\"", line.anchor == TextAnchor::middle ? "middle" : "end");
        if (line.angle != 0) put(" transform=\"rotate({} {} {})\"", svg_number(-line.angle), x, y);
        put("{}>{}</text>\n", after_space(attributes), escape_xml(line.text));
    }
}

}  // namespace roofwalk

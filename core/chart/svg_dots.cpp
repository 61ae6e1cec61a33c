// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/svg_dots.h"

#include "core/text.h"

namespace roofwalk {

namespace {

// Sizes that give each shape the area of a circle of radius 1.
constexpr double half_square = 0.886;     // sqrt(pi) / 2
constexpr double half_diamond = 1.253;    // sqrt(pi / 2)
constexpr double triangle_reach = 1.555;  // centre to corner: sqrt(4 pi / (3 sqrt(3)))
constexpr double half_triangle = 1.347;   // half the side: reach * sqrt(3) / 2

/// A tenth of a pixel is enough for dots, and thousands of them count.
std::string tenth(double value) {
    std::string digits = fmt::format("{:.1f}", value);
    if (digits.ends_with(".0")) digits.resize(digits.size() - 2);
    return digits == "-0" ? "0" : digits;
}

}  // namespace

void put_marker(SvgCanvas& canvas, MemoryLevel level, PointF at, double radius, std::string_view attributes,
                std::string_view content) {
    std::string_view name = "path";
    std::string shape;
    switch (level) {
        case MemoryLevel::hbm:
            name = "circle";
            shape = fmt::format("cx=\"{}\" cy=\"{}\" r=\"{}\"", tenth(at.x), tenth(at.y), tenth(radius));
            break;
        case MemoryLevel::l2: {
            const double half = radius * half_square;
            shape = fmt::format("d=\"M{} {}h{}v{}h{}z\"", tenth(at.x - half), tenth(at.y - half),
                                tenth(2 * half), tenth(2 * half), tenth(-2 * half));
            break;
        }
        case MemoryLevel::l1: {
            const double half = radius * half_diamond;
            shape =
                fmt::format("d=\"M{} {}l{} {}l{} {}l{} {}z\"", tenth(at.x), tenth(at.y - half), tenth(half),
                            tenth(half), tenth(-half), tenth(half), tenth(-half), tenth(-half));
            break;
        }
        case MemoryLevel::smem: {
            const double reach = radius * triangle_reach;
            const double half = radius * half_triangle;
            shape = fmt::format("d=\"M{} {}l{} {}h{}z\"", tenth(at.x), tenth(at.y - reach), tenth(half),
                                tenth(reach * 1.5), tenth(-2 * half));
            break;
        }
    }
    const std::string_view space = attributes.empty() ? "" : " ";
    if (content.empty())
        canvas.put("<{} {}{}{}/>\n", name, shape, space, attributes);
    else
        canvas.put("<{} {}{}{}><title>{}</title></{}>\n", name, shape, space, attributes, escape_xml(content),
                   name);
}

void put_dots(SvgCanvas& canvas, const Scene& scene, const Analysis& analysis, const View& view) {
    const Palette& palette = palette_of(scene.options.theme);
    const bool print = scene.options.theme == Theme::print;
    canvas.put("<g id=\"dots\" fill-opacity=\"{}\" stroke=\"{}\" stroke-width=\"{}\">\n",
               print ? "0.9" : "0.8", to_hex(print ? palette.axis : palette.plot), print ? "0.6" : "1");
    for (const Dot& dot : scene.dots) {
        std::string attributes = fmt::format("id=\"k{}-{}\" fill=\"{}\"", dot.point, id_of(dot.level),
                                             to_hex(scene.dot_colours[dot.colour]));
        if (scene.options.selected == dot.point)
            attributes += fmt::format(" stroke=\"{}\" stroke-width=\"2\"", to_hex(palette.highlight));
        put_marker(canvas, dot.level, dot_position(dot, view), static_cast<double>(dot.radius), attributes,
                   dot_title(analysis, dot));
    }
    canvas.put("</g>\n");
}

}  // namespace roofwalk

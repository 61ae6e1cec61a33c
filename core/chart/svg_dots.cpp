// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/svg_dots.h"

#include <algorithm>
#include <span>
#include <unordered_map>

#include "core/chart/nested_dots.h"
#include "core/model/kernel_name.h"
#include "core/text.h"

namespace roofwalk {

namespace {

// Sizes that give each shape the area of a circle of radius 1.
constexpr double half_square = 0.886;     // sqrt(pi) / 2
constexpr double half_diamond = 1.253;    // sqrt(pi / 2)
constexpr double triangle_reach = 1.555;  // centre to corner: sqrt(4 pi / (3 sqrt(3)))
constexpr double half_triangle = 1.347;   // half the side: reach * sqrt(3) / 2

constexpr double hollow_opacity = 0.12;
constexpr double ring_gap = 2.5;         // from a dot to its ring [px]
constexpr double ring_gap_in_crowd = 4;  // the same
constexpr std::size_t title_name_length = 40;
/// Beyond so many dots a title tells less, or the file would be mostly titles.
constexpr std::size_t dots_with_long_titles = 500;

/// A tenth of a pixel is enough for dots, and thousands of them count.
std::string tenth(double value) {
    std::string digits = fmt::format("{:.1f}", value);
    if (digits.ends_with(".0")) digits.resize(digits.size() - 2);
    return digits == "-0" ? "0" : digits;
}

/// "saxpy: 1.2 TFLOP/s, HBM 0.17, L2 0.08 FLOP/byte, 29 % of HBM"; `brief` says the last part only.
std::string kernel_title(const Analysis& analysis, const std::string& name, std::span<const Dot> dots,
                         bool brief) {
    const KernelPoint& point = analysis.points[dots.front().point];
    const std::string unit(work_unit(analysis.options.operations));
    std::string title = name + ": ";
    if (dots.front().rail == Rail::no_work) return title + "no " + unit;
    if (dots.front().rail == Rail::no_traffic) return title + "no bytes";
    const bool has_gap = point.gap && point.binding;
    if (!brief || !has_gap) title += at_least(point, format(FlopRate(dots.front().y), unit + "/s"));
    if (!brief) {
        for (const Dot& dot : dots)
            title += ", " + std::string(label_of(dot.level)) + " " + at_least(point, format_number(dot.x));
        title += " " + unit + "/byte";
    }
    if (has_gap)
        title +=
            (brief ? "" : ", ") + format_percent(point.gap->efficiency()) + " of " + label_of(*point.binding);
    return title;
}

/// The attribute, after a space, that leaves a dot hollow: of a kernel of another device, or of one that was
/// only timed.
std::string hollowness(const Dot& dot) {
    return dot.other_device || dot.modelled ? fmt::format(" fill-opacity=\"{}\"", hollow_opacity)
                                            : std::string();
}

/// The dots of one kernel; several levels share a group and a title.
void put_kernel(SvgCanvas& canvas, const Scene& scene, std::span<const Dot> dots, const std::string& title,
                const View& view) {
    const Dot& first = dots.front();
    const std::string colour = to_hex(scene.dot_colours[first.colour]);
    std::string attributes = fmt::format("id=\"k{}\" fill=\"{}\"", first.point, colour);
    if (first.other_device || first.modelled)
        attributes += fmt::format(" stroke=\"{}\" stroke-width=\"1.6\"", colour);
    attributes += hollowness(first);
    if (first.modelled) attributes += " stroke-dasharray=\"2.5 2\"";
    if (dots.size() == 1) {
        put_marker(canvas, first.level, dot_position(first, view), static_cast<double>(first.radius),
                   attributes, title);
        return;
    }
    canvas.put("<g {}><title>{}</title>\n", attributes, escape_xml(title));
    for (std::uint32_t turn = 0; turn < dots.size(); ++turn) {
        const std::uint32_t i = painted_at(dots, turn);
        std::string own = fmt::format("id=\"k{}-{}\"", dots[i].point, id_of(dots[i].level));
        if (dots_inside(dots, i, view) > 0) {
            own += fmt::format(" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"", colour);
        }
        put_marker(canvas, dots[i].level, dot_position(dots[i], view), painted_radius(dots, i, view), own);
    }
    canvas.put("</g>\n");
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

void put_rings(SvgCanvas& canvas, const Scene& scene, const View& view, RingsOver over) {
    const Palette& palette = palette_of(scene.options.theme);
    const std::span<const Dot> dots = scene.dots;
    const bool crowd = over == RingsOver::crowd;
    const auto ring = [&](std::uint32_t i, Colour colour, double width) {
        put_marker(canvas, dots[i].level, dot_position(dots[i], view),
                   painted_radius(dots, i, view) + (crowd ? ring_gap_in_crowd : ring_gap),
                   fmt::format("class=\"ring\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"",
                               to_hex(colour), width));
    };
    for (std::uint32_t i = 0; i < dots.size(); ++i) {
        if (!is_selected(scene.options, dots[i].point)) continue;
        if (!crowd) {
            ring(i, palette.highlight, 1.5);
            continue;
        }
        if (dots_inside(dots, i, view) == 0)
            put_marker(
                canvas, dots[i].level, dot_position(dots[i], view), painted_radius(dots, i, view),
                fmt::format("fill=\"{}\"{}", to_hex(scene.dot_colours[dots[i].colour]), hollowness(dots[i])));
        ring(i, palette.plot, 4.5);
        ring(i, palette.highlight, 2);
    }
}

void put_dots(SvgCanvas& canvas, const Scene& scene, const Analysis& analysis, const View& view,
              DotsOf part) {
    const Palette& palette = palette_of(scene.options.theme);
    const bool print = scene.options.theme == Theme::print;
    canvas.put("<g id=\"{}\" fill-opacity=\"{}\" stroke=\"{}\" stroke-width=\"{}\">\n",
               part == DotsOf::plot ? "dots" : "rail-dots", print ? "0.85" : "0.75",
               to_hex(print ? palette.axis : palette.plot), print ? "0.6" : "1");
    const std::span<const Dot> dots = scene.dots;
    std::unordered_map<std::string_view, std::string> short_names;  // launches of one kernel share it
    const bool brief = dots.size() > dots_with_long_titles;
    bool faint = false;  // the smallest come first
    for (std::size_t first = 0; first < dots.size();) {
        std::size_t end = first + 1;
        while (end < dots.size() && dots[end].point == dots[first].point)
            ++end;
        const std::span<const Dot> levels = dots.subspan(first, end - first);
        first = end;
        if ((levels.front().rail == Rail::none) != (part == DotsOf::plot)) continue;
        const std::string& whole_name = analysis.points[levels.front().point].name;
        if (const bool is_faint = levels.front().radius < faint_radius; is_faint != faint) {
            canvas.put("{}", is_faint ? "<g fill-opacity=\"0.4\" stroke=\"none\">\n" : "</g>\n");
            faint = is_faint;
        }
        const auto [name, fresh] = short_names.try_emplace(whole_name);
        if (fresh) name->second = shorten_kernel_name(whole_name, title_name_length);
        put_kernel(canvas, scene, levels, kernel_title(analysis, name->second, levels, brief), view);
    }
    canvas.put("{}", faint ? "</g>\n</g>\n" : "</g>\n");
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/svg/svg_dots.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/chart/layout/label_box.h"
#include "core/chart/layout/layout_paths.h"
#include "core/chart/scene/nested_dots.h"
#include "core/chart/scene/scene_parts.h"
#include "core/model/kernel_name.h"
#include "core/roofline/summary.h"

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
/// Titles of a crowd: whole names stand once, in the metadata.
constexpr std::size_t least_title_name_length = 24;
constexpr std::size_t title_bytes_of_crowd = 24'000;

/// A tenth of a pixel is enough for dots, and thousands of them count.
std::string tenth(double value) {
    std::string digits = fmt::format("{:.1f}", value);
    if (digits.ends_with(".0")) digits.resize(digits.size() - 2);
    return digits == "-0" ? "0" : digits;
}

/// The attribute, after a space, that leaves a dot hollow: of a kernel of another device, or of one that was
/// only timed.
std::string hollowness(const Dot& dot) {
    return dot.is_hollow() ? fmt::format(" fill-opacity=\"{}\"", hollow_opacity) : std::string();
}

/// A kernel of the page, its dots in the plot or its dot on a rail.
struct DotsOfKernel {
    std::span<const Dot> dots;
    const std::string* name = nullptr;  ///< whole
    std::string_view report = {};       ///< its short name; empty where there is one only

    [[nodiscard]] const Dot& first() const { return dots.front(); }
    [[nodiscard]] std::string title(std::size_t name_length) const {
        return shorten_kernel_name(*name, name_length) + (report.empty() ? "" : ", ") + std::string(report);
    }
    [[nodiscard]] bool is_faint() const { return first().radius < faint_radius; }
};

/// With the smallest first, as the scene has them; those of one size, colour and name are neighbours where
/// `share`.
std::vector<DotsOfKernel> kernels_of(const Scene& scene, const Analysis& analysis, const PageDots& drawn,
                                     DotsOf part, bool share) {
    std::vector<DotsOfKernel> kernels;
    const std::span<const Dot> dots = scene.dots;
    for (std::size_t first = 0; first < dots.size();) {
        std::size_t end = first + 1;
        while (end < dots.size() && dots[end].point == dots[first].point)
            ++end;
        const std::uint32_t point = dots[first].point;
        if (drawn.draws(point) && is_band(dots[first].rail) == (part == DotsOf::rails))
            kernels.push_back({dots.subspan(first, end - first), &analysis.points[point].name,
                               analysis.several_reports ? short_name_of_report(analysis.points[point])
                                                        : std::string_view()});
        first = end;
    }
    const auto painted_size = [](const DotsOfKernel& kernel) {
        return std::lround(kernel.first().radius * 10);
    };
    if (share)
        std::ranges::stable_sort(kernels, [&](const DotsOfKernel& a, const DotsOfKernel& b) {
            return std::tuple(!a.is_faint(), painted_size(a), a.first().colour, std::string_view(*a.name),
                              a.report) < std::tuple(!b.is_faint(), painted_size(b), b.first().colour,
                                                     std::string_view(*b.name), b.report);
        });
    return kernels;
}

/// Writes the dots of kernels, each in an element of its own; several levels share a group and a title.
class DotWriter {
  public:
    DotWriter(SvgCanvas& canvas, const Scene& scene, const View& view)
        : canvas_(canvas), scene_(scene), view_(view) {}

    [[nodiscard]] std::string fill_of(const DotsOfKernel& kernel) const {
        return fmt::format("fill=\"{}\"", kernel.is_faint() ? outline_of(kernel) : colour_of(kernel));
    }

    /// `fill` and `title` are empty where a group around it has them.
    void put(const DotsOfKernel& kernel, const std::string& fill, const std::string& title) {
        const Dot& first = kernel.first();
        if (std::ranges::none_of(kernel.dots, [&](const Dot& dot) { return is_seen(dot); })) return;
        std::string attributes = fmt::format("id=\"{}k{}\"", canvas_.ids(), first.point);
        if (!fill.empty()) attributes += " " + fill;
        if (first.is_hollow())
            attributes += fmt::format(" stroke=\"{}\" stroke-width=\"1.6\"", outline_of(kernel));
        attributes += hollowness(first);
        if (first.modelled) attributes += " stroke-dasharray=\"2.5 2\"";
        if (kernel.dots.size() == 1) {
            const PointF at = dot_position(first, view_);
            const double radius = view_.marks.of(first.radius);
            put_marker(canvas_, first.level, at, radius, attributes, title);
            put_mark(first, at, radius, " " + of_kernel(first.point));
            return;
        }
        canvas_.put("<g {}>", attributes);
        if (!title.empty()) canvas_.put("<title>{}</title>", escape_xml(title));
        canvas_.put("\n");
        put_levels(kernel);
        canvas_.put("</g>\n");
    }

  private:
    void put_levels(const DotsOfKernel& kernel) {
        const std::span<const Dot> dots = kernel.dots;
        for (std::uint32_t turn = 0; turn < dots.size(); ++turn) {
            const std::uint32_t i = painted_at(dots, turn);
            if (!is_seen(dots[i])) continue;
            std::string own;
            if (scene_.dots.size() <= crowd_of_dots)
                own = fmt::format("id=\"{}k{}-{}\"", canvas_.ids(), dots[i].point, id_of(dots[i].level));
            if (dots_inside(dots, i, view_) > 0)
                own += fmt::format("{}fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"",
                                   own.empty() ? "" : " ", outline_of(kernel));
            const PointF at = dot_position(dots[i], view_);
            const double radius = painted_radius(dots, i, view_);
            put_marker(canvas_, dots[i].level, at, radius, own);
            if (dots_inside(dots, i, view_) == 0) put_mark(dots[i], at, radius);
        }
    }

    /// One below the axis of a figure whose ranges were asked for would seem to stand in a band.
    [[nodiscard]] bool is_seen(const Dot& dot) const {
        return (is_band(dot.rail) ? frame_ : plot_).touches_circle(dot_position(dot, view_), 1);
    }

    void put_mark(const Dot& dot, PointF at, double radius, std::string attributes = {}) {
        const std::span<const MarkStroke> mark = scene_.mark_of(dot.colour);
        if (mark.empty()) return;
        const Colour fill = scene_.dot_colours[dot.colour];
        const bool hollow = dot.is_hollow();
        if (dot.modelled) attributes += " stroke-dasharray=\"none\"";
        put_dot_mark(canvas_, mark, at, radius,
                     hollow ? line_colour(fill, scene_.options.theme) : ink_on(fill), attributes);
    }

    [[nodiscard]] std::string outline_of(const DotsOfKernel& kernel) const {
        return to_hex(line_colour(scene_.dot_colours[kernel.first().colour], scene_.options.theme));
    }

    [[nodiscard]] std::string colour_of(const DotsOfKernel& kernel) const {
        return to_hex(scene_.dot_colours[kernel.first().colour]);
    }

    SvgCanvas& canvas_;
    const Scene& scene_;
    const View& view_;
    LabelBox frame_{view_.frame()};
    LabelBox plot_{view_.plot};
};

/// The kernels from the first on that have in common what `key` tells.
template <class Key>
std::span<const DotsOfKernel> run_of(std::span<const DotsOfKernel> kernels, const Key& key) {
    const auto end = std::ranges::find_if(
        kernels, [&](const DotsOfKernel& kernel) { return key(kernel) != key(kernels.front()); });
    return kernels.first(static_cast<std::size_t>(end - kernels.begin()));
}

/// What the kernels of a crowd have in common stands once, in a group around them; titles are names.
void put_crowd(SvgCanvas& canvas, std::span<const DotsOfKernel> kernels, DotWriter& writer,
               std::size_t name_length) {
    const auto colour_of = [](const DotsOfKernel& kernel) {
        return std::pair(kernel.is_faint(), kernel.first().colour);
    };
    const auto name_of = [](const DotsOfKernel& kernel) {
        return std::pair(std::string_view(*kernel.name), kernel.report);
    };
    while (!kernels.empty()) {
        std::span<const DotsOfKernel> coloured = run_of(kernels, colour_of);
        kernels = kernels.subspan(coloured.size());
        const std::string fill = writer.fill_of(coloured.front());
        const bool shares_fill = coloured.size() > 1;
        if (shares_fill) canvas.put("<g {}>\n", fill);
        while (!coloured.empty()) {
            const std::span<const DotsOfKernel> named = run_of(coloured, name_of);
            coloured = coloured.subspan(named.size());
            const std::string title = named.front().title(name_length);
            const bool shares_title = named.size() > 1;
            if (shares_title) canvas.put("<g><title>{}</title>\n", escape_xml(title));
            for (const DotsOfKernel& kernel : named)
                writer.put(kernel, shares_fill ? std::string() : fill, shares_title ? std::string() : title);
            if (shares_title) canvas.put("</g>\n");
        }
        if (shares_fill) canvas.put("</g>\n");
    }
}

std::string_view dashes(PathLine line) {
    switch (line) {
        case PathLine::solid:
            return "";
        case PathLine::dashed:
            return " stroke-dasharray=\"6 3\"";
        case PathLine::dotted:
            return " stroke-dasharray=\"1.5 2.5\"";
    }
    return "";
}

/// "k12-hbm-0": of the first place of a path, or its first leg.
std::string id_of(const ScenePath& path, std::uint32_t step) {
    return fmt::format("k{}-{}-{}", path.point, id_of(path.level), step);
}

/// More could not be told apart, and each would be another path.
constexpr std::size_t shade_count = 16;

/// The cells of one shade: lines from left to right, in cells.
struct ShadePath {
    std::string lines;
    std::uint32_t fewest = 0;  ///< dots in one of its cells
    std::uint32_t most = 0;
};

using ShadePaths = std::array<ShadePath, shade_count>;

std::size_t shade_of(std::uint32_t count, std::uint32_t most) {
    const float share = shade_share(count, most) * static_cast<float>(shade_count);
    return std::min(static_cast<std::size_t>(share), shade_count - 1);
}

ShadePaths paths_of(const DensityMap& density) {
    ShadePaths paths;
    for (int row = 0; row < density.rows; ++row) {
        const std::uint32_t* counts =
            density.counts.data() + static_cast<std::size_t>(row) * static_cast<std::size_t>(density.columns);
        std::array<int, shade_count> drawn_to{};  // the pen of each path, 0 before its first line of the row
        for (int column = 0; column < density.columns;) {
            if (counts[column] == 0) {
                ++column;
                continue;
            }
            const std::size_t shade = shade_of(counts[column], density.max);
            ShadePath& path = paths[shade];
            int end = column;
            for (; end < density.columns && counts[end] > 0 && shade_of(counts[end], density.max) == shade;
                 ++end) {
                path.fewest = path.most == 0 ? counts[end] : std::min(path.fewest, counts[end]);
                path.most = std::max(path.most, counts[end]);
            }
            int& pen = drawn_to[shade];
            if (pen == 0)
                fmt::format_to(std::back_inserter(path.lines), "M{} {}h{}", column, row, end - column);
            else
                fmt::format_to(std::back_inserter(path.lines), "m{} 0h{}", column - pen, end - column);
            pen = column = end;
        }
    }
    return paths;
}

std::string ink_of(std::size_t shade, std::string_view what, const Palette& palette) {
    const Shade ink = shade_at(static_cast<double>(shade) / (shade_count - 1), palette);
    return fmt::format("{0}=\"{1}\" {0}-opacity=\"{2}\"", what, to_hex(ink.colour), svg_number(ink.opacity));
}

std::string count_words(const ShadePath& path) {
    const std::string most = format_count(path.most);
    if (path.fewest < path.most) return format_count(path.fewest) + " to " + most + " dots";
    return most + (path.most == 1 ? " dot" : " dots");
}

}  // namespace

void put_marker(SvgCanvas& canvas, MemoryLevel level, PointF at, double radius, std::string_view attributes,
                std::string_view content) {
    std::string_view name = "path";
    std::string shape;
    switch (memory_levels[level].marker) {
        case MarkerShape::circle:
            name = "circle";
            shape = fmt::format("cx=\"{}\" cy=\"{}\" r=\"{}\"", tenth(at.x), tenth(at.y), tenth(radius));
            break;
        case MarkerShape::square: {
            const double half = radius * half_square;
            shape = fmt::format("d=\"M{} {}h{}v{}h{}z\"", tenth(at.x - half), tenth(at.y - half),
                                tenth(2 * half), tenth(2 * half), tenth(-2 * half));
            break;
        }
        case MarkerShape::diamond: {
            const double half = radius * half_diamond;
            shape =
                fmt::format("d=\"M{} {}l{} {}l{} {}l{} {}z\"", tenth(at.x), tenth(at.y - half), tenth(half),
                            tenth(half), tenth(-half), tenth(half), tenth(-half), tenth(-half));
            break;
        }
        case MarkerShape::triangle: {
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

void put_dot_mark(SvgCanvas& canvas, std::span<const MarkStroke> mark, PointF at, double radius, Colour ink,
                  std::string_view attributes) {
    const double reach = dot_mark_half_width(radius);
    std::string strokes;
    for (const MarkStroke& stroke : mark)
        strokes +=
            fmt::format("M{} {}L{} {}", svg_number(at.x + reach * stroke.from_x),
                        svg_number(at.y + reach * stroke.from_y), svg_number(at.x + reach * stroke.to_x),
                        svg_number(at.y + reach * stroke.to_y));
    canvas.path(strokes, fmt::format("class=\"class-mark\" stroke=\"{}\" stroke-width=\"{}\" "
                                     "stroke-linecap=\"round\"{}",
                                     to_hex(ink), mark_pen, attributes));
}

void put_rings(SvgCanvas& canvas, const Scene& scene, const PagePlacement& laid, RingsOver over) {
    const Palette& palette = palette_of(scene.options.theme);
    const View& view = laid.page.view;
    const std::span<const Dot> dots = scene.dots;
    const LabelBox frame(view.frame());
    const bool crowd = over == RingsOver::crowd;
    const auto ring = [&](std::uint32_t i, Colour colour, double width) {
        put_marker(canvas, dots[i].level, dot_position(dots[i], view),
                   painted_radius(dots, i, view) + (crowd ? ring_gap_in_crowd : ring_gap),
                   fmt::format("{}class=\"ring\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"",
                               of_kernel(dots[i].point), to_hex(colour), width));
    };
    for (std::uint32_t i = 0; i < dots.size(); ++i) {
        if (!laid.dots.draws(dots[i].point) || !is_selected(scene.options, dots[i].point)) continue;
        if (!frame.touches_circle(dot_position(dots[i], view), 1)) continue;
        if (!crowd) {
            ring(i, palette.highlight, 1.5);
            continue;
        }
        if (dots_inside(dots, i, view) == 0)
            put_marker(canvas, dots[i].level, dot_position(dots[i], view), painted_radius(dots, i, view),
                       fmt::format("{}fill=\"{}\"{}", of_kernel(dots[i].point),
                                   to_hex(scene.dot_colours[dots[i].colour]), hollowness(dots[i])));
        ring(i, palette.plot, 4.5);
        ring(i, palette.highlight, 2);
    }
}

void put_dots(SvgCanvas& canvas, const Scene& scene, const Analysis& analysis, const PagePlacement& laid,
              DotsOf part) {
    const Palette& palette = palette_of(scene.options.theme);
    canvas.put("<g id=\"{}{}\" fill-opacity=\"{}\" stroke=\"{}\" stroke-width=\"0.6\">\n", canvas.ids(),
               part == DotsOf::plot ? "dots" : "rail-dots", dot_opacity, to_hex(palette.axis));
    const bool crowd = scene.dots.size() > crowd_of_dots;
    const std::vector<DotsOfKernel> kernels = kernels_of(scene, analysis, laid.dots, part, crowd);
    const std::size_t crowd_name_length =
        std::clamp(title_bytes_of_crowd / std::max<std::size_t>(kernels.size(), 1), least_title_name_length,
                   title_name_length);
    DotWriter writer(canvas, scene, laid.page.view);
    const auto faint = static_cast<std::size_t>(std::ranges::count_if(kernels, &DotsOfKernel::is_faint));
    if (faint > 0) {
        canvas.put("<g fill-opacity=\"0.8\" stroke=\"none\">\n");
        put_crowd(canvas, std::span(kernels).first(faint), writer, crowd_name_length);
        canvas.put("</g>\n");
    }
    const std::span<const DotsOfKernel> others = std::span(kernels).subspan(faint);
    if (crowd)
        put_crowd(canvas, others, writer, crowd_name_length);
    else
        for (const DotsOfKernel& kernel : others)
            writer.put(kernel, writer.fill_of(kernel),
                       dots_title(analysis, kernel.dots, kernel.title(length_of_annotation(*kernel.name))));
    canvas.put("</g>\n");
}

void put_paths(SvgCanvas& canvas, const Scene& scene, const Layout& layout) {
    if (scene.paths.empty()) return;
    const Palette& palette = palette_of(scene.options.theme);
    canvas.put("<g id=\"{}paths\" fill=\"none\">\n", canvas.ids());
    for (const PlacedGhost& ghost : layout.ghosts) {
        const ScenePath& path = scene.paths[ghost.index];
        const auto colour = path.places[ghost.step].colour;
        put_marker(canvas, path.level, ghost.at, ghost.radius,
                   fmt::format("{}id=\"{}ghost-{}\" class=\"ghost\" stroke-width=\"1.2\" "
                               "stroke-dasharray=\"3 2\" stroke=\"{}\"",
                               of_kernel(path.point), canvas.ids(), id_of(path, ghost.step),
                               to_hex(colour ? line_colour(scene.dot_colours[*colour], scene.options.theme)
                                             : palette.faint_text)),
                   path.title);
    }
    for (const PlacedLeg& leg : layout.path_legs) {
        const ScenePath& path = scene.paths[leg.index];
        canvas.put(
            "<g {}id=\"{}path-{}\" class=\"path\" stroke=\"{}\" stroke-width=\"{}\"><title>{}</title>\n",
            of_kernel(path.point), canvas.ids(), id_of(path, leg.step), to_hex(path_colour(path, palette)),
            path.selected ? "1.8" : "1.2", escape_xml(path.title));
        canvas.put("<path d=\"M{} {}L{} {}\"{}/>\n", svg_number(leg.from.x), svg_number(leg.from.y),
                   svg_number(leg.to.x), svg_number(leg.to.y), dashes(path.places[leg.step].line));
        if (leg.has_head) {
            const auto [left, tip, right] = arrow_head(leg);
            canvas.put("<path d=\"M{} {}L{} {}L{} {}\"/>\n", svg_number(left.x), svg_number(left.y),
                       svg_number(tip.x), svg_number(tip.y), svg_number(right.x), svg_number(right.y));
        }
        canvas.put("</g>\n");
    }
    canvas.put("</g>\n");
}

void put_shading(SvgCanvas& canvas, const DensityMap& density, const View& view, const Palette& palette) {
    if (density.inside == 0) return;
    canvas.put(
        "<g id=\"{}shading\" fill=\"none\" stroke-width=\"1\" shape-rendering=\"crispEdges\" "
        "transform=\"translate({} {}) scale({})\">\n",
        canvas.ids(), svg_number(view.plot.x), svg_number(view.plot.y + density.cell / 2),
        svg_number(density.cell));
    const ShadePaths paths = paths_of(density);
    for (std::size_t shade = 0; shade < paths.size(); ++shade)
        if (!paths[shade].lines.empty())
            canvas.put("<path {} d=\"{}\"><title>{}</title></path>\n", ink_of(shade, "stroke", palette),
                       paths[shade].lines, count_words(paths[shade]));
    canvas.put("</g>\n");
}

void put_shading_sample(SvgCanvas& canvas, PointF centre, const Palette& palette) {
    constexpr double side = 4;
    constexpr std::array shades{std::size_t{0}, shade_count / 2, shade_count - 1};
    for (std::size_t i = 0; i < shades.size(); ++i)
        canvas.rect({centre.x + (static_cast<double>(i) - 1.5) * side, centre.y - side, side, 2 * side},
                    ink_of(shades[i], "fill", palette));
}

}  // namespace roofwalk

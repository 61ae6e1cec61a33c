// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/svg/svg_shading.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "core/base/text.h"

namespace roofwalk {

namespace {

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

void put_shading(SvgCanvas& canvas, const DensityMap& density, const View& view, const Palette& palette) {
    if (density.inside == 0) return;
    canvas.put(
        "<g id=\"shading\" fill=\"none\" stroke-width=\"1\" shape-rendering=\"crispEdges\" "
        "transform=\"translate({} {}) scale({})\">\n",
        svg_number(view.plot.x), svg_number(view.plot.y + density.cell / 2), svg_number(density.cell));
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

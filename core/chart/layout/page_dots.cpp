// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/layout/page_dots.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/text.h"

namespace roofwalk {

namespace {

constexpr double most_cells = 200'000;
constexpr std::size_t rail_places = 1'000;  // along a rail, finer than a page shows

/// Draws the longest `most` points that `wanted(point)` holds for; returns how many there are.
template <class Wanted>
std::size_t draw_longest(const Scene& scene, std::size_t most, PageDots& dots, const Wanted& wanted) {
    std::size_t count = 0;
    for (std::size_t i = scene.dots.size(); i-- > 0 && count < most;) {
        const std::uint32_t point = scene.dots[i].point;
        const bool another_level = i + 1 < scene.dots.size() && scene.dots[i + 1].point == point;
        if (another_level || !wanted(point)) continue;
        dots.drawn[point] = true;
        ++count;
    }
    return count;
}

void draw_selected(const Scene& scene, PageDots& dots) {
    const SceneOptions& options = scene.options;
    if (options.selected && *options.selected < dots.drawn.size()) dots.drawn[*options.selected] = true;
    if (options.also_selected.empty()) return;
    const auto is_one = [&](std::uint32_t point) { return is_selected(options, point); };
    dots.selected = draw_longest(scene, longest_on_page, dots, is_one);
    std::uint32_t last = 0;
    for (std::size_t i = 0; i < scene.dots.size(); ++i) {
        const std::uint32_t point = scene.dots[i].point;
        if (i > 0 && point == last) continue;
        last = point;
        if (!dots.drawn[point] && is_one(point)) ++dots.unringed;
    }
}

void draw_annotated(const Scene& scene, PageDots& dots) {
    const auto draw_all = [&](const auto& marks) {
        for (const auto& mark : marks)
            if (mark.point < dots.drawn.size()) dots.drawn[mark.point] = true;
    };
    draw_all(scene.gaps);
    draw_all(scene.targets);
    draw_all(scene.kernel_ceilings);
    draw_all(scene.paths);
    for (const DotName& name : scene.names)
        dots.drawn[scene.dots[name.dot].point] = true;
}

/// A rail is a line: of the dots at one place only the longest can be seen.
void draw_rails(const Scene& scene, PageDots& dots) {
    const double lowest = std::log(scene.y.lo);
    const double height = std::log(scene.y.hi) - lowest;
    const double from_corner = std::log(scene.x.hi / scene.x.lo);
    std::array<std::vector<bool>, 3> taken;
    taken.fill(std::vector<bool>(rail_places + 1));
    const auto along_of = [&](const Dot& dot) {
        switch (dot.rail) {
            case Rail::no_work:
                return dot.x;
            case Rail::edge:  // around the corner, up the left edge
                return (std::log(dot.y * scene.x.lo) - lowest + from_corner) / (from_corner + height);
            default:
                return (std::log(dot.y) - lowest) / height;
        }
    };
    for (auto dot = scene.dots.rbegin(); dot != scene.dots.rend(); ++dot) {
        if (dot->rail == Rail::none) continue;
        const auto place =
            static_cast<std::size_t>(std::clamp(along_of(*dot), 0.0, 1.0) * static_cast<double>(rail_places));
        std::vector<bool>& rail = taken[static_cast<std::size_t>(dot->rail) - 1];
        if (!rail[place])
            dots.drawn[dot->point] = true;
        else if (!dots.drawn[dot->point])
            ++dots.off_rails;
        rail[place] = true;
    }
}

}  // namespace

PageDots page_dots(const Scene& scene) {
    PageDots dots;
    if (scene.dots.size() <= most_page_dots) return dots;
    std::uint32_t points = 0;
    for (const Dot& dot : scene.dots)
        points = std::max(points, dot.point + 1);
    dots.drawn.resize(points);
    dots.longest = draw_longest(scene, longest_on_page, dots, [](std::uint32_t) { return true; });
    draw_annotated(scene, dots);
    draw_selected(scene, dots);
    draw_rails(scene, dots);
    for (const Dot& dot : scene.dots) {
        if (dot.rail != Rail::none || dots.drawn[dot.point]) continue;
        dots.log_x.push_back(static_cast<float>(std::log(dot.x)));
        dots.log_y.push_back(static_cast<float>(std::log(dot.y)));
    }
    return dots;
}

DensityMap density_of(const PageDots& dots, const View& view) {
    DensityMap map;
    map.cell = std::max(density_cell, std::ceil(std::sqrt(view.plot.width * view.plot.height / most_cells)));
    count_density(dots.log_x, dots.log_y, view, map);
    return map;
}

std::string shading_words(const DensityMap& density) {
    const std::string side = format_count(density.cell) + " px";
    return format_count(static_cast<double>(density.inside)) + " dots as shading: 1 to " +
           format_count(density.max) + " in " + side + " × " + side;
}

std::string page_dots_words(const Scene& scene, const PageDots& dots) {
    if (dots.drawn.empty()) return {};
    const auto number = [](std::size_t count) { return format_count(static_cast<double>(count)); };
    const auto rows = [&](std::size_t count) {
        return number(count) + " longest " + std::string(noun_of(scene.rows, count));
    };
    std::string words;
    if (dots.shaded() > 0)
        words = number(dots.shaded()) + " of " + number(scene.dots.size()) +
                " dots are shading, stronger where more stand; the " + rows(dots.longest) + " are dots";
    if (dots.unringed > 0)
        words += (words.empty() ? "" : "; ") + std::string("of those selected the ") + rows(dots.selected) +
                 " are ringed, " + number(dots.unringed) + " not";
    if (dots.off_rails > 0)
        words += (words.empty() ? "" : "; ") + number(dots.off_rails) +
                 " dots on the bands or at the edge left out, each beside a longer one";
    return words;
}

}  // namespace roofwalk

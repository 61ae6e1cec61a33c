// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "core/chart/scene_parts.h"

namespace roofwalk {

namespace {

/// 1 more, -1 less, 0 the same but for rounding.
int direction(double from, double to) {
    constexpr double same_place = 1e-9;
    if (std::abs(from / to - 1) <= same_place) return 0;
    return to > from ? 1 : -1;
}

/// By time and bytes, not by place: where the work changes too, the place says little.
PathLine line_between(const KernelPoint& from, const KernelPoint& to, MemoryLevel level) {
    const int faster = direction(to.time->value(), from.time->value());
    const int fewer = direction(to.at(level)->bytes.value(), from.at(level)->bytes.value());
    if (faster * fewer < 0) return PathLine::dotted;
    return faster + fewer < 0 ? PathLine::dashed : PathLine::solid;
}

/// The dot of `moved` as it was measured, where it stood elsewhere.
std::optional<Dot> measured_dot(const Dot& moved, const KernelPoint& point, const SceneOptions& options) {
    const LevelPoint* level = shown_level(point, moved.level, options);
    if (moved.rail != Rail::none || point.placement != Placement::chart || !level || !level->intensity)
        return std::nullopt;
    Dot dot = moved;
    dot.x = level->intensity->value();
    dot.y = point.performance->value();
    if (!(dot.x > 0) || !(dot.y > 0)) return std::nullopt;
    if (direction(dot.x, moved.x) == 0 && direction(dot.y, moved.y) == 0) return std::nullopt;
    dot.radius = radius_of(point.time_share);
    if (options.colour_by == ColourBy::kernel_class)
        dot.colour = static_cast<std::uint8_t>(point.verdict.kernel_class);
    return dot;
}

ScenePath path_between(const Dot& from, const Dot& to, const Scene& scene, const Analysis& measured,
                       const Analysis& moved) {
    return {.point = to.point,
            .level = to.level,
            .places = {{from.x, from.y, from.radius, true, from.colour,
                        line_between(measured.points[to.point], moved.points[to.point], to.level)},
                       {to.x, to.y, to.radius}},
            .label = {},
            .title = "as measured: " + dot_title(measured, from),
            .selected = is_selected(scene.options, to.point)};
}

/// Classes that kernels left are named too: their ghosts have the colour.
void add_left_classes(Scene& scene, const Analysis& measured) {
    if (scene.options.colour_by != ColourBy::kernel_class) return;
    auto row = std::ranges::find_if(scene.legend.rbegin(), scene.legend.rend(), [](const LegendRow& legend) {
                   return legend.colour.has_value();
               }).base();
    for (std::size_t colour = 0; colour < scene.dot_colours.size(); ++colour) {
        const auto has = [&](const ScenePath& path) { return path.places.front().colour == colour; };
        const bool stands = std::ranges::find(scene.dots, colour, &Dot::colour) != scene.dots.end();
        const auto left = std::ranges::find_if(scene.paths, has);
        if (stands || left == scene.paths.end()) continue;
        row = scene.legend.insert(
                  row, {.shape = std::nullopt,
                        .colour = scene.dot_colours[colour],
                        .text = std::string(class_name(measured.points[left->point])) + ", as measured"}) +
              1;
    }
}

}  // namespace

void add_ghosts(Scene& scene, const Analysis& measured, const Analysis& moved, std::string_view note) {
    for (std::size_t i = scene.dots.size(); i-- > 0;)  // the longest kernel first
        if (const auto dot = measured_dot(scene.dots[i], measured.points[scene.dots[i].point], scene.options))
            scene.paths.push_back(path_between(*dot, scene.dots[i], scene, measured, moved));
    add_left_classes(scene, measured);
    finish_paths(scene, "arrow: from where it was measured");
    scene.scenario = note;
    if (!note.empty()) scene.summary += " " + scene.scenario;
    if (note.ends_with('.')) note.remove_suffix(1);
    if (!note.empty())
        scene.caption = std::string(note) + (scene.caption.empty() ? "" : "; ") + scene.caption;
}

}  // namespace roofwalk

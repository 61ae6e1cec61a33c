// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/scene/scene_ghosts.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>

#include "core/base/text.h"
#include "core/chart/scene/scene_parts.h"
#include "core/model/kernel_name.h"

namespace roofwalk {

namespace {

/// More arrows could not be told apart, and a window could not draw them while it is panned.
constexpr std::size_t most_moved_drawn = 500;
constexpr std::size_t ghost_name_length = 20;
constexpr std::string_view arrow_meaning = "arrow: measured to moved";
constexpr std::size_t most_named = 12;  // kernels whose arrows have words

/// 1 more, -1 less, 0 the same but for rounding.
int direction(double from, double to) {
    constexpr double same_place = 1e-9;
    if (std::abs(from / to - 1) <= same_place) return 0;
    return to > from ? 1 : -1;
}

PathLine line_between(const KernelPoint& from, const KernelPoint& to, MemoryLevel level) {
    return line_of_move(*from.time / *to.time, from.at(level)->bytes / to.at(level)->bytes);
}

/// Sets the place of a dot to the measured one; whether there is one, and elsewhere.
bool set_measured_place(Dot& dot, const KernelPoint& point, const Scene& scene) {
    const Dot moved = dot;
    if (dot.rail == Rail::edge) {
        const auto rate = achieved_rate(point, dot.level, scene.options);
        if (point.placement != Placement::line || !rate) return false;
        dot.y = *rate;
        dot.x = compute_limit(scene, point, dot.other_device) / *rate;
        return direction(dot.y, moved.y) != 0;
    }
    const LevelPoint* level = shown_level(point, dot.level, scene.options);
    if (dot.rail != Rail::none || point.placement != Placement::chart || !level || !level->intensity)
        return false;
    dot.x = level->intensity->value();
    dot.y = point.performance->value();
    return dot.x > 0 && dot.y > 0 && (direction(dot.x, moved.x) != 0 || direction(dot.y, moved.y) != 0);
}

/// The dot of `moved`, or the mark of its line, as it was measured, where it stood elsewhere.
std::optional<Dot> measured_dot(const Dot& moved, const KernelPoint& point, const Scene& scene) {
    Dot dot = moved;
    if (!set_measured_place(dot, point, scene)) return std::nullopt;
    dot.radius = radius_of(point.time_share);
    if (scene.options.colour_by == ColourBy::kernel_class) dot.colour = class_look(point.verdict);
    return dot;
}

ScenePath path_between(const Dot& from, const Dot& to, const Scene& scene, const Analysis& measured,
                       const Analysis& moved) {
    return {.point = to.point,
            .level = to.level,
            .places = {{from.x, from.y, from.radius, true, from.colour,
                        line_between(measured.points[to.point], moved.points[to.point], to.level), from.rail},
                       {to.x, to.y, to.radius, false, {}, PathLine::solid, to.rail}},
            .label = {},
            .title = std::string(ghost_name) + ": " + dot_title(measured, from),
            .selected = is_selected(scene.options, to.point),
            .by_scenario = true};
}

/// Behind the rows of colours.
std::vector<LegendRow>::iterator after_colours(std::vector<LegendRow>& legend) {
    return std::ranges::find_if(legend.rbegin(), legend.rend(),
                                [](const LegendRow& row) { return row.colour.has_value(); })
        .base();
}

/// Classes that kernels left are named too: their ghosts have the colour.
void add_left_classes(Scene& scene, const Analysis& measured) {
    if (scene.options.colour_by != ColourBy::kernel_class) return;
    auto row = after_colours(scene.legend);
    for (std::size_t colour = 0; colour < scene.dot_colours.size(); ++colour) {
        const auto has = [&](const ScenePath& path) { return path.places.front().colour == colour; };
        const bool stands = std::ranges::find(scene.dots, colour, &Dot::colour) != scene.dots.end();
        const auto left = std::ranges::find_if(scene.paths, has);
        if (stands || left == scene.paths.end()) continue;
        row = scene.legend.insert(row, {.shape = std::nullopt,
                                        .colour = scene.dot_colours[colour],
                                        .text = class_label(measured.points[left->point]) + ", as measured",
                                        .mark = scene.mark_of(static_cast<std::uint8_t>(colour)),
                                        .look = static_cast<std::uint8_t>(colour)}) +
              1;
    }
}

/// Adds the paths of the longest kernels that moved and of those selected; tells of the rest: "arrows of the
/// 500 longest of 1,000,000 launches that moved". Empty where each has its own.
std::string add_paths(Scene& scene, const Analysis& measured, const Analysis& moved) {
    std::size_t drawn = 0;
    std::size_t all = 0;
    std::optional<std::uint32_t> last;  // whose dots are looked at
    bool draws = false;
    for (std::size_t i = scene.dots.size(); i-- > 0;) {  // the longest kernel first
        const Dot& dot = scene.dots[i];
        const auto from = measured_dot(dot, measured.points[dot.point], scene);
        if (!from) continue;
        if (last != dot.point) {
            last = dot.point;
            draws = drawn < most_moved_drawn || scene.options.selected == dot.point;
            drawn += draws ? 1 : 0;
            ++all;
        }
        if (draws) scene.paths.push_back(path_between(*from, dot, scene, measured, moved));
    }
    if (drawn == all) return {};
    return "arrows of the " + format_count(static_cast<double>(drawn)) + " longest of " +
           format_count(static_cast<double>(all)) + " " + std::string(noun_of(scene.rows, all)) +
           " that moved";
}

/// Of each kernel the arrow of its farthest level has the words: the last one.
void name_paths(Scene& scene, const Analysis& measured,
                const std::function<std::pair<std::string, std::string>(std::uint32_t point)>& moves_of) {
    std::size_t kernels = 0;
    for (auto path = scene.paths.begin(); path != scene.paths.end(); ++path) {
        const auto next = std::next(path);
        if (next != scene.paths.end() && next->point == path->point) continue;
        if (++kernels > most_named && !path->selected) continue;
        std::tie(path->label, path->brief) = moves_of(path->point);
        path->places.front().name =
            path->selected ? std::string(ghost_name)
                           : shorten_kernel_name(measured.points[path->point].name, ghost_name_length);
    }
}

/// A row of the class of a dragged kernel, in the order of colours, where none has its colour.
void add_class(std::vector<LegendRow>& legend, const Scene& scene, std::uint8_t look,
               const std::string& label) {
    const auto next =
        std::ranges::find_if(legend, [look](const LegendRow& row) { return row.look && *row.look >= look; });
    if (next != legend.end() && next->look == look) return;
    legend.insert(next == legend.end() ? after_colours(legend) : next, {.shape = std::nullopt,
                                                                        .colour = scene.dot_colours[look],
                                                                        .text = label,
                                                                        .mark = scene.mark_of(look),
                                                                        .classes = {label},
                                                                        .look = look});
}

}  // namespace

PathLine line_of_move(double faster, double fewer_bytes) {
    const int time = direction(1, faster);
    const int bytes = direction(1, fewer_bytes);
    if (time * bytes < 0) return PathLine::dotted;
    return time + bytes < 0 ? PathLine::dashed : PathLine::solid;
}

std::vector<LegendRow> legend_with_dragged(const Scene& scene, std::uint32_t point, const DraggedLook& look) {
    std::vector<LegendRow> legend = scene.legend;
    if (look.colour) add_class(legend, scene, *look.colour, look.class_label);
    bool moved = look.moved;
    bool dashed = look.dashed;
    bool dotted = look.dotted;
    for (const ScenePath& path : scene.paths) {
        if (!path.by_scenario || path.point == point) continue;
        moved = true;
        dashed = dashed || has_leg(path, PathLine::dashed);
        dotted = dotted || has_leg(path, PathLine::dotted);
    }
    std::erase_if(legend, [](const LegendRow& row) { return row.text.starts_with(arrow_meaning); });
    if (moved) legend.emplace_back().text = words_of_legs(std::string(arrow_meaning), dashed, dotted);
    return legend;
}

void add_ghosts(Scene& scene, const Analysis& measured, const Analysis& moved, std::string_view note,
                const std::function<std::pair<std::string, std::string>(std::uint32_t point)>& moves_of) {
    const std::string left_out = add_paths(scene, measured, moved);
    if (moves_of) name_paths(scene, measured, moves_of);
    add_left_classes(scene, measured);
    const auto on_the_other_side = [&](const ScenePath& path) {
        const auto& from = path.places.front();
        return from.rail == Rail::none && from.x > scene.zones->peak / scene.zones->bandwidth &&
               measured.points[path.point].verdict.kernel_class == KernelClass::memory_bound;
    };
    if (scene.zones && std::ranges::any_of(scene.paths, on_the_other_side)) scene.zones.reset();
    finish_paths(scene, std::string(arrow_meaning));
    scene.scenario = note;
    if (!note.empty()) scene.summary += " " + scene.scenario;
    lead_caption(scene, left_out);
}

}  // namespace roofwalk

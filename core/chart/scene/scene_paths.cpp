// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <span>

#include "core/chart/scene/scene_parts.h"

namespace roofwalk {

namespace {

void make_room(Range& axis, double value) {
    const Range around = padded({value, value}, 0);
    axis = {std::min(axis.lo, around.lo), std::max(axis.hi, around.hi)};
}

}  // namespace

bool has_leg(const ScenePath& path, PathLine line) {
    const std::span legs(path.places.begin(), path.places.size() - 1);
    return std::ranges::find(legs, line, &PathPlace::line) != legs.end();
}

std::string words_of_legs(std::string meaning, bool dashed, bool dotted, std::string_view dotted_meaning) {
    if (dashed) meaning += "; dashed: the wrong way";
    if (dotted) meaning += "; dotted: " + std::string(dotted_meaning);
    return meaning;
}

void finish_paths(Scene& scene, std::string meaning, std::string_view dotted) {
    if (scene.paths.empty()) return;
    for (const ScenePath& path : scene.paths)
        for (const PathPlace& place : path.places) {
            if (place.rail == Rail::edge) continue;
            make_room(scene.x, place.x);
            make_room(scene.y, place.y);
        }
    const auto some = [&](PathLine line) {
        return std::ranges::any_of(scene.paths,
                                   [line](const ScenePath& path) { return has_leg(path, line); });
    };
    scene.legend.emplace_back().text =
        words_of_legs(std::move(meaning), some(PathLine::dashed), some(PathLine::dotted), dotted);
}

}  // namespace roofwalk

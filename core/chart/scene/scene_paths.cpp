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

void finish_paths(Scene& scene, std::string meaning, std::string_view dotted) {
    if (scene.paths.empty()) return;
    for (const ScenePath& path : scene.paths)
        for (const PathPlace& place : path.places) {
            if (place.rail == Rail::edge) continue;
            make_room(scene.x, place.x);
            make_room(scene.y, place.y);
        }
    const auto some = [&](PathLine line) {
        return std::ranges::any_of(scene.paths, [line](const ScenePath& path) {
            const std::span legs(path.places.begin(), path.places.size() - 1);
            return std::ranges::find(legs, line, &PathPlace::line) != legs.end();
        });
    };
    if (some(PathLine::dashed)) meaning += "; dashed: the wrong way";
    if (some(PathLine::dotted)) meaning += "; dotted: " + std::string(dotted);
    scene.legend.emplace_back().text = std::move(meaning);
}

}  // namespace roofwalk

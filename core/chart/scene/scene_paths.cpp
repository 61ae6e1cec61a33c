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

bool has_line(const std::vector<ScenePath>& paths, PathLine line) {
    return std::ranges::any_of(paths, [line](const ScenePath& path) {
        const std::span legs(path.places.begin(), path.places.size() - 1);
        return std::ranges::find(legs, line, &PathPlace::line) != legs.end();
    });
}

std::string words_of_lines(std::string meaning, bool is_dashed, bool is_dotted, std::string_view dotted) {
    const auto add = [&](const std::string& words) { meaning += (meaning.empty() ? "" : "; ") + words; };
    if (is_dashed) add("dashed: the wrong way");
    if (is_dotted) add("dotted: " + std::string(dotted));
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
    scene.legend.emplace_back().text =
        words_of_lines(std::move(meaning), has_line(scene.paths, PathLine::dashed),
                       has_line(scene.paths, PathLine::dotted), dotted);
}

}  // namespace roofwalk

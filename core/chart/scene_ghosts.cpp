// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "core/chart/scene_parts.h"

namespace roofwalk {

namespace {

/// Rounding moves no dot.
constexpr double same_place = 1e-9;

bool differs(double a, double b) {
    return std::abs(a / b - 1) > same_place;
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
    if (!differs(dot.x, moved.x) && !differs(dot.y, moved.y)) return std::nullopt;
    dot.radius = radius_of(point.time_share);
    if (options.colour_by == ColourBy::kernel_class)
        dot.colour = static_cast<std::uint8_t>(point.verdict.kernel_class);
    return dot;
}

Range joined(Range a, Range b) {
    return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}

void make_room(Scene& scene) {
    const auto extent = [&](double Dot::*place) {
        const auto [lo, hi] =
            std::ranges::minmax(scene.ghosts, {}, [place](const Ghost& ghost) { return ghost.dot.*place; });
        return padded({lo.dot.*place, hi.dot.*place}, 0);
    };
    scene.x = joined(scene.x, extent(&Dot::x));
    scene.y = joined(scene.y, extent(&Dot::y));
}

}  // namespace

void add_ghosts(Scene& scene, const Analysis& measured, std::string_view note) {
    for (const Dot& moved : scene.dots)
        if (const auto dot = measured_dot(moved, measured.points[moved.point], scene.options))
            scene.ghosts.push_back({*dot, moved.x, moved.y, "as measured: " + dot_title(measured, *dot)});
    if (!scene.ghosts.empty()) {
        make_room(scene);
        scene.legend.emplace_back().text = "dashed: as measured";
    }
    if (note.ends_with('.')) note.remove_suffix(1);
    if (!note.empty())
        scene.caption = std::string(note) + (scene.caption.empty() ? "" : "; ") + scene.caption;
}

}  // namespace roofwalk

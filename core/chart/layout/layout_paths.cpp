// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/layout/layout_paths.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/chart/layout/roof_clip.h"

namespace roofwalk {

namespace {

constexpr double rim_gap = 2;       // between an arrow and the dots at its ends [px]
constexpr double shortest_leg = 3;  // [px]
constexpr double head_length = 7;   // [px]
constexpr double head_half = 3.2;   // [px]

/// Whether a place is inside the plot, or outside but less than `margin` away.
bool holds(const RectF& plot, PointF at, double margin) {
    return at.x + margin >= plot.x && at.x - margin <= plot.right() && at.y + margin >= plot.y &&
           at.y - margin <= plot.bottom();
}

PointF between(PointF from, PointF to, double share) {
    return {from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share};
}

std::optional<PlacedLeg> leg_between(const PathPlace& before, const PathPlace& after, const View& view) {
    const PointF from = place_position(before, view);
    const PointF to = place_position(after, view);
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    // An empty marker hides nothing: the line starts at the very place, so that short ways can be seen.
    const double start = before.ghost ? 0 : static_cast<double>(before.radius) + rim_gap;
    const double stop = length - static_cast<double>(after.radius) - rim_gap;
    if (stop - start < shortest_leg) return std::nullopt;
    const PointF tip = between(from, to, stop / length);
    const auto line = clip_line(between(from, to, start / length), tip, view.plot);
    if (!line) return std::nullopt;
    return PlacedLeg{.from = line->from, .to = line->to, .has_head = holds(view.plot, tip, 0)};
}

}  // namespace

PointF place_position(const PathPlace& place, const View& view) {
    return {LogAxis(view.x, view.plot.x, view.plot.right()).to_pixel(place.x),
            LogAxis(view.y, view.plot.bottom(), view.plot.y).to_pixel(place.y)};
}

void lay_out_paths(const Scene& scene, const View& view, Layout& layout) {
    for (std::uint32_t i = 0; i < scene.paths.size(); ++i) {
        const ScenePath& path = scene.paths[i];
        for (std::uint32_t step = 0; step + 1 < path.places.size(); ++step)
            if (auto leg = leg_between(path.places[step], path.places[step + 1], view)) {
                leg->index = i;
                leg->step = step;
                layout.path_legs.push_back(*leg);
            }
        for (std::uint32_t step = 0; step < path.places.size(); ++step) {
            const PointF at = place_position(path.places[step], view);
            const auto radius = static_cast<double>(path.places[step].radius);
            if (path.places[step].ghost && holds(view.plot, at, radius))
                layout.ghosts.push_back({at, radius, i, step});
        }
    }
}

Colour path_colour(const ScenePath& path, const Palette& palette) {
    return path.selected ? palette.highlight : palette.text;
}

std::array<PointF, 3> arrow_head(const PlacedLeg& leg) {
    const double dx = leg.to.x - leg.from.x;
    const double dy = leg.to.y - leg.from.y;
    const double length = std::max(std::hypot(dx, dy), 1e-9);
    const PointF along{dx / length, dy / length};
    const PointF back{leg.to.x - along.x * head_length, leg.to.y - along.y * head_length};
    return {PointF{back.x - along.y * head_half, back.y + along.x * head_half}, leg.to,
            PointF{back.x + along.y * head_half, back.y - along.x * head_half}};
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/layout_paths.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace roofwalk {

namespace {

constexpr double rim_gap = 2;       // between an arrow and the dots at its ends [px]
constexpr double shortest_leg = 3;  // [px]
constexpr double head_length = 7;   // [px]
constexpr double head_half = 3.2;   // [px]
constexpr double label_size = 11;   // [px]

PointF position(const PathPlace& place, const View& view) {
    return {LogAxis(view.x, view.plot.x, view.plot.right()).to_pixel(place.x),
            LogAxis(view.y, view.plot.bottom(), view.plot.y).to_pixel(place.y)};
}

PointF between(PointF from, PointF to, double share) {
    return {from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share};
}

/// The shares of a line between which it lies inside the plot (Liang and Barsky).
std::optional<std::pair<double, double>> inside(PointF from, PointF to, const RectF& plot) {
    double begin = 0;
    double end = 1;
    const auto cut = [&](double direction, double room) {
        if (direction == 0) return room >= 0;
        const double share = room / direction;
        if (direction < 0)
            begin = std::max(begin, share);
        else
            end = std::min(end, share);
        return begin <= end;
    };
    const double dx = to.x - from.x;
    const double dy = to.y - from.y;
    const bool some = cut(-dx, from.x - plot.x) && cut(dx, plot.right() - from.x) &&
                      cut(-dy, from.y - plot.y) && cut(dy, plot.bottom() - from.y);
    return some ? std::optional(std::pair(begin, end)) : std::nullopt;
}

std::optional<LaidLeg> leg_between(const PathPlace& before, const PathPlace& after, const View& view) {
    const PointF from = position(before, view);
    const PointF to = position(after, view);
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    // An empty marker hides nothing: the line starts at the very place, so that short ways can be seen.
    const double start = before.ghost ? 0 : static_cast<double>(before.radius) + rim_gap;
    const double stop = length - static_cast<double>(after.radius) - rim_gap;
    if (stop - start < shortest_leg) return std::nullopt;
    LaidLeg leg{.from = between(from, to, start / length), .to = between(from, to, stop / length)};
    const auto shares = inside(leg.from, leg.to, view.plot);
    if (!shares) return std::nullopt;
    const LaidLeg whole = leg;
    leg.from = between(whole.from, whole.to, shares->first);
    leg.to = between(whole.from, whole.to, shares->second);
    leg.has_head = shares->second == 1;
    return leg;
}

}  // namespace

void lay_out_paths(const Scene& scene, const View& view, Layout& layout) {
    for (std::uint32_t i = 0; i < scene.paths.size(); ++i) {
        const ScenePath& path = scene.paths[i];
        for (std::uint32_t step = 0; step + 1 < path.places.size(); ++step)
            if (auto leg = leg_between(path.places[step], path.places[step + 1], view)) {
                leg->index = i;
                leg->step = step;
                layout.path_legs.push_back(*leg);
            }
        for (const PathPlace& place : path.places) {
            const PointF at = position(place, view);
            const auto radius = static_cast<double>(place.radius);
            if (place.ghost && at.x + radius > view.plot.x && at.x - radius < view.plot.right() &&
                at.y + radius > view.plot.y && at.y - radius < view.plot.bottom())
                layout.ghosts.push_back({at, radius, path.level, i});
        }
    }
}

void place_path_labels(const Scene& scene, Layout& layout, LabelPlacer& placer) {
    constexpr std::array shares{0.5, 0.3, 0.7, 0.1, 0.9};
    constexpr std::array distances{6.0, 18.0};
    for (std::size_t i = 0; i < layout.path_legs.size(); ++i) {
        const LaidLeg& leg = layout.path_legs[i];
        const ScenePath& path = scene.paths[leg.index];
        const bool last = i + 1 == layout.path_legs.size() || layout.path_legs[i + 1].index != leg.index;
        if (!last || path.label.empty()) continue;
        LaidText label{.size = label_size, .text = path.label, .index = leg.index};
        const double half_text = (text_ascent - text_descent) * label.size / 2;
        std::vector<LaidText> places;
        for (const double away : distances)
            for (const double share : shares)
                for (const TextAnchor anchor : {TextAnchor::start, TextAnchor::end}) {
                    const PointF at = between(leg.from, leg.to, share);
                    label.anchor = anchor;
                    label.at = {at.x + (anchor == TextAnchor::start ? away : -away), at.y + half_text};
                    places.push_back(label);
                }
        label.anchor = TextAnchor::middle;
        for (const double away : distances)
            for (const double up : {-away, away + label_size}) {
                const PointF at = between(leg.from, leg.to, 0.5);
                label.at = {at.x, at.y + up};
                places.push_back(label);
            }
        const LabelPriority priority = path.selected ? LabelPriority::needed : LabelPriority::extra;
        if (auto placed = placer.place(places, priority)) layout.path_labels.push_back(std::move(*placed));
    }
}

std::array<PointF, 3> arrow_head(const LaidLeg& leg) {
    const double dx = leg.to.x - leg.from.x;
    const double dy = leg.to.y - leg.from.y;
    const double length = std::max(std::hypot(dx, dy), 1e-9);
    const PointF along{dx / length, dy / length};
    const PointF back{leg.to.x - along.x * head_length, leg.to.y - along.y * head_length};
    return {PointF{back.x - along.y * head_half, back.y + along.x * head_half}, leg.to,
            PointF{back.x + along.y * head_half, back.y - along.x * head_half}};
}

}  // namespace roofwalk

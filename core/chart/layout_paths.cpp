// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/layout_paths.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/chart/roof_clip.h"

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

/// Whether a place is inside the plot, or outside but less than `margin` away.
bool holds(const RectF& plot, PointF at, double margin) {
    return at.x + margin >= plot.x && at.x - margin <= plot.right() && at.y + margin >= plot.y &&
           at.y - margin <= plot.bottom();
}

PointF between(PointF from, PointF to, double share) {
    return {from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share};
}

std::optional<LaidLeg> leg_between(const PathPlace& before, const PathPlace& after, const View& view) {
    const PointF from = position(before, view);
    const PointF to = position(after, view);
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    // An empty marker hides nothing: the line starts at the very place, so that short ways can be seen.
    const double start = before.ghost ? 0 : static_cast<double>(before.radius) + rim_gap;
    const double stop = length - static_cast<double>(after.radius) - rim_gap;
    if (stop - start < shortest_leg) return std::nullopt;
    const PointF tip = between(from, to, stop / length);
    const auto line = clip_line(between(from, to, start / length), tip, view.plot);
    if (!line) return std::nullopt;
    return LaidLeg{.from = line->from, .to = line->to, .has_head = holds(view.plot, tip, 0)};
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
        for (std::uint32_t step = 0; step < path.places.size(); ++step) {
            const PointF at = position(path.places[step], view);
            const auto radius = static_cast<double>(path.places[step].radius);
            if (path.places[step].ghost && holds(view.plot, at, radius))
                layout.ghosts.push_back({at, radius, i, step});
        }
    }
}

namespace {

/// Beside the places of a change too small for an arrow.
void place_short_labels(const Scene& scene, const View& view, Layout& layout, LabelPlacer& placer) {
    constexpr double away = 6;
    std::vector<bool> has_leg(scene.paths.size());
    for (const LaidLeg& leg : layout.path_legs)
        has_leg[leg.index] = true;
    for (std::uint32_t i = 0; i < scene.paths.size(); ++i) {
        const ScenePath& path = scene.paths[i];
        if (path.label.empty() || has_leg[i]) continue;
        const PointF at = position(path.places.back(), view);
        if (!holds(view.plot, at, 0)) continue;
        const double reach = static_cast<double>(path.places.back().radius) + away;
        LaidText label{.size = label_size, .text = path.label, .index = i};
        std::vector<LaidText> places;
        const auto add = [&](PointF place, TextAnchor anchor) {
            label.at = place;
            label.anchor = anchor;
            places.push_back(label);
        };
        const double middle = at.y + (text_ascent - text_descent) * label.size / 2;
        add({at.x + reach, middle}, TextAnchor::start);
        add({at.x - reach, middle}, TextAnchor::end);
        add({at.x, at.y - reach}, TextAnchor::middle);
        add({at.x, at.y + reach + label.size}, TextAnchor::middle);
        const LabelPriority priority = path.selected ? LabelPriority::needed : LabelPriority::extra;
        if (auto placed = placer.place(places, priority)) layout.path_labels.push_back(std::move(*placed));
    }
}

}  // namespace

void place_path_labels(const Scene& scene, const View& view, Layout& layout, LabelPlacer& placer) {
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
    place_short_labels(scene, view, layout, placer);
}

Colour path_colour(const ScenePath& path, const Palette& palette) {
    return path.selected ? palette.highlight : palette.text;
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

// SPDX-License-Identifier: GPL-3.0-or-later
// The labels of paths: each nearer to its own arrow than to that of another kernel.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "core/chart/layout_paths.h"

namespace roofwalk {

namespace {

constexpr double label_size = 11;           // [px]
constexpr double air = 4;                   // from an arrow or the rim of a dot to the label [px]
constexpr double nearer = 4;                // than to anything of another kernel [px]
constexpr std::size_t dots_looked_at = 80;  // the largest

/// What a label could be taken to belong to.
class Neighbours {
  public:
    Neighbours(const Scene& scene, const View& view, const Layout& layout) : scene_(scene), layout_(layout) {
        const std::size_t count = std::min(scene.dots.size(), dots_looked_at);
        for (const Dot& dot : std::span(scene.dots).last(count))
            dots_.push_back({dot_position(dot, view), static_cast<double>(dot.radius), dot.point});
    }

    /// Whether a label with a leader is clear of what is not its own, and one without is nearer to its own.
    [[nodiscard]] bool tell_whose(const LaidText& label) const {
        const LabelBox box(label);
        const auto distance_if = [&](bool own) {
            double least = 1e9;
            const auto look = [&](std::uint32_t point, double distance) {
                if ((point == scene_.paths[label.index].point) == own) least = std::min(least, distance);
            };
            for (const LaidLeg& leg : layout_.path_legs)
                look(scene_.paths[leg.index].point, box.distance(leg.from, leg.to));
            for (const LaidGhost& ghost : layout_.ghosts)
                look(scene_.paths[ghost.index].point, box.distance_to_circle(ghost.at, ghost.radius));
            for (const Place& dot : dots_)
                look(dot.point, box.distance_to_circle(dot.at, dot.radius));
            return least;
        };
        return distance_if(false) >= nearer + (label.leader ? 0 : distance_if(true));
    }

  private:
    struct Place {
        PointF at;
        double radius = 0;
        std::uint32_t point = 0;
    };
    const Scene& scene_;
    const Layout& layout_;
    std::vector<Place> dots_;
};

/// Where the label of one path may stand.
class PathPlaces {
  public:
    PathPlaces(const ScenePath& path, const View& view, LaidText label)
        : path_(path), view_(view), label_(std::move(label)) {
        label_.anchor = TextAnchor::middle;
    }

    /// The most wanted first.
    std::vector<LaidText> all(const std::vector<LaidLeg>& legs) {
        constexpr std::array ways{0.0, 14.0, 30.0, 48.0};
        for (const double away : ways) {
            label_.leader = away > 0;
            for (auto leg = legs.rbegin(); leg != legs.rend(); ++leg)
                if (leg->index == label_.index) beside(*leg, away);
            if (away == 0) around_last_place();
        }
        return std::move(places_);
    }

  private:
    /// On both sides of the arrow, `away` px and some air from it.
    void beside(const LaidLeg& leg, double away) {
        constexpr std::array shares{0.5, 0.3, 0.7, 0.1, 0.9};
        const double length = std::hypot(leg.to.x - leg.from.x, leg.to.y - leg.from.y);
        if (length <= 0) return;
        const PointF across{(leg.to.y - leg.from.y) / length, (leg.from.x - leg.to.x) / length};
        for (const double share : shares)
            for (const double side : {1.0, -1.0})
                add({leg.from.x + share * (leg.to.x - leg.from.x),
                     leg.from.y + share * (leg.to.y - leg.from.y)},
                    {side * across.x, side * across.y}, air + away);
    }

    void around_last_place() {
        const PointF at = place_position(path_.places.back(), view_);
        if (!LabelBox(view_.plot).touches_circle(at, 1)) return;
        const double reach = static_cast<double>(path_.places.back().radius) + air;
        for (const PointF direction : {PointF{1, 0}, PointF{-1, 0}, PointF{0, -1}, PointF{0, 1}})
            add(at, direction, reach);
    }

    /// The label's edge is `distance` px from `at` in a direction of length 1.
    void add(PointF at, PointF direction, double distance) {
        const double half_width = text_width(label_.text, label_size) / 2;
        const double half_height = (text_ascent + text_descent) * label_size / 2;
        const double reach =
            distance + std::abs(direction.x) * half_width + std::abs(direction.y) * half_height;
        label_.leader_to = at;
        label_.at = {at.x + direction.x * reach,
                     at.y + direction.y * reach + (text_ascent - text_descent) * label_size / 2};
        places_.push_back(label_);
    }

    const ScenePath& path_;
    const View& view_;
    LaidText label_;
    std::vector<LaidText> places_;
};

}  // namespace

void place_path_labels(const Scene& scene, const View& view, Layout& layout, LabelPlacer& placer) {
    const Neighbours neighbours(scene, view, layout);
    for (std::uint32_t i = 0; i < scene.paths.size(); ++i) {
        const ScenePath& path = scene.paths[i];
        if (path.label.empty()) continue;
        std::vector<LaidText> places =
            PathPlaces(path, view, {.size = label_size, .text = path.label, .index = i})
                .all(layout.path_legs);
        std::erase_if(places, [&](const LaidText& place) { return !neighbours.tell_whose(place); });
        const LabelPriority priority = path.selected ? LabelPriority::needed : LabelPriority::extra;
        if (auto placed = placer.place(places, priority)) layout.path_labels.push_back(std::move(*placed));
    }
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
// The labels of paths: each nearer to its own arrow than to that of another kernel.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/chart/layout_paths.h"

namespace roofwalk {

namespace {

constexpr double path_label_size = 11;           // [px]
constexpr double path_air = 4;                   // from an arrow or the rim of a dot to the label [px]
constexpr double nearer = 4;                     // than to anything of another kernel [px]
constexpr std::size_t path_dots_looked_at = 80;  // the largest

/// An arrow, an empty marker or a dot: what a label could be taken to belong to.
struct Mark {
    PointF from;
    PointF to;  ///< of an arrow
    double radius = 0;
    std::uint32_t point = 0;
    bool arrow = false;

    [[nodiscard]] double distance(const LabelBox& box) const {
        return arrow ? box.distance(from, to) : box.distance_to_circle(from, radius);
    }
    [[nodiscard]] bool comes_near(const RectF& area) const {
        return std::max(from.x, to.x) + radius >= area.x && std::min(from.x, to.x) - radius <= area.right() &&
               std::max(from.y, to.y) + radius >= area.y && std::min(from.y, to.y) - radius <= area.bottom();
    }
};

/// All marks of a chart, by kernel and by place.
class Marks {
  public:
    Marks(const Scene& scene, const View& view, const Layout& layout)
        : plot_(view.plot), cells_(side * side) {
        for (const LaidLeg& leg : layout.path_legs)
            add({leg.from, leg.to, 0, scene.paths[leg.index].point, true});
        for (const LaidGhost& ghost : layout.ghosts)
            add({ghost.at, ghost.at, ghost.radius, scene.paths[ghost.index].point});
        const std::size_t count = std::min(scene.dots.size(), path_dots_looked_at);
        for (const Dot& dot : std::span(scene.dots).last(count)) {
            const PointF at = dot_position(dot, view);
            add({at, at, static_cast<double>(dot.radius), dot.point});
        }
    }

    /// Whether a label with a leader is clear of the marks of other kernels, and one without is nearer to
    /// those of its own.
    [[nodiscard]] bool tell_whose(const LaidText& label, std::uint32_t point) const {
        const LabelBox box(label);
        double own = label.leader ? 0 : 1e9;
        if (const auto mine = by_point_.find(point); mine != by_point_.end())
            for (const Mark& mark : mine->second)
                if (own > 0) own = std::min(own, mark.distance(box));
        return none_nearer(box, nearer + own, point);
    }

  private:
    static constexpr std::size_t side = 32;  // cells of the plot, both ways

    void add(const Mark& mark) {
        by_point_[mark.point].push_back(mark);
        const double x = std::min(mark.from.x, mark.to.x) - mark.radius;
        const double y = std::min(mark.from.y, mark.to.y) - mark.radius;
        const RectF bounds{x, y, std::max(mark.from.x, mark.to.x) + mark.radius - x,
                           std::max(mark.from.y, mark.to.y) + mark.radius - y};
        any_cell(bounds, [&](std::size_t cell) {
            cells_[cell].push_back(mark);
            return false;
        });
    }

    [[nodiscard]] bool none_nearer(const LabelBox& box, double distance, std::uint32_t than) const {
        const RectF bounds = box.bounds();
        const RectF area{bounds.x - distance, bounds.y - distance, bounds.width + 2 * distance,
                         bounds.height + 2 * distance};
        return !any_cell(area, [&](std::size_t cell) {
            for (const Mark& mark : cells_[cell])
                if (mark.point != than && mark.comes_near(area) && mark.distance(box) < distance) return true;
            return false;
        });
    }

    /// Whether `found` is true of a cell that an area covers; what is outside the plot is in those at its
    /// sides.
    template <class Found>
    bool any_cell(const RectF& area, const Found& found) const {
        const auto cell = [](double share) {
            return static_cast<std::size_t>(std::clamp(share, 0.0, 0.999) * side);
        };
        const std::size_t right = cell((area.right() - plot_.x) / plot_.width);
        const std::size_t bottom = cell((area.bottom() - plot_.y) / plot_.height);
        for (std::size_t y = cell((area.y - plot_.y) / plot_.height); y <= bottom; ++y)
            for (std::size_t x = cell((area.x - plot_.x) / plot_.width); x <= right; ++x)
                if (found(y * side + x)) return true;
        return false;
    }

    RectF plot_;
    std::vector<std::vector<Mark>> cells_;
    std::unordered_map<std::uint32_t, std::vector<Mark>> by_point_;
};

bool is_in(const RectF& plot, PointF at) {
    return LabelBox(plot).touches_circle(at, 1);
}

/// Where the label of one path may stand.
class PathPlaces {
  public:
    PathPlaces(const ScenePath& path, const View& view, LaidText label)
        : path_(path), view_(view), label_(std::move(label)) {
        label_.anchor = TextAnchor::middle;
    }

    /// The most wanted first, of the arrows of this path.
    std::vector<LaidText> all(std::span<const LaidLeg> legs) {
        constexpr std::array ways{0.0, 14.0, 30.0, 48.0};
        for (const double away : ways) {
            label_.leader = away > 0;
            for (auto leg = legs.rbegin(); leg != legs.rend(); ++leg)
                beside(*leg, away);
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
                    {side * across.x, side * across.y}, path_air + away);
    }

    void around_last_place() {
        const PointF at = place_position(path_.places.back(), view_);
        if (!is_in(view_.plot, at)) return;
        const double reach = static_cast<double>(path_.places.back().radius) + path_air;
        for (const PointF direction : {PointF{1, 0}, PointF{-1, 0}, PointF{0, -1}, PointF{0, 1}})
            add(at, direction, reach);
    }

    /// The label's edge is `distance` px from `at` in a direction of length 1.
    void add(PointF at, PointF direction, double distance) {
        const double half_width = text_width(label_.text, path_label_size) / 2;
        const double half_height = (text_ascent + text_descent) * path_label_size / 2;
        const double reach =
            distance + std::abs(direction.x) * half_width + std::abs(direction.y) * half_height;
        label_.leader_to = at;
        label_.at = {at.x + direction.x * reach,
                     at.y + direction.y * reach + (text_ascent - text_descent) * path_label_size / 2};
        places_.push_back(label_);
    }

    const ScenePath& path_;
    const View& view_;
    LaidText label_;
    std::vector<LaidText> places_;
};

/// From `first` on: the arrows of one path.
std::span<const LaidLeg> legs_of(std::uint32_t path, std::span<const LaidLeg> first) {
    const auto end = std::ranges::find_if(first, [&](const LaidLeg& leg) { return leg.index != path; });
    return first.first(static_cast<std::size_t>(end - first.begin()));
}

}  // namespace

void place_path_labels(const Scene& scene, const View& view, Layout& layout, LabelPlacer& placer) {
    if (std::ranges::all_of(scene.paths, [](const ScenePath& path) { return path.label.empty(); })) return;
    const Marks marks(scene, view, layout);
    std::span<const LaidLeg> left(layout.path_legs);
    for (std::uint32_t i = 0; i < scene.paths.size(); ++i) {
        const ScenePath& path = scene.paths[i];
        const std::span<const LaidLeg> legs = legs_of(i, left);
        left = left.subspan(legs.size());
        const bool seen = !legs.empty() || is_in(view.plot, place_position(path.places.back(), view));
        if (path.label.empty() || !seen) continue;
        ++layout.labelled_paths;
        const LabelPriority priority = path.selected ? LabelPriority::needed : LabelPriority::extra;
        if (!placer.looks_for(priority)) continue;
        std::vector<LaidText> places =
            PathPlaces(path, view, {.size = path_label_size, .text = path.label, .index = i}).all(legs);
        std::erase_if(places, [&](const LaidText& place) { return !marks.tell_whose(place, path.point); });
        if (auto placed = placer.place(places, priority)) layout.path_labels.push_back(std::move(*placed));
    }
}

}  // namespace roofwalk

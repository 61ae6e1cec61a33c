// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/layout/layout_paths.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/chart/layout/layout_labels.h"
#include "core/chart/layout/roof_clip.h"
#include "core/chart/scene/dot_pile.h"

namespace roofwalk {

namespace {

/// Where a place is on the page, inside the plot or not.
PointF place_position(const ScenePath& path, std::size_t step, const View& view) {
    const PathPlace& place = path.places[step];
    return dot_position(
        {.x = place.x, .y = place.y, .radius = place.radius, .level = path.level, .rail = place.rail}, view);
}

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

/// From a place to the next; ends at the marks at the end of the path, which would hide it.
std::optional<PlacedLeg> leg_of(const ScenePath& path, std::uint32_t step, double rim_at_end,
                                const View& view) {
    const PathPlace& before = path.places[step];
    const PathPlace& after = path.places[step + 1];
    const PointF from = place_position(path, step, view);
    const PointF to = place_position(path, step + 1, view);
    // Where a line that is not seen would enter the plot, nothing tells.
    if (after.rail == Rail::edge && !(holds(view.plot, from, 0) && holds(view.plot, to, 0)))
        return std::nullopt;
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    // An empty marker hides nothing: the line starts at the very place, so that short ways can be seen.
    const double start = before.ghost ? 0 : view.marks.of(before.radius) + rim_gap;
    const PointF end = place_position(path, path.places.size() - 1, view);
    const double stop =
        std::min(length - view.marks.of(after.radius) - rim_gap, before_circle(from, to, end, rim_at_end));
    if (stop - start < shortest_leg) return std::nullopt;
    const PointF tip = between(from, to, stop / length);
    const auto line = clip_line(between(from, to, start / length), tip, view.plot);
    if (!line) return std::nullopt;
    return PlacedLeg{.from = line->from, .to = line->to, .has_head = holds(view.plot, tip, 0)};
}

constexpr double path_label_size = 11;  // [px]
constexpr double path_air = 4;          // from an arrow or the rim of a dot to the label [px]
constexpr double led_apart = 14;        // so far from other markers a leader tells whose a label is [px]

bool is_in(const RectF& plot, PointF at) {
    return LabelBox(plot).touches_circle(at, 1);
}

/// Where the label of one path may stand.
class PathPlaces {
  public:
    PathPlaces(const ScenePath& path, const View& view, PlacedText label)
        : path_(path), view_(view), label_(std::move(label)) {
        label_.anchor = TextAnchor::middle;
    }

    /// The most wanted first, of the arrows of this path.
    std::vector<PlacedText> all(std::span<const PlacedLeg> legs) {
        for (const double away : ways) {
            label_.leader = away > 0;
            for (auto leg = legs.rbegin(); leg != legs.rend(); ++leg)
                beside(*leg, away);
            if (away == 0) around(path_.places.size() - 1, 0);
        }
        return std::move(places_);
    }
    /// At an empty marker, and with a leader to it.
    std::vector<PlacedText> at_ghost(std::size_t step) {
        for (const double away : ways) {
            label_.leader = away > 0;
            around(step, away);
        }
        return std::move(places_);
    }

  private:
    static constexpr std::array ways{0.0, 14.0, 30.0, 48.0};

    /// On both sides of the arrow, `away` px and some air from it.
    void beside(const PlacedLeg& leg, double away) {
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

    void around(std::size_t step, double away) {
        const PointF at = place_position(path_, step, view_);
        if (!is_in(view_.plot, at)) return;
        const double reach =
            marker_reach(path_.level) * view_.marks.of(path_.places[step].radius) + path_air + away;
        for (const PointF direction : {PointF{1, 0}, PointF{-1, 0}, PointF{0, -1}, PointF{0, 1}})
            add(at, direction, reach);
        for (const double x : {0.7, -0.7})
            for (const double y : {-0.7, 0.7})
                add(at, {x, y}, reach);
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
    PlacedText label_;
    std::vector<PlacedText> places_;
};

/// Whether the words of another path, of the selection or before it, stand where its own would.
bool is_told(const Scene& scene, std::uint32_t own, const View& view) {
    const ScenePath& path = scene.paths[own];
    const auto is_one = [&](std::size_t step, const ScenePath& other, std::size_t other_step) {
        return are_near(place_position(path, step, view), place_position(other, other_step, view));
    };
    for (std::uint32_t i = 0; !path.selected && i < scene.paths.size(); ++i)
        if (const ScenePath& other = scene.paths[i]; !other.label.empty() && (i < own || other.selected))
            if (is_one(0, other, 0) && is_one(path.places.size() - 1, other, other.places.size() - 1))
                return true;
    return false;
}

/// From `first` on: the arrows of one path.
std::span<const PlacedLeg> legs_of(std::uint32_t path, std::span<const PlacedLeg> first) {
    const auto end = std::ranges::find_if(first, [&](const PlacedLeg& leg) { return leg.index != path; });
    return first.first(static_cast<std::size_t>(end - first.begin()));
}

/// That of its kernel; empty where no mark of it has one.
std::string name_of(const Scene& scene, const ScenePath& path) {
    const auto name = std::ranges::find(scene.names, path.point,
                                        [&](const DotName& one) { return scene.dots[one.dot].point; });
    return name != scene.names.end() ? name->text : path.selected ? "" : path.places.front().name;
}

/// With leaders to the arrows of a path, or the dot that they end at, in one line or two.
std::vector<PlacedText> led_to(const ScenePath& path, std::span<const PlacedLeg> legs, const View& view,
                               PlacedText label, const LabelPlacer& placer) {
    std::vector<LeaderEnd> ends;
    if (const PointF last = place_position(path, path.places.size() - 1, view); is_in(view.plot, last))
        ends.push_back({last, marker_reach(path.level) * view.marks.of(path.places.back().radius)});
    for (const PlacedLeg& leg : legs)
        for (const double share : {0.5, 0.2, 0.8})
            ends.push_back({between(leg.from, leg.to, share)});
    std::vector<PlacedText> places = places_anywhere(placer, view.plot, label, ends, LabelPriority::asked);
    // Where both lines are as short as can be.
    const std::size_t half = label.text.size() / 2;
    const std::size_t after = label.text.find(' ', half);
    const std::size_t before = label.text.rfind(' ', half);
    if (after == std::string::npos && before == std::string::npos) return places;
    label.second =
        1 + (before == std::string::npos || (after != std::string::npos && after - half < half - before)
                 ? after
                 : before);
    std::ranges::move(places_anywhere(placer, view.plot, label, ends, LabelPriority::asked),
                      std::back_inserter(places));
    return places;
}

bool has_few_paths(const Scene& scene) {
    constexpr std::size_t few = 40;
    return scene.paths.size() <= few;
}

/// A path whose words are looked for a place.
struct WordedPath {
    std::uint32_t path = 0;
    std::span<const PlacedLeg> legs;
};

/// Its words, where these have no room those in brief; absent without any.
std::optional<PlacedText> place_path_label(const Scene& scene, const View& view, const WordedPath& one,
                                           LabelPlacer& placer) {
    const ScenePath& path = scene.paths[one.path];
    const bool few = has_few_paths(scene);
    const LabelPriority priority = path.selected ? LabelPriority::needed
                                   : few         ? LabelPriority::asked
                                                 : LabelPriority::extra;
    const auto place = [&](const std::string& words, LabelPriority how_much) {
        const PlacedText label{.size = path_label_size, .text = words, .index = one.path};
        LabelRequest request{PathPlaces(path, view, label).all(one.legs), how_much, path.point};
        request.in_any_crowd = path.selected;
        // Free room before dots are covered.
        if (path.selected || few)
            request.farther.emplace_back([&] { return led_to(path, one.legs, view, label, placer); });
        return placer.place(request);
    };
    const bool brief = few && !path.brief.empty();
    auto placed = place(path.label, brief ? LabelPriority::asked : priority);
    return placed || !brief ? placed : place(path.brief, priority);
}

/// Of a scenario, whose legend says what they are, and whose dots have names too.
bool may_be_left_out(const Scene& scene) {
    return !scene.scenario.empty();
}

/// Empty markers of one path over each other, which no name could tell apart.
struct GhostPile {
    PlacedGhost first;
    std::string names;  ///< of all: "1-naive, 2-tiled"
    std::vector<std::uint32_t> steps;

    [[nodiscard]] bool holds(const PlacedGhost& other) const {
        return other.index == first.index &&
               std::hypot(other.at.x - first.at.x, other.at.y - first.at.y) < first.radius;
    }
};

/// Beside the empty marker and nearer to it than to any other place of its kernel, or with a leader to it
/// that meets no other.
std::optional<PlacedText> place_ghost_name(const Scene& scene, const View& view, const GhostPile& pile,
                                           std::span<const PlacedGhost> ghosts, LabelPlacer& placer) {
    const PlacedGhost& ghost = pile.first;
    const ScenePath& path = scene.paths[ghost.index];
    const PlacedText label{
        .size = path_label_size, .text = pile.names, .index = ghost.index, .step = ghost.step};
    const LabelPriority priority = path.selected            ? LabelPriority::needed
                                   : may_be_left_out(scene) ? LabelPriority::extra
                                                            : LabelPriority::asked;
    LabelRequest request{PathPlaces(path, view, label).at_ghost(ghost.step), priority, path.point};
    const auto is_here = [&](PointF at) { return are_near(at, ghost.at); };
    const auto is_anothers = [&](const PlacedText& place) {
        const LabelBox box(place, text_width(label.text, label.size));
        const double own = box.distance_to_circle(ghost.at, ghost.radius);
        const double apart = place.leader ? std::min(own, led_apart) : own + path_air;
        const PointF start = box.leader_start(place.leader_to);
        const auto leads_into = [&](const PlacedGhost& other) {
            return scene.paths[other.index].point != path.point && !is_here(other.at) &&
                   distance_to_line(other.at, start, place.leader_to) < other.radius;
        };
        if (place.leader && std::ranges::any_of(ghosts, leads_into)) return true;
        return std::ranges::any_of(scene.paths, [&](const ScenePath& other) {
            for (std::size_t i = 0; other.point == path.point && i < other.places.size(); ++i) {
                if (&other == &path && std::ranges::find(pile.steps, i) != pile.steps.end()) continue;
                const PointF at = place_position(other, i, view);
                if (is_here(at)) continue;  // of another level
                const double radius = view.marks.of(other.places[i].radius);
                const double reach = marker_reach(other.level) * radius + rim_gap;
                if (box.distance_to_circle(at, radius) < apart ||
                    (place.leader && distance_to_line(at, start, place.leader_to) < reach))
                    return true;
            }
            return false;
        });
    };
    std::erase_if(request.places, is_anothers);
    for (const double farthest : {60.0, view.plot.width}) {  // over a roof rather than far away [px]
        request.farther = {[&] {
            std::vector<PlacedText> places = places_anywhere(
                placer, view.plot, label, std::array{LeaderEnd{ghost.at, ghost.radius}}, priority, farthest);
            std::erase_if(places, is_anothers);
            if (!places.empty()) places.front().text = label.text;
            return places;
        }};
        if (auto placed = placer.place(request)) return placed;
    }
    return std::nullopt;
}

void place_ghost_names(const Scene& scene, const View& view, Layout& layout, LabelPlacer& placer) {
    constexpr int turns = 2;
    std::vector<GhostPile> ghosts;
    for (const PlacedGhost& ghost : layout.ghosts) {
        const ScenePath& path = scene.paths[ghost.index];
        const PointF last = place_position(path, path.places.size() - 1, view);
        const bool hidden =
            std::hypot(ghost.at.x - last.x, ghost.at.y - last.y) < view.marks.of(path.places.back().radius);
        const std::string& name = path.places[ghost.step].name;
        if (name.empty() || hidden || is_told(scene, ghost.index, view)) continue;
        const auto pile =
            std::ranges::find_if(ghosts, [&](const GhostPile& one) { return one.holds(ghost); });
        if (pile == ghosts.end()) {
            ghosts.push_back({ghost, name, {ghost.step}});
        } else {
            pile->names += ", " + name;
            pile->steps.push_back(ghost.step);
        }
    }
    std::stable_partition(ghosts.begin(), ghosts.end(),
                          [&](const GhostPile& one) { return scene.paths[one.first.index].selected; });
    // One that found no room comes first in the next turn.
    const LabelPlacer::Placed before = placer.placed();
    for (int turn = 1; turn <= turns; ++turn) {
        std::vector<PlacedText> labels;
        std::vector<std::uint32_t> missing;  // first steps
        std::size_t left_out = 0;
        for (const GhostPile& ghost : ghosts) {
            if (auto placed = place_ghost_name(scene, view, ghost, layout.ghosts, placer))
                labels.push_back(*std::move(placed));
            else if (may_be_left_out(scene))
                ++left_out;
            else
                missing.push_back(ghost.first.step);
        }
        if (missing.empty() || turn == turns) {
            layout.labelled_paths += ghosts.size() - left_out;
            std::ranges::move(labels, std::back_inserter(layout.path_labels));
            return;
        }
        placer.go_back(before);
        std::stable_partition(ghosts.begin(), ghosts.end(), [&](const GhostPile& one) {
            return std::ranges::find(missing, one.first.step) != missing.end();
        });
    }
}

}  // namespace

void lay_out_paths(const Scene& scene, const View& view, Layout& layout) {
    for (std::uint32_t i = 0; i < scene.paths.size(); ++i) {
        const ScenePath& path = scene.paths[i];
        const PathPlace& end = path.places.back();
        const double own = view.marks.of(end.radius);
        double rim = rim_of_dot(scene, view, path.point, end.x, own);
        if (rim > own) rim *= marker_reach(MemoryLevel::l2);  // what is around others is no circle
        for (std::uint32_t step = 0; step + 1 < path.places.size(); ++step)
            if (auto leg = leg_of(path, step, rim, view)) {
                leg->index = i;
                leg->step = step;
                layout.path_legs.push_back(*leg);
            }
        for (std::uint32_t step = 0; step < path.places.size(); ++step) {
            const PointF at = place_position(path, step, view);
            const double radius = view.marks.of(path.places[step].radius);
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

// The labels of paths: each nearer to its own arrow than to that of another kernel.

void place_path_labels(const Scene& scene, const View& view, Layout& layout, LabelPlacer& placer) {
    std::vector<WordedPath> worded;
    std::span<const PlacedLeg> left(layout.path_legs);
    for (std::uint32_t i = 0; i < scene.paths.size(); ++i) {
        const ScenePath& path = scene.paths[i];
        const std::span<const PlacedLeg> legs = legs_of(i, left);
        left = left.subspan(legs.size());
        const bool seen =
            !legs.empty() || is_in(view.plot, place_position(path, path.places.size() - 1, view));
        if (!path.label.empty() && seen && !is_told(scene, i, view)) worded.push_back({i, legs});
    }
    layout.labelled_paths += worded.size();
    const LabelPlacer::Placed before = placer.placed();
    std::vector<std::uint32_t> unfit;  // without room for all their words
    const auto place_in = [&](const std::vector<WordedPath>& turn) {
        placer.go_back(before);
        layout.path_labels.clear();
        layout.unlabelled_paths.clear();
        layout.brief_paths.clear();
        unfit.clear();
        for (const WordedPath& one : turn) {
            const ScenePath& path = scene.paths[one.path];
            auto placed = place_path_label(scene, view, one, placer);
            if (!placed || placed->text != path.label) {
                const std::string name = name_of(scene, path);
                unfit.push_back(one.path);
                if (placed || !name.empty())
                    (placed ? layout.brief_paths : layout.unlabelled_paths)
                        .push_back(name + (name.empty() ? "" : " ") + path.label);
            }
            if (placed) layout.path_labels.push_back(*std::move(placed));
        }
        return unfit.size() + turn.size() - layout.path_labels.size();
    };
    // These come first in another turn.
    const std::size_t cost = place_in(worded);
    if (cost > 0 && has_few_paths(scene)) {
        std::vector<WordedPath> turn = worded;
        std::stable_partition(turn.begin(), turn.end(), [&](const WordedPath& one) {
            return std::ranges::find(unfit, one.path) != unfit.end();
        });
        if (place_in(turn) >= cost) place_in(worded);
    }
    place_ghost_names(scene, view, layout, placer);
}

}  // namespace roofwalk

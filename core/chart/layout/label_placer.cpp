// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/layout/label_placer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "core/chart/scene/dot_pile.h"

namespace roofwalk {

namespace {

constexpr int cost_of_a_leader = 1;
constexpr double long_leader = 80;  // each such length costs as much more [px]
constexpr int cost_of_a_line = 2;
constexpr int cost_of_a_roof = 3;
constexpr int cost_of_a_dot = 15;
constexpr int cost_of_a_strike = 8;  // a line along the text makes it unreadable, one across it does not
constexpr int most_for_asked = 2 * cost_of_a_roof;
constexpr int most_for_an_extra = cost_of_a_roof;
constexpr double air_between_words = 6;  // else labels in a row read as one [px]
constexpr double air_to_words = 4;       // of a leader that begins at others [px]
constexpr double rim = 0.5;              // of a mark that a leader may touch [px]
constexpr double air_to_dots = 1.2;      // of a leader to the rims of foreign ones, past both outlines [px]
constexpr double alongside = 9;          // a line so near to both ends of a leader is taken for it [px]
constexpr double at_the_rim = 5;         // a leader that ends this near to a dot ends at it [px]

}  // namespace

void LabelPlacer::add_dot(PointF centre, double radius, std::optional<std::uint32_t> owner,
                          MemoryLevel level) {
    if (owner) centres_[*owner].push_back(centre);
    // Piles of hundreds are looked at as one: each place of each label would look at all of them.
    const auto same = std::ranges::find_if(dots_, [&](const Circle& dot) {
        return !dot.owners.empty() && dot.level == level && dot.radius >= radius - same_place &&
               std::abs(dot.centre.x - centre.x) <= same_place &&
               std::abs(dot.centre.y - centre.y) <= same_place;
    });
    if (owner && same != dots_.end()) {
        same->owners.push_back(*owner);
        return;
    }
    dots_.push_back({centre, radius, level, owner ? std::vector{*owner} : std::vector<std::uint32_t>(),
                     marker_reach(level) * (radius + air_around_dots),
                     marker_corners(level, centre, radius + air_around_dots)});
}

/// Not where the leader ends, which is at its own arrow.
bool LabelPlacer::crosses_within(const Line& line, const Line& leader) {
    return lines_cross(line.from, line.to, leader.from, leader.to) &&
           distance_to_line(leader.to, line.from, line.to) > 1;
}

bool LabelPlacer::free(const LabelBox& box, const RectF& area) const {
    if (!box.inside(area)) return false;
    const LabelBox apart = box.lengthened(air_between_words);
    return std::ranges::none_of(labels_, [&](const LabelBox& label) { return label.overlaps(apart); });
}

bool LabelPlacer::leader_conflicts(const Line& line, const Line& leader) {
    if ((line.strikes || line.is_bar) && crosses_within(line, leader)) return true;
    if (line.strikes) return false;
    const double dx = leader.to.x - leader.from.x;
    const double dy = leader.to.y - leader.from.y;
    return dx * dx + dy * dy > 4 * alongside * alongside &&
           distance_to_line(leader.to, line.from, line.to) < alongside &&
           distance_to_line(leader.from, line.from, line.to) < alongside;
}

bool LabelPlacer::runs_through(const Line& leader, const Circle& dot, double air) {
    constexpr double of_sides = 1.3;  // those of a triangle move less than its radius grows
    const double apart = distance_to_line(dot.centre, leader.from, leader.to);
    if (apart < dot.radius + air) return true;
    const double grown = (dot.radius + of_sides * air) / (dot.radius + air_around_dots);
    if (dot.corners.empty() || apart >= grown * dot.reach) return false;
    const auto moved = [&](PointF corner) {
        return PointF{std::lerp(dot.centre.x, corner.x, grown), std::lerp(dot.centre.y, corner.y, grown)};
    };
    PointF before = moved(dot.corners.back());
    return std::ranges::any_of(dot.corners, [&](PointF corner) {
        const PointF tip = moved(corner);
        return lines_cross(std::exchange(before, tip), tip, leader.from, leader.to);
    });
}

bool LabelPlacer::ends_at_own(const Line& leader, const Circle& dot, std::span<const PointF> centres) {
    if (distance_to_line(dot.centre, leader.to, leader.to) > dot.radius + at_the_rim) return false;
    return dot.owners.empty() || std::ranges::any_of(centres, [&](PointF centre) {
               return distance_to_line(centre, dot.centre, dot.centre) < seen_as_one;
           });
}

std::span<const PointF> LabelPlacer::centres_of(std::optional<std::uint32_t> owner) const {
    const auto centres = owner ? centres_.find(*owner) : centres_.end();
    return centres != centres_.end() ? std::span(centres->second) : std::span<const PointF>();
}

double LabelPlacer::outer_rim(PointF centre, double radius, PointF way) const {
    for (const Circle& dot : dots_) {
        const PointF to{dot.centre.x - centre.x, dot.centre.y - centre.y};
        const double square = to.x * to.x + to.y * to.y;
        if (square >= seen_as_one * seen_as_one || square > dot.radius * dot.radius) continue;
        const double along = to.x * way.x + to.y * way.y;
        radius = std::max(radius, along + std::sqrt(dot.radius * dot.radius - square + along * along));
    }
    return radius;
}

bool LabelPlacer::leads(const Line& leader, std::optional<std::uint32_t> owner,
                        LabelPriority priority) const {
    const auto [low_x, high_x] = std::minmax({leader.from.x, leader.to.x});
    const auto [low_y, high_y] = std::minmax({leader.from.y, leader.to.y});
    const PointF low{low_x, low_y};
    const PointF high{high_x, high_y};
    const auto is_near = [&](PointF a, PointF b, double apart) {  // most are not, and the rest takes long
        return std::max(a.x, b.x) + apart >= low.x && std::min(a.x, b.x) - apart <= high.x &&
               std::max(a.y, b.y) + apart >= low.y && std::min(a.y, b.y) - apart <= high.y;
    };
    const std::span<const PointF> own = centres_of(owner);
    return std::ranges::none_of(labels_,
                                [&](const LabelBox& label) {
                                    return label.crosses(leader.from, leader.to) ||
                                           label.touches_circle(leader.from, air_to_words);
                                }) &&
           std::ranges::none_of(lines_,
                                [&](const Line& line) {
                                    return is_near(line.from, line.to, alongside) &&
                                           leader_conflicts(line, leader);
                                }) &&
           std::ranges::none_of(dots_, [&](const Circle& dot) {
               if (!is_near(dot.centre, dot.centre, dot.reach + 2 * air_to_dots)) return false;
               const bool may_touch = owner && priority == LabelPriority::needed;
               const bool keeps_off = !may_touch && !dot.owners.empty() &&
                                      (!owner || std::ranges::find(dot.owners, *owner) == dot.owners.end());
               return runs_through(leader, dot, keeps_off ? air_to_dots : -rim) &&
                      !ends_at_own(leader, dot, own);
           });
}

bool LabelPlacer::covers(const LabelBox& box, const Circle& dot) {
    const bool near = box.touches_circle(dot.centre, dot.reach);
    if (!near || dot.corners.empty()) return near;
    PointF before = dot.corners.back();
    return std::ranges::any_of(
               dot.corners,
               [&](PointF corner) { return box.crosses(std::exchange(before, corner), corner); }) ||
           box.touches_circle(dot.centre, 0.75 * dot.radius);
}

int LabelPlacer::cost(const LabelBox& box, int enough) const {
    int sum = 0;
    for (const Line& line : lines_) {
        if (sum >= enough) return sum;
        if (box.crosses(line.from, line.to))
            sum += line.strikes || box.runs_along(line.from, line.to) ? cost_of_a_strike
                   : line.is_roof                                     ? cost_of_a_roof
                                                                      : cost_of_a_line;
    }
    for (const Circle& dot : dots_) {
        if (sum >= enough) return sum;
        if (covers(box, dot)) sum += cost_of_a_dot;
    }
    return sum;
}

int LabelPlacer::too_much(LabelPriority priority) {
    return EnumArray<LabelPriority, int, 4>{std::numeric_limits<int>::max(), cost_of_a_dot,
                                            most_for_asked + 1, most_for_an_extra + 1}[priority];
}

LabelPlacer::Best LabelPlacer::best_of(const LabelRequest& request, const std::vector<PlacedText>& places,
                                       Best than) const {
    if (places.empty()) return than;
    const int limit = too_much(request.priority);
    const RectF area = request.area.value_or(plot_);
    const bool owned = request.owner && !request.in_any_crowd;
    const double width = text_width(places.front().text, places.front().size);
    double of_two_lines = 0;
    Best best = than;
    for (const PlacedText& place : places) {
        if (place.second > 0 && of_two_lines == 0) {
            PlacedText broken = places.front();
            broken.second = place.second;
            of_two_lines = width_of(broken);
        }
        int leader = place.leader ? cost_of_a_leader : 0;
        if (best.cost <= leader) continue;
        const LabelBox box(place, place.second > 0 ? of_two_lines : width);
        const Line line{box.leader_start(place.leader_to), place.leader_to};
        leader *=
            1 + static_cast<int>(std::hypot(line.to.x - line.from.x, line.to.y - line.from.y) / long_leader);
        if (best.cost <= leader || !free(box, area)) continue;
        if (place.leader && !leads(line, request.owner, request.priority)) continue;
        const int enough = std::min(limit, best.cost - leader);
        const int covered = cost(box, enough);
        if (covered >= enough) continue;
        if (owned && !owners_->is_nearest_to_own(place, box, *request.owner)) continue;
        best = {&place, covered + leader};
        if (best.cost == 0) break;
    }
    return best;
}

std::optional<PlacedText> LabelPlacer::place(const LabelRequest& request) {
    const LabelPriority priority = request.priority;
    if (!looks_for(priority)) return std::nullopt;
    if (priority > LabelPriority::clear) ++extras_;
    std::vector<std::vector<PlacedText>> lists;  // those after the first farther away
    lists.reserve(1 + request.farther.size());
    lists.push_back(request.places);
    Best best = best_of(request, lists.front(), {});
    const bool owned = request.owner && !request.in_any_crowd;
    if (best.cost >= (owned ? cost_of_a_line : cost_of_a_dot))
        for (const auto& farther : request.farther)
            if (best.cost > cost_of_a_leader) best = best_of(request, lists.emplace_back(farther()), best);
    if (!best.place) return std::nullopt;
    std::optional<PlacedText> placed = *best.place;
    placed->text = std::ranges::find_if_not(lists, &std::vector<PlacedText>::empty)->front().text;
    add_label(*placed);
    placed->covers = cost(labels_.back(), 1) > 0;
    if (placed->leader) {
        const PointF start = labels_.back().leader_start(placed->leader_to);
        add_arrow(start, placed->leader_to);
        reserve({start.x - air_to_words, start.y - air_to_words, 2 * air_to_words, 2 * air_to_words});
    }
    return placed;
}

void LabelPlacer::go_back(const Placed& before) {
    lines_.erase(lines_.begin() + static_cast<std::ptrdiff_t>(before.lines), lines_.end());
    labels_.erase(labels_.begin() + static_cast<std::ptrdiff_t>(before.labels), labels_.end());
    extras_ = before.extras;
}

}  // namespace roofwalk

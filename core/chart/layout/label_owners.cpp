// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/layout/label_owners.h"

#include <algorithm>
#include <limits>

#include "core/chart/scene/dot_pile.h"
#include "core/chart/scene/nested_dots.h"
#include "core/chart/scene/scene.h"

namespace roofwalk {

namespace {

constexpr double nearer = 4;     // than to anything of another kernel [px]
constexpr double reads_on = 12;  // more, before or behind a dot in the row of the words [px]
constexpr std::size_t owner_dots_looked_at = 1000;  // the largest

}  // namespace

bool LabelOwners::Mark::stands_for(const Mark& other) const {
    return arrow == other.arrow && radius >= other.radius - same_place &&
           are_near(from, other.from, same_place) && are_near(to, other.to, same_place);
}

bool LabelOwners::Mark::comes_near(const RectF& area) const {
    return std::max(from.x, to.x) + radius >= area.x && std::min(from.x, to.x) - radius <= area.right() &&
           std::max(from.y, to.y) + radius >= area.y && std::min(from.y, to.y) - radius <= area.bottom();
}

LabelOwners::LabelOwners(const Scene& scene, const View& view, const Layout& layout)
    : plot_(view.plot), cells_(side * side) {
    add_paths(scene, layout);
    for (const PlacedLine& gap : layout.gaps)
        add_arrow(gap, scene.gaps[gap.index].point);
    for (const PlacedLine& target : layout.targets)
        add_arrow(target, scene.targets[target.index].point);
    for (const PlacedLine& join : layout.joins)
        add_arrow(join, scene.joins[join.index].point);
    add_dots(scene, view);
}

void LabelOwners::add_paths(const Scene& scene, const Layout& layout) {
    for (const PlacedLeg& leg : layout.path_legs)
        add({leg.from, leg.to, 0, scene.paths[leg.index].point, true});
    for (const PlacedGhost& ghost : layout.ghosts)
        add({ghost.at, ghost.at, ghost.radius, scene.paths[ghost.index].point});
}

void LabelOwners::add_dots(const Scene& scene, const View& view) {
    const auto add_dot = [&](std::size_t i) {
        const PointF at = dot_position(scene.dots[i], view);
        const double radius = painted_radius(scene.dots, static_cast<std::uint32_t>(i), view);
        add({at, at, radius, scene.dots[i].point});
    };
    const std::size_t count = scene.dots.size();
    const std::size_t first = count - std::min(count, owner_dots_looked_at);
    for (std::size_t i = first; i < count; ++i)
        add_dot(i);
    for (const DotName& name : scene.names)
        for (std::size_t i = name.dot; i < first && scene.dots[i].point == scene.dots[name.dot].point; ++i)
            add_dot(i);
}

/// Words that begin at the height of a dot are read as its name.
bool LabelOwners::Mark::in_row_of(const RectF& words) const {
    return !arrow && from.y >= words.y && from.y <= words.bottom();
}

bool LabelOwners::is_nearest_to_own(const PlacedText& label, const LabelBox& box, std::uint32_t point) const {
    double own = std::numeric_limits<double>::max() / 4;
    bool in_own_row = label.leader || label.angle != 0;
    for (const Mark& mark : marks_of(point)) {
        own = std::min(own, mark.distance(box));
        in_own_row = in_own_row || mark.in_row_of(box.bounds());
    }
    const double to_dots = label.leader ? std::max(nearer, own) : nearer + own;
    return none_nearer(box, to_dots, label.leader ? nearer : to_dots, in_own_row ? 0 : reads_on, point);
}

void LabelOwners::add(const Mark& mark) {
    by_point_[mark.point].push_back(mark);
    const double x = std::min(mark.from.x, mark.to.x) - mark.radius;
    const double y = std::min(mark.from.y, mark.to.y) - mark.radius;
    const RectF bounds{x, y, std::max(mark.from.x, mark.to.x) + mark.radius - x,
                       std::max(mark.from.y, mark.to.y) + mark.radius - y};
    any_cell(bounds, [&](std::size_t cell) {
        if (std::ranges::none_of(cells_[cell], [&](const Mark& other) { return other.stands_for(mark); }))
            cells_[cell].push_back(mark);
        return false;
    });
}

std::span<const LabelOwners::Mark> LabelOwners::marks_of(std::uint32_t point) const {
    const auto marks = by_point_.find(point);
    return marks != by_point_.end() ? std::span(marks->second) : std::span<const Mark>();
}

bool LabelOwners::is_at_one_of(std::span<const Mark> own, const Mark& mark) {
    return std::ranges::any_of(own, [&](const Mark& other) {
        return other.arrow == mark.arrow && are_near(other.from, mark.from) && are_near(other.to, mark.to);
    });
}

bool LabelOwners::none_nearer(const LabelBox& box, double distance, double to_arrows, double more_in_row,
                              std::uint32_t than) const {
    const RectF bounds = box.bounds();
    const double beside = distance + more_in_row;
    const RectF area{bounds.x - beside, bounds.y - distance, bounds.width + 2 * beside,
                     bounds.height + 2 * distance};
    const std::span<const Mark> own = marks_of(than);
    return !any_cell(area, [&](std::size_t cell) {
        return std::ranges::any_of(cells_[cell], [&](const Mark& mark) {
            return mark.point != than && mark.comes_near(area) &&
                   mark.distance(box) < (mark.arrow               ? to_arrows
                                         : mark.in_row_of(bounds) ? beside
                                                                  : distance) &&
                   !is_at_one_of(own, mark);
        });
    });
}

template <class Found>
bool LabelOwners::any_cell(const RectF& area, const Found& found) const {
    const auto cell = [](double share) {  // the first for what is no number
        return static_cast<std::size_t>(std::min(0.999, std::max(0.0, share)) * side);
    };
    const std::size_t right = cell((area.right() - plot_.x) / plot_.width);
    const std::size_t bottom = cell((area.bottom() - plot_.y) / plot_.height);
    for (std::size_t y = cell((area.y - plot_.y) / plot_.height); y <= bottom; ++y)
        for (std::size_t x = cell((area.x - plot_.x) / plot_.width); x <= right; ++x)
            if (found(y * side + x)) return true;
    return false;
}

}  // namespace roofwalk

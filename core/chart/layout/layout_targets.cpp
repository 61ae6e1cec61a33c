// SPDX-License-Identifier: GPL-3.0-or-later
// The horizontal gap: arrow, useful part, target tick and their labels.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/text.h"
#include "core/chart/layout/layout_labels.h"
#include "core/chart/layout/roof_clip.h"
#include "core/chart/scene/dot_pile.h"
#include "core/chart/scene/nested_dots.h"

namespace roofwalk {

namespace {

constexpr double half_tick = 7;           // of the target tick [px]
constexpr double target_label_size = 11;  // [px]
constexpr double tick_label_size = 10;
constexpr double target_air = 4;  // between a label and its line [px]

/// From a mark to its label [px].
constexpr std::array distances{0.0, 14.0, 28.0, 42.0};

/// From the dot towards the target, whichever side that is on.
std::optional<PlacedLine> towards(const TargetMark& mark, double from, double to, const View& view) {
    auto line = clip_horizontal(mark.y, std::min(from, to), std::max(from, to), view);
    if (line && to < from) std::swap(line->from, line->to);
    return line;
}

void add(std::vector<PlacedLine>& lines, std::optional<PlacedLine> line, std::uint32_t index) {
    if (!line) return;
    line->index = index;
    lines.push_back(*line);
}

/// Above and below the arrow, then farther away, with a leader.
std::vector<PlacedText> places_along(const PlacedLine& line, PlacedText label) {
    struct ArrowShare {
        double share = 0.5;  // of the arrow's length
        TextAnchor anchor = TextAnchor::middle;
    };
    // At its ends a label longer than the arrow stands clear of the sides of the plot.
    const bool leftwards = line.to.x < line.from.x;
    const std::array where{ArrowShare{0.5},
                           ArrowShare{0.35},
                           ArrowShare{0.65},
                           ArrowShare{0.2},
                           ArrowShare{0.8},
                           ArrowShare{0, leftwards ? TextAnchor::end : TextAnchor::start},
                           ArrowShare{1, leftwards ? TextAnchor::start : TextAnchor::end}};
    std::vector<PlacedText> places;
    for (const double away : distances)
        for (const auto& [share, anchor] : where) {
            const double x = line.from.x + (line.to.x - line.from.x) * share;
            label.anchor = anchor;
            label.leader = away > 0;
            label.leader_to = {x, line.from.y};
            for (const double y : {-target_air - away, target_air + away + text_ascent * label.size}) {
                label.at = {x, line.from.y + y};
                places.push_back(label);
            }
        }
    return places;
}

/// From the middle of a tick to the rim of the dot, or its ring, that hides it; 0: none does.
double rim_at(const Scene& scene, const View& view, const TargetMark& mark, PointF tick) {
    constexpr double ring = 4;  // [px]
    double rim = 0;
    for (std::uint32_t i = 0; scene.dots.size() <= dots_tried_again && i < scene.dots.size(); ++i) {
        const PointF at = dot_position(scene.dots[i], view);
        const double radius = marker_reach(scene.dots[i].level) * painted_radius(scene.dots, i, view) + ring;
        if (scene.dots[i].point == mark.point && std::hypot(at.x - tick.x, at.y - tick.y) < radius)
            rim = std::max(rim, radius + std::abs(at.x - tick.x));
    }
    return rim;
}

/// Beyond the tick, above it, below it, then farther away, with a leader; clear of the dot that hides it.
std::vector<PlacedText> places_at(const PlacedLine& tick, double rim, bool leftwards, PlacedText label) {
    std::vector<PlacedText> places;
    const PointF centre{tick.from.x, (tick.from.y + tick.to.y) / 2};
    const double half = std::max(rim, half_tick);
    const double side = leftwards ? -1 : 1;
    const double drop = second_line_drop(label);
    for (const double away : distances) {
        label.leader = away > 0;
        label.anchor = leftwards ? TextAnchor::end : TextAnchor::start;
        label.leader_to = {centre.x + side * rim, centre.y};
        label.at = {centre.x + side * (rim + target_air + away),
                    centre.y + (text_ascent - text_descent) * label.size / 2 - drop / 10};
        places.push_back(label);
        for (const TextAnchor anchor : {TextAnchor::middle, TextAnchor::end, TextAnchor::start})
            for (const bool above : {true, false}) {
                label.anchor = anchor;
                label.leader_to = {centre.x, centre.y + (above ? -half : half)};
                label.at = {centre.x,
                            label.leader_to.y + (above ? -target_air - away - drop
                                                       : target_air + away + text_ascent * label.size)};
                places.push_back(label);
            }
    }
    return places;
}

}  // namespace

void lay_out_targets(const Scene& scene, const View& view, Layout& layout) {
    const LogAxis x_axis(view.x, view.plot.x, view.plot.right());
    const LogAxis y_axis(view.y, view.plot.bottom(), view.plot.y);
    for (std::uint32_t i = 0; i < scene.targets.size(); ++i) {
        const TargetMark& mark = scene.targets[i];
        auto line = towards(mark, mark.from, mark.to, view);
        if (line) line->cut = !view.x.holds(mark.to);
        add(layout.targets, line, i);
        if (mark.to > mark.from) add(layout.useful_parts, towards(mark, mark.from, mark.useful_to, view), i);
        if (!view.x.holds(mark.to) || !view.y.holds(mark.y)) continue;
        const PointF at{x_axis.to_pixel(mark.to), y_axis.to_pixel(mark.y)};
        layout.target_ticks.push_back({{at.x, at.y + half_tick}, {at.x, at.y - half_tick}, i});
    }
}

void place_target_labels(const Scene& scene, Layout& layout, LabelPlacer& placer, bool selected) {
    const LabelPriority priority = selected ? LabelPriority::needed : LabelPriority::asked;
    for (const PlacedLine& line : layout.targets) {
        const TargetMark& mark = scene.targets[line.index];
        if (mark.selected != selected) continue;
        ++layout.worded_gaps;
        if (!placer.looks_for(priority)) continue;
        const PlacedText label{
            .size = target_label_size,
            .text = figure_text(mark.whose, {}, mark.label) + (line.cut ? ", beyond this view" : ""),
            .index = line.index};
        if (auto placed = placer.place({places_along(line, label), priority, mark.point}))
            layout.target_labels.push_back(std::move(*placed));
    }
}

void place_target_tick_labels(const Scene& scene, const View& view, Layout& layout, LabelPlacer& placer,
                              bool selected) {
    const LabelPriority priority = selected ? LabelPriority::needed : LabelPriority::asked;
    for (auto tick = layout.target_ticks.begin(); tick != layout.target_ticks.end(); ++tick) {
        const TargetMark& mark = scene.targets[tick->index];
        if (mark.selected != selected) continue;
        const bool looks = placer.looks_for(priority);
        const auto tells_it = [&](const PlacedLine& other) {
            return scene.targets[other.index].tick_label == mark.tick_label && are_near(other.to, tick->to);
        };
        if (looks && !selected && std::any_of(layout.target_ticks.begin(), tick, tells_it)) continue;
        ++layout.worded_ticks;
        if (!looks) continue;
        const PlacedText label{.size = tick_label_size, .text = mark.tick_label, .index = tick->index};
        const PointF centre{tick->to.x, (tick->from.y + tick->to.y) / 2};
        const double rim = rim_at(scene, view, mark, centre);
        const std::vector<PlacedText> places = places_at(*tick, rim, mark.to < mark.from, label);
        LabelRequest request{places, selected ? LabelPriority::clear : priority, mark.point};
        if (const std::size_t space = label.text.find(' '); space != std::string::npos)
            request.farther.emplace_back([&, space] {
                PlacedText broken = label;
                broken.second = space + 1;
                return places_at(*tick, rim, mark.to < mark.from, broken);
            });
        if (selected)
            request.farther.emplace_back([&] {
                return places_anywhere(placer, view.plot, label,
                                       std::array{LeaderEnd{rim > 0 ? centre : tick->to, rim}},
                                       LabelPriority::clear);
            });
        auto placed = placer.place(request);
        if (!placed && selected) placed = placer.place({places, priority});
        if (placed)
            layout.target_tick_labels.push_back(*std::move(placed));
        else
            layout.unlabelled_ticks.push_back(mark.tick_label + " at " +
                                              format(Intensity(mark.to), scene.unit + "/byte"));
    }
}

}  // namespace roofwalk

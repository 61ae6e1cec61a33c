// SPDX-License-Identifier: GPL-3.0-or-later
// Where operations usually stand, and the labels of the shaded areas: on either side of the ridge, upright
// where an area is narrow.
#include <algorithm>

#include "core/chart/layout/layout_labels.h"
#include "core/chart/layout/log_axis.h"

namespace roofwalk {

namespace {

constexpr double zone_label_size = 10;   // [px]
constexpr double zone_air = 6;           // from the ridge and from the foot of the plot [px]
constexpr double ranges_foot = 44;       // above the words of zones and ridges [px]
constexpr double range_row = 15;         // [px]
constexpr double bar_height = 4;         // of what is seen of it [px]
constexpr double ranges_inset = 4;       // where the placer has room: not at the sides of the plot [px]
constexpr double zone_line_height = 14;  // [px]
constexpr int lines = 14;
constexpr double step = 60;  // away from the ridge [px]
constexpr int steps = 5;

/// `area` is convex, its corners are in order.
bool holds(const std::vector<PointF>& area, PointF point) {
    bool left = false;
    bool right = false;
    for (std::size_t i = 0; i < area.size(); ++i) {
        const PointF& a = area[i];
        const PointF& b = area[(i + 1) % area.size()];
        const double turn = (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x);
        left = left || turn < 0;
        right = right || turn > 0;
    }
    return !(left && right);
}

/// Nearest to the foot of the ridge first.
std::vector<PlacedText> places_in(const std::vector<PointF>& area, PointF foot, bool leftwards,
                                  PlacedText label) {
    std::vector<PlacedText> places;
    const double away = leftwards ? -1 : 1;
    const auto add = [&](double x, double y) {
        label.at = {x, y};
        if (std::ranges::all_of(LabelBox(label).corners(),
                                [&](PointF corner) { return holds(area, corner); }))
            places.push_back(label);
    };
    for (const double angle : {0.0, 90.0})
        for (int i = 0; i < steps; ++i)
            for (int line = 0; line < lines; ++line) {
                label.angle = angle;
                label.anchor = angle == 0 && leftwards ? TextAnchor::end : TextAnchor::start;
                const double beside = angle == 0  ? zone_air
                                      : leftwards ? zone_air + text_descent * zone_label_size
                                                  : zone_air + text_ascent * zone_label_size;
                add(foot.x + away * (beside + i * step), foot.y - zone_air - line * zone_line_height);
            }
    return places;
}

/// Those where the words may stand.
std::vector<PlacedText> places_of(const std::vector<PointF>& area, bool leftwards, const char* words,
                                  const LabelPlacer& placer) {
    if (area.size() < 3) return {};
    PointF foot = area.front();
    for (const PointF& corner : area) {
        foot.x = leftwards ? std::max(foot.x, corner.x) : std::min(foot.x, corner.x);
        foot.y = std::max(foot.y, corner.y);
    }
    auto places = places_in(area, foot, leftwards, {.size = zone_label_size, .text = words});
    std::erase_if(places, [&](const PlacedText& label) {
        return !placer.may_stand(LabelBox(label), LabelPriority::extra);
    });
    return places;
}

/// Those of them that others are level with, else all.
std::vector<PlacedText> level_with(const std::vector<PlacedText>& others,
                                   const std::vector<PlacedText>& places) {
    std::vector<PlacedText> level;
    for (const PlacedText& one : places)
        if (std::ranges::any_of(others, [&](const PlacedText& other) {
                return one.at.y == other.at.y && one.angle == other.angle;
            }))
            level.push_back(one);
    return level.empty() ? places : level;
}

}  // namespace

double place_ranges_below(const Scene& scene, const View& view, Layout& layout) {
    const LogAxis axis(view.x, view.plot.x, view.plot.right());
    std::vector<std::vector<Range>> rows;
    for (std::uint32_t i = 0; i < scene.operation_ranges.size(); ++i) {
        const OperationRange& range = scene.operation_ranges[i];
        const double from = std::max(axis.to_pixel(range.x.lo), view.plot.x);
        const double to = std::min(axis.to_pixel(range.x.hi), view.plot.right());
        if (to - from < 1) continue;
        ++layout.seen_ranges;
        PlacedText label{.size = zone_label_size, .text = range.name, .index = i};
        const double beside = zone_air + text_width(label.text, label.size);
        Range taken{from, to + beside};
        label.at.x = to + zone_air;
        if (taken.hi > view.ranges.right()) {
            // Before the bar, else in a gap of it that leaves a piece on either side.
            const bool before = from - beside >= view.ranges.x;
            if (!before && to - from < beside + 2 * zone_air) continue;
            taken = {before ? from - beside : from, to};
            label.at.x = before ? from - zone_air : (from + to) / 2;
            label.anchor = before ? TextAnchor::end : TextAnchor::middle;
        }
        auto row = std::ranges::find_if(rows, [&](const std::vector<Range>& others) {
            return std::ranges::all_of(others, [&](const Range& other) {
                return taken.lo >= other.hi + 2 * zone_air || taken.hi + 2 * zone_air <= other.lo;
            });
        });
        if (row == rows.end()) row = rows.insert(row, std::vector<Range>());
        row->push_back(taken);
        const double y = view.ranges.y + (static_cast<double>(row - rows.begin()) + 0.5) * range_row;
        label.at.y = y + (text_ascent - text_descent) * label.size / 2;
        const bool upon = label.anchor == TextAnchor::middle;
        layout.operation_ranges.push_back({{from, y}, {upon ? label.at.x - beside / 2 : to, y}, i});
        if (upon) layout.operation_ranges.push_back({{label.at.x + beside / 2, y}, {to, y}, i});
        layout.operation_range_labels.push_back(std::move(label));
    }
    return rows.empty() ? 0 : static_cast<double>(rows.size()) * range_row + zone_air;
}

void place_operation_ranges(const Scene& scene, const View& view, Layout& layout, LabelPlacer& placer) {
    // A frame of many dots has no time for each of them.
    if (scene.operation_ranges.empty()) return;
    if (view.ranges.height > 0) {
        place_ranges_below(scene, view, layout);
        return;
    }
    const LogAxis axis(view.x, view.plot.x, view.plot.right());
    const auto seen = [&](double x) {
        return std::clamp(axis.to_pixel(x), view.plot.x + ranges_inset, view.plot.right() - ranges_inset);
    };
    const double foot = view.plot.bottom() - ranges_foot;
    constexpr int few = 7;                                // where some must stand between dots
    double highest = view.plot.y + view.plot.height / 3;  // what is above is of the kernels
    const Dot* slowest = nullptr;
    for (const Dot& dot : scene.dots)
        if (dot.rail == Rail::none && (slowest == nullptr || dot.y < slowest->y)) slowest = &dot;
    double lowest = slowest ? dot_position(*slowest, view).y : 0;  // of the dots
    for (const PlacedGhost& ghost : layout.ghosts)
        lowest = std::max(lowest, ghost.at.y);
    if (lowest <= foot - (few + 1) * range_row) highest = std::max(highest, lowest + range_row);
    const bool low = view.plot.height < 220;  // [px]: of a figure of 70 mm few would be left
    std::vector<double> rows;
    for (double y = foot; y >= highest; y -= range_row)
        rows.push_back(y);
    for (double y = foot + range_row; y < view.plot.bottom() - range_row / 2; y += range_row)
        rows.push_back(y);
    for (std::uint32_t i = 0; i < scene.operation_ranges.size(); ++i) {
        const OperationRange& range = scene.operation_ranges[i];
        const double from = seen(range.x.lo);
        const double to = seen(range.x.hi);
        if (to - from < 1) continue;
        ++layout.seen_ranges;
        for (const double row : rows) {
            const RectF bar{from, row - range_row / 2, to - from, range_row};
            const RectF drawn{from, row - bar_height / 2, to - from, bar_height};
            if (!placer.has_room(bar) || (!low && placer.is_over_dots(LabelBox(drawn)))) continue;
            PlacedText label{.size = zone_label_size, .text = range.name, .index = i};
            label.at = {to + zone_air, row + (text_ascent - text_descent) * label.size / 2};
            PlacedText before = label;
            before.at.x = from - zone_air;
            before.anchor = TextAnchor::end;
            auto placed = placer.place({{label, before}, LabelPriority::extra});
            if (!placed) continue;
            // No other bar of the row is taken for that of the name.
            placer.reserve({from - 2 * zone_air, bar.y, bar.width + 4 * zone_air, bar.height});
            layout.operation_ranges.push_back({{from, row}, {to, row}, i});
            layout.operation_range_labels.push_back(*std::move(placed));
            break;
        }
    }
}

void place_zone_labels(Layout& layout, LabelPlacer& placer) {
    std::vector<PlacedText> left = places_of(layout.memory_zone, true, "memory side", placer);
    std::vector<PlacedText> right = places_of(layout.compute_zone, false, "compute side", placer);
    left = level_with(right, left);
    for (const std::vector<PlacedText>* places : {&left, &right})
        if (auto placed = places->empty() ? std::nullopt : placer.place({*places})) {
            right = level_with({*placed}, right);
            layout.zone_labels.push_back(*std::move(placed));
        }
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
// What is selected in a document, and what the filter leaves of it.
#include <algorithm>
#include <iterator>

#include "ui/workspace/document.h"
#include "ui/workspace/selected_points.h"

namespace roofwalk {

const KernelPoint* Document::selected_point() const {
    if (!picture_.analysis || !scene_options_.selected) return nullptr;
    return &picture_.analysis->points[*scene_options_.selected];
}

std::optional<std::uint32_t> Document::drawn_selection() const {
    if (!picture_.analysis) return std::nullopt;
    return roofwalk::drawn_selection(*picture_.analysis, scene_options_, picture_.matches);
}

std::vector<std::uint32_t> Document::selected_points() const {
    std::vector<std::uint32_t> points = scene_options_.also_selected;
    if (scene_options_.selected) points.push_back(*scene_options_.selected);
    std::ranges::sort(points);
    return points;
}

void Document::select(std::optional<std::uint32_t> point) {
    select_points(point ? std::vector{*point} : std::vector<std::uint32_t>(), point);
}

void Document::select_points(const std::vector<std::uint32_t>& points,
                             std::optional<std::uint32_t> foremost) {
    if (empty()) return;
    const SceneOptions before = scene_options_;
    put_selection(points, foremost);
    if (same_selection(before, scene_options_)) return;
    emit selection_changed();
    build_scene_again();
}

void Document::put_selection(const std::vector<std::uint32_t>& points,
                             std::optional<std::uint32_t> foremost) {
    std::vector<bool> wanted(picture_.by_time.size());
    for (const std::uint32_t point : points)
        wanted[point] = true;
    if (!foremost || !wanted[*foremost]) {
        const auto longest =
            std::ranges::find_if(picture_.by_time, [&](std::uint32_t point) { return wanted[point]; });
        foremost = longest != picture_.by_time.end() ? std::optional(*longest) : std::nullopt;
    }
    scene_options_.selected = foremost;
    scene_options_.also_selected.clear();
    for (std::uint32_t point = 0; point < wanted.size(); ++point)
        if (wanted[point] && point != foremost) scene_options_.also_selected.push_back(point);
}

void Document::toggle(std::uint32_t point) {
    std::vector<std::uint32_t> points = selected_points();
    if (std::erase(points, point) > 0) return select_points(points, scene_options_.selected);
    points.push_back(point);
    select_points(points, point);
}

void Document::select_by_time(int step) {
    const std::vector<std::uint32_t> order = matching_by_time();
    if (order.empty()) return;
    const auto count = static_cast<std::ptrdiff_t>(order.size());
    const auto here =
        scene_options_.selected ? std::ranges::find(order, *scene_options_.selected) : order.end();
    const std::ptrdiff_t from = here != order.end() ? here - order.begin() : (step > 0 ? -1 : 0);
    select(order[static_cast<std::size_t>((from + step + count) % count)]);
}

bool Document::matches(std::uint32_t point) const {
    return picture_.matches.empty() || picture_.matches[point];
}

std::vector<std::uint32_t> Document::matching_by_time() const {
    std::vector<std::uint32_t> order;
    order.reserve(picture_.by_time.size());
    std::ranges::copy_if(picture_.by_time, std::back_inserter(order),
                         [this](std::uint32_t point) { return matches(point); });
    return order;
}

}  // namespace roofwalk

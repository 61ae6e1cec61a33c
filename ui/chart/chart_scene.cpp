// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/chart_scene.h"

#include <algorithm>
#include <utility>

namespace roofwalk {

SelectedDots::SelectedDots(const Scene& scene, const DotField& field) {
    const SceneOptions& options = scene.options;
    if (!options.selected && options.also_selected.empty()) return;
    std::uint32_t points = 0;
    for (const Dot& dot : scene.dots)
        points = std::max(points, dot.point + 1);
    by_point_.resize(points);
    for (const std::uint32_t point : options.also_selected)
        if (point < points) by_point_[point] = true;
    if (options.selected && *options.selected < points) by_point_[*options.selected] = true;
    for (auto i = static_cast<std::uint32_t>(scene.dots.size()); i-- > 0;)
        if (by_point_[scene.dots[i].point]) dots_.push_back(i);
    if (!options.selected) return;
    const auto foremost = field.dots_of(*options.selected);
    foremost_.assign(foremost.begin(), foremost.end());
    others_are_dimmed_ = !foremost_.empty();
}

std::vector<std::uint32_t> SelectedDots::largest_in(const DotPlaces& places, std::size_t most) const {
    std::vector<std::uint32_t> seen = foremost_;
    for (const std::uint32_t dot : dots_) {
        if (seen.size() >= most) break;
        if (places.anywhere(dot, dot_reach)) seen.push_back(dot);
    }
    std::ranges::sort(seen);
    seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
    return seen;
}

ChartScene::ChartScene(std::shared_ptr<const Scene> scene) : scene_(std::move(scene)) {
    if (!scene_) return;
    DotField field(*scene_);
    SelectedDots selected(*scene_, field);
    parts_ =
        std::make_shared<const Parts>(Parts{std::move(field), DotIndex(scene_->dots), std::move(selected)});
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/dot_field.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace roofwalk {

DotField::DotField(const Scene& scene) {
    log_x_.reserve(scene.dots.size());
    log_y_.reserve(scene.dots.size());
    for (const Dot& dot : scene.dots)
        place(dot);
    sort_by_point(scene);
}

void DotField::place(const Dot& dot) {
    const auto index = static_cast<std::uint32_t>(log_x_.size());
    if (dot.rail == Rail::none) {
        log_x_.push_back(static_cast<float>(std::log(dot.x)));
        log_y_.push_back(static_cast<float>(std::log(dot.y)));
        return;
    }
    constexpr float nowhere = std::numeric_limits<float>::infinity();
    log_x_.push_back(nowhere);
    log_y_.push_back(nowhere);
    RailDots& rail = rails_[dot.rail];
    rail.dots.push_back(index);
    rail.along.push_back(static_cast<float>(dot.rail == Rail::no_work ? dot.x : std::log(dot.y)));
}

void DotField::sort_by_point(const Scene& scene) {
    std::uint32_t points = 0;
    for (const Dot& dot : scene.dots)
        points = std::max(points, dot.point + 1);
    starts_.assign(points + std::size_t{1}, 0);
    for (const Dot& dot : scene.dots)
        ++starts_[dot.point + std::size_t{1}];
    for (std::size_t i = 1; i < starts_.size(); ++i)
        starts_[i] += starts_[i - 1];
    by_point_.resize(scene.dots.size());
    std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
    for (std::uint32_t i = 0; i < scene.dots.size(); ++i)
        by_point_[next[scene.dots[i].point]++] = i;
    for (std::size_t p = 0; p < points; ++p)
        std::sort(
            by_point_.begin() + starts_[p], by_point_.begin() + starts_[p + 1],
            [&](std::uint32_t a, std::uint32_t b) { return scene.dots[a].level < scene.dots[b].level; });
}

std::span<const std::uint32_t> DotField::dots_of(std::uint32_t point) const {
    if (point + std::size_t{1} >= starts_.size()) return {};
    return std::span(by_point_).subspan(starts_[point], starts_[point + 1] - starts_[point]);
}

DotPlaces::DotPlaces(const Scene& scene, const DotField& field, const View& view)
    : scene_(scene),
      field_(field),
      view_(view),
      left_(static_cast<float>(std::log(view.x.lo))),
      bottom_(static_cast<float>(std::log(view.y.lo))),
      scale_x_(static_cast<float>(view.plot.width / std::log(view.x.hi / view.x.lo))),
      scale_y_(static_cast<float>(view.plot.height / std::log(view.y.hi / view.y.lo))) {}

std::optional<PointF> DotPlaces::on_chart(std::uint32_t dot, float reach) const {
    const float right_of = (field_.log_x()[dot] - left_) * scale_x_;
    const float above = (field_.log_y()[dot] - bottom_) * scale_y_;
    if (right_of < -reach || right_of > static_cast<float>(view_.plot.width) + reach || above < -reach ||
        above > static_cast<float>(view_.plot.height) + reach)
        return std::nullopt;
    return PointF{view_.plot.x + static_cast<double>(right_of),
                  view_.plot.bottom() - static_cast<double>(above)};
}

std::optional<PointF> DotPlaces::anywhere(std::uint32_t dot, float reach) const {
    if (scene_.dots[dot].rail == Rail::none) return on_chart(dot, reach);
    const PointF at = dot_position(scene_.dots[dot], view_);
    const auto margin = static_cast<double>(reach);
    const bool seen = at.x >= view_.plot.x - margin && at.x <= view_.plot.right() + margin &&
                      at.y >= view_.plot.y - margin && at.y <= view_.plot.bottom() + margin;
    return seen ? std::optional(at) : std::nullopt;
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/dot_places.h"

#include <cmath>

namespace roofwalk {

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

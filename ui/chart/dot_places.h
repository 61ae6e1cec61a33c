// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "core/chart/layout/layout.h"
#include "ui/chart/dot_field.h"

namespace roofwalk {

/// How far a dot, or the ring around it, may stand out from its middle [px].
inline constexpr float dot_reach = 40;

/// Where the dots of a scene stand in one view, without a logarithm for each. In single precision that is
/// within a tenth of a pixel, also in the narrowest view. Lives no longer than scene and field.
class DotPlaces {
  public:
    DotPlaces(const Scene& scene, const DotField& field, const View& view);

    /// The place of a dot that stands on no rail and whose centre is no farther than `reach` px outside the
    /// plot.
    [[nodiscard]] std::optional<PointF> on_chart(std::uint32_t dot, float reach) const;
    /// The same for any dot.
    [[nodiscard]] std::optional<PointF> anywhere(std::uint32_t dot, float reach) const;

  private:
    const Scene& scene_;
    const DotField& field_;
    const View& view_;
    float left_;
    float bottom_;
    float scale_x_;
    float scale_y_;
};

}  // namespace roofwalk

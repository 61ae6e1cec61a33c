// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/enum_array.h"
#include "core/chart/layout/layout.h"
#include "core/chart/scene/scene.h"

namespace roofwalk {

/// Dots on one rail, smallest first.
struct RailDots {
    std::vector<std::uint32_t> dots;
    /// On the bottom rail the share of its length, on the right one the natural logarithm of the performance,
    /// at the edge that of the rate of the line.
    std::vector<float> along;
};

/// What is worked out once for the places of a scene's dots, so that a frame of a pan over a million of them
/// is cheap.
class DotField {
  public:
    DotField() = default;
    explicit DotField(const Scene& scene);

    /// Natural logarithms of the dots' places; infinite, so outside every view, for dots on a rail.
    [[nodiscard]] std::span<const float> log_x() const { return log_x_; }
    [[nodiscard]] std::span<const float> log_y() const { return log_y_; }
    [[nodiscard]] const RailDots& on_rail(Rail rail) const { return rails_[rail]; }
    /// How many dots stand on no rail.
    [[nodiscard]] std::size_t placed() const {
        return log_x_.size() - rails_[Rail::no_work].dots.size() - rails_[Rail::no_traffic].dots.size() -
               rails_[Rail::edge].dots.size();
    }
    /// The dots of one kernel, by level from far to near.
    [[nodiscard]] std::span<const std::uint32_t> dots_of(std::uint32_t point) const;

  private:
    void place(const Dot& dot);
    void sort_by_point(const Scene& scene);

    std::vector<float> log_x_;
    std::vector<float> log_y_;
    EnumArray<Rail, RailDots> rails_;
    std::vector<std::uint32_t> starts_;    // by point, into by_point_
    std::vector<std::uint32_t> by_point_;  // dots
};

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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/chart/scene.h"

namespace roofwalk {

/// What is worked out once for the dots of a scene, so that a frame of a pan over a million of them is cheap.
class DotField {
  public:
    DotField() = default;
    explicit DotField(const Scene& scene);

    /// Natural logarithms of the dots' places; infinite, so outside every view, for dots on a rail.
    [[nodiscard]] std::span<const float> log_x() const { return log_x_; }
    [[nodiscard]] std::span<const float> log_y() const { return log_y_; }
    /// Dots on a rail, smallest first.
    [[nodiscard]] std::span<const std::uint32_t> rail_dots() const { return rail_dots_; }
    /// The dots of one kernel, by level from far to near.
    [[nodiscard]] std::span<const std::uint32_t> dots_of(std::uint32_t point) const;

  private:
    std::vector<float> log_x_;
    std::vector<float> log_y_;
    std::vector<std::uint32_t> rail_dots_;
    std::vector<std::uint32_t> starts_;    // by point, into by_point_
    std::vector<std::uint32_t> by_point_;  // dots
};

}  // namespace roofwalk

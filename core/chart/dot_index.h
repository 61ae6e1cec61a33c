// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/chart/layout.h"
#include "core/chart/scene.h"

namespace roofwalk {

/// Finds the dot under the pointer among millions: a grid over log space, built once for a Scene.
class DotIndex {
  public:
    DotIndex() = default;
    explicit DotIndex(std::span<const Dot> dots);

    /// The nearest dot within `reach` px of `at`, larger and nearer ones first; index into the dots.
    [[nodiscard]] std::optional<std::uint32_t> nearest(const View& view, PointF at, double reach) const;
    /// Every dot inside a rectangle of the page.
    [[nodiscard]] std::vector<std::uint32_t> inside(const View& view, const RectF& area) const;

  private:
    std::span<const Dot> dots_;
    std::vector<std::uint32_t> starts_;
    std::vector<std::uint32_t> order_;
    double log_x_ = 0;
    double log_y_ = 0;
    double cell_x_ = 1;
    double cell_y_ = 1;
    std::uint32_t side_ = 0;
};

}  // namespace roofwalk

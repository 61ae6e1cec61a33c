// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/chart/scene/scene.h"
#include "ui/chart/dot_places.h"

namespace roofwalk {

/// The dots of the selected kernels, worked out once for a scene: a selection may hold every kernel.
class SelectedDots {
  public:
    SelectedDots() = default;
    SelectedDots(const Scene& scene, const DotField& field);

    /// All others stand back when the selected kernel is on the chart.
    [[nodiscard]] bool others_stand_back() const { return others_stand_back_; }
    [[nodiscard]] bool stands_back(const Dot& dot) const {
        return others_stand_back_ && !by_point_[dot.point];
    }

    /// The largest `most` in view and all of the kernel whose gaps are drawn, in painting order.
    [[nodiscard]] std::vector<std::uint32_t> largest_in(const DotPlaces& places, std::size_t most) const;

  private:
    std::vector<bool> by_point_;
    std::vector<std::uint32_t> dots_;      // of all selected kernels, largest first
    std::vector<std::uint32_t> foremost_;  // of the one whose gaps are drawn
    bool others_stand_back_ = false;
};

}  // namespace roofwalk

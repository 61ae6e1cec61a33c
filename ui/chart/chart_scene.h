// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/chart/layout/dot_index.h"
#include "core/chart/scene/scene.h"
#include "ui/chart/dot_field.h"

namespace roofwalk {

/// A line, or a place where both its ends are one, and how near to it nothing else is to stand.
struct ChartMark {
    PointF from;
    PointF to;
    double reach = 0;  ///< [px]
};

/// The dots of the selected kernels, worked out once for a scene: a selection may hold every kernel.
class SelectedDots {
  public:
    SelectedDots() = default;
    SelectedDots(const Scene& scene, const DotField& field);

    /// All others stand back when the selected kernel is on the chart.
    [[nodiscard]] bool others_are_dimmed() const { return others_are_dimmed_; }
    [[nodiscard]] bool is_dimmed(const Dot& dot) const { return others_are_dimmed_ && !by_point_[dot.point]; }

    /// The largest `most` in view and all of the kernel whose gaps are drawn, in painting order.
    [[nodiscard]] std::vector<std::uint32_t> largest_in(const DotPlaces& places, std::size_t most) const;

  private:
    std::vector<bool> by_point_;
    std::vector<std::uint32_t> dots_;      // of all selected kernels, largest first
    std::vector<std::uint32_t> foremost_;  // of the one whose gaps are drawn
    bool others_are_dimmed_ = false;
};

/// A scene with what the chart needs to paint and find its dots. It takes a tenth of a second to make for a
/// million dots, so it is made off the GUI thread; copies share everything.
class ChartScene {
  public:
    ChartScene() = default;  ///< shows nothing
    explicit ChartScene(std::shared_ptr<const Scene> scene);

    /// Null when there is none; the rest is empty then.
    [[nodiscard]] const std::shared_ptr<const Scene>& scene() const { return scene_; }
    [[nodiscard]] const DotField& field() const { return parts_->field; }
    [[nodiscard]] const DotIndex& index() const { return parts_->index; }
    [[nodiscard]] const SelectedDots& selected() const { return parts_->selected; }

  private:
    struct Parts {
        DotField field;
        DotIndex index;  // refers to the dots of scene_
        SelectedDots selected;
    };
    std::shared_ptr<const Scene> scene_;
    std::shared_ptr<const Parts> parts_ = std::make_shared<const Parts>();
};

}  // namespace roofwalk

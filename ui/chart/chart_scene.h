// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/chart/layout/dot_index.h"
#include "core/chart/scene/scene.h"
#include "ui/chart/dot_field.h"
#include "ui/chart/selected_dots.h"

namespace roofwalk {

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

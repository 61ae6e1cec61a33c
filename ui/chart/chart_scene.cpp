// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/chart_scene.h"

#include <utility>

namespace roofwalk {

ChartScene::ChartScene(std::shared_ptr<const Scene> scene) : scene_(std::move(scene)) {
    if (!scene_) return;
    DotField field(*scene_);
    SelectedDots selected(*scene_, field);
    parts_ =
        std::make_shared<const Parts>(Parts{std::move(field), DotIndex(scene_->dots), std::move(selected)});
}

}  // namespace roofwalk

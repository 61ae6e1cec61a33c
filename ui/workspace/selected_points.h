// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/chart/scene/scene.h"

/// The selection within the options of a scene.
namespace roofwalk {

/// Without the selection: indices of points mean nothing in another analysis.
[[nodiscard]] inline SceneOptions without_points(SceneOptions options) {
    options.selected.reset();
    options.also_selected.clear();
    return options;
}

[[nodiscard]] inline bool same_selection(const SceneOptions& one, const SceneOptions& other) {
    return one.selected == other.selected && one.also_selected == other.also_selected;
}

}  // namespace roofwalk

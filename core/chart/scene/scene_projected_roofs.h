// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>

#include "core/chart/scene/scene.h"

namespace roofwalk {

/// Another device whose roofs are drawn beside those of the scene.
struct ProjectedDevice {
    std::string name;
    CeilingSet ceilings;  ///< one for each target
};

/// Adds the roofs of other devices to a scene: the bandwidth of the farthest level that has a roof, the
/// compute roofs that are drawn, and the ridge of the two that the first ridge of the scene is of. Axes grow
/// to hold them. A ceiling that the device lacks is left out; the caption tells whose roofs are drawn.
void add_projected_roofs(Scene& scene, const Analysis& analysis, std::span<const ProjectedDevice> devices);

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/base/progress.h"
#include "core/chart/scene/scene_other_roofs.h"
#include "core/compare/roof_change.h"

namespace roofwalk {

/// What is open under the roofs of another GPU. The roofs refer to the profile and the analysis.
struct Elsewhere {
    std::shared_ptr<const Profile> profile;
    std::shared_ptr<const Analysis> analysis;
    OtherDevice device;  ///< with its ceilings at the boost clock
    DeviceRoofs roofs;
};

/// `device` is of the built-in table. Null without one, or when it is cancelled.
[[nodiscard]] std::shared_ptr<const Elsewhere> make_elsewhere(const Device* device,
                                                              std::shared_ptr<const Profile> profile,
                                                              std::shared_ptr<const Analysis> analysis,
                                                              const Progress& progress);

}  // namespace roofwalk

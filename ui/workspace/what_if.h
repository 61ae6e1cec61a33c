// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/base/progress.h"
#include "core/scenario/scenario.h"
#include "core/scenario/scenario_effect.h"

namespace roofwalk {

/// A scenario and what it makes of an analysis.
struct WhatIf {
    Scenario scenario;
    ScenarioEffect effect;
    std::shared_ptr<const Analysis> moved;  ///< null while no kernel is moved
};

/// Null when it is cancelled.
[[nodiscard]] std::shared_ptr<const WhatIf> make_what_if(const Scenario& scenario, const Profile& profile,
                                                         const Analysis& analysis,
                                                         const Progress& progress = {});

}  // namespace roofwalk

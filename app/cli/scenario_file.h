// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "app/cli/view_options.h"
#include "core/scenario/scenario_effect.h"

namespace roofwalk::cli {

/// A scenario and what it makes of the kernels that are viewed.
struct ViewedScenario {
    Scenario scenario;
    ScenarioEffect effect;
};

/// Reads a scenario file, or that of a session, and makes its moves. Those that are on and cannot be made are
/// named on stderr.
[[nodiscard]] Result<ViewedScenario> open_scenario(const std::string& file, const Viewed& viewed);
/// The same to look at what it gains: an error (bad_argument) when it has moves that are on and none of them
/// can be made.
[[nodiscard]] Result<ViewedScenario> view_scenario(const std::string& file, const Viewed& viewed);

}  // namespace roofwalk::cli

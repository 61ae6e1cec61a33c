// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "app/cli/view_options.h"
#include "core/scenario/scenario_effect.h"

namespace roofwalk::cli {

/// A scenario and what it makes of the kernels that are viewed.
struct ViewedScenario {
    Scenario scenario;
    ScenarioEffect effect;
};

/// The moves that are on.
[[nodiscard]] std::size_t moves_on(const Scenario& scenario);
/// Says that a session among the files has moves and that they are not made: "2 moves of walk.roofwalk are
/// left out: `instead`."
void say_moves_left_out(const NamedFiles& files, std::string_view instead);

/// Makes the moves of a scenario. Those that are on and cannot be made are named on stderr, with the cure.
[[nodiscard]] ViewedScenario made_on(Scenario scenario, const Viewed& viewed);
/// The same of a scenario file, or of the scenario of a session; a pipe will do.
[[nodiscard]] Result<ViewedScenario> open_scenario(const std::string& file, const Viewed& viewed);
/// The same to look at what it gains: an error (bad_argument) when it has moves that are on and none of them
/// can be made.
[[nodiscard]] Result<ViewedScenario> view_scenario(const std::string& file, const Viewed& viewed);

}  // namespace roofwalk::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/scenario/scenario_effect.h"

namespace roofwalk {

/// A move and what became of it.
struct ScenarioRow {
    const Move* move = nullptr;
    const ScenarioStep* step = nullptr;     ///< null when it was not made
    const MovedKernel* kernel = nullptr;    ///< null when it was not made
    const ProgramTotals* before = nullptr;  ///< the program before this step; null when it was not made
    std::string why;                        ///< "off", or why it could not be made; empty when it was
};

/// One for each move of the scenario, in its order.
[[nodiscard]] std::vector<ScenarioRow> scenario_rows(const Scenario& scenario, const ScenarioEffect& effect);

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario_rows.h"

#include <algorithm>

namespace roofwalk {

std::vector<ScenarioRow> scenario_rows(const Scenario& scenario, const ScenarioEffect& effect) {
    std::vector<ScenarioRow> rows;
    for (const Move& move : scenario.moves)
        rows.push_back({.move = &move, .why = move.on ? "" : "off"});
    for (const UnusedMove& unused : effect.unused)
        rows[unused.move].why = "not made: " + unused.why;
    const ProgramTotals* before = &effect.before;
    for (const ScenarioStep& step : effect.steps) {
        ScenarioRow& row = rows[step.move];
        row.step = &step;
        row.kernel = &*std::ranges::lower_bound(effect.kernels, step.point, {}, &MovedKernel::point);
        row.before = before;
        before = &step.program;
    }
    return rows;
}

}  // namespace roofwalk

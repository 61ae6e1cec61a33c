// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/report/report_cells.h"
#include "core/scenario/scenario_effect.h"

/// What a scenario is worth, for people and for scripts.
namespace roofwalk {

/// "Scenario \"Tile\": 2 of 3 moves made. The program takes 6.00 ms instead of 10.0 ms (1.67x faster)."
[[nodiscard]] std::string scenario_sentence(const Scenario& scenario, const ScenarioEffect& effect);

/// A line of its table: the program as measured, or a move.
struct ScenarioLine {
    const ProgramTotals* program = nullptr;  ///< of the first line only
    const ScenarioRow* move = nullptr;

    [[nodiscard]] const ScenarioStep* step() const { return move ? move->step : nullptr; }
};
using ScenarioColumn = ColumnRule<ScenarioLine>;

/// The columns of a scenario in exports and, for its moves, in the window. They refer to `effect`.
[[nodiscard]] std::vector<ScenarioColumn> scenario_columns(const AnalysisOptions& options,
                                                           const ScenarioEffect& effect);

/// The waterfall: the program as measured, then one row for each move in its order, with its kernel before
/// and after and the program after it. Moves that are off or could not be made have a row that says so; those
/// of kernels that do not match have none, and count in the program all the same. `matches` is by point, and
/// empty where every kernel does.
[[nodiscard]] ReportTable scenario_table(const Scenario& scenario, const Analysis& analysis,
                                         const ScenarioEffect& effect);

/// The same for scripts (`resources/schema/scenario-report.schema.json`).
[[nodiscard]] std::string to_scenario_report_json(const Scenario& scenario, const Analysis& analysis,
                                                  const ScenarioEffect& effect);

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario_rows.h"

#include <algorithm>

namespace roofwalk {

namespace {

constexpr MemoryLevel hbm = MemoryLevel::hbm;
constexpr double algorithm_tolerance = 1e-6;  ///< relative; a factor in a file may have been rounded

/// HBM intensity over that of the algorithm; absent where one of them is not known.
std::optional<double> over_algorithm(const KernelState& state, const MovedKernel& kernel) {
    const auto place = place_of(state, kernel.model.roofs, MemoryLevel::hbm);
    if (!place || !kernel.algorithmic) return std::nullopt;
    return place->x / (kernel.algorithmic->value() * state.needs.intensity());
}

bool is_cut_at_roof(const ScenarioRow& row) {
    const auto before = time_by_roofs(row.step->before);
    const auto after = time_by_roofs(row.step->after);
    return !row.move->beyond_model && row.move->time_rule == MoveTime::factor && before && after &&
           *after > *before * (row.move->time * (1 + factor_rounding));
}

/// Fusion keeps bytes on chip that each operation by itself needs.
void find_stop(ScenarioRow& row) {
    if (is_cut_at_roof(row)) row.stopped_at = StoppedAt::roof;
    const auto& below = row.step->after.below_floor;
    if (below && below != row.step->before.below_floor)
        row.stopped_at =
            is_held_by_unit(row.step->after, row.kernel->model.roofs) ? StoppedAt::roof : StoppedAt::launch;
    if (row.move->preset == "fuse") return;
    const auto from = over_algorithm(row.step->before, *row.kernel);
    const auto to = over_algorithm(row.step->after, *row.kernel);
    if (!from || !to || row.move->bytes[hbm] >= 1 || *from >= 1 - algorithm_tolerance) return;
    row.past_algorithm = *to > 1 + algorithm_tolerance;
    const bool at_algorithm = !row.past_algorithm && *to >= 1 - algorithm_tolerance;
    if (at_algorithm && !row.stopped_at && row.move->preset != "to_algorithm")
        row.stopped_at = StoppedAt::algorithm;
}

}  // namespace

std::string_view id_of(StoppedAt stop) {
    constexpr EnumArray<StoppedAt, std::string_view, 3> ids{"roof", "algorithm", "launch"};
    return ids[stop];
}

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
        find_stop(row);
        before = &step.program;
    }
    return rows;
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/scenario/scenario_effect.h"

namespace roofwalk {

/// What kept a move from doing all it says.
enum class StoppedAt : std::uint8_t {
    roof,       ///< its time is that of the roof or a busier unit, or as far above the roof as it was
    algorithm,  ///< its HBM bytes are those that its operation needs
    launch,     ///< its launches take no less time
};

[[nodiscard]] std::string_view id_of(StoppedAt stop);  ///< "roof", "algorithm", "launch"

/// A move and what became of it.
struct ScenarioRow {
    const Move* move = nullptr;
    const ScenarioStep* step = nullptr;     ///< null when it was not made
    const MovedKernel* kernel = nullptr;    ///< null when it was not made
    const ProgramTotals* before = nullptr;  ///< the program before this step; null when it was not made
    std::string why;                        ///< "off", or why it could not be made; empty when it was
    std::optional<StoppedAt> stopped_at{};  ///< of a move that was made
    bool past_algorithm = false;            ///< it left fewer HBM bytes than its operation needs
};

/// One for each move of the scenario, in its order.
[[nodiscard]] std::vector<ScenarioRow> scenario_rows(const Scenario& scenario, const ScenarioEffect& effect);

}  // namespace roofwalk

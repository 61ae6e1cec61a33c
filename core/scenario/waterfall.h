// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/scenario/scenario_effect.h"

namespace roofwalk {

/// One bar of a waterfall: time of the program, from where to where.
struct WaterfallBar {
    std::string title;   ///< "as measured", what a move is called, "after 2 moves"
    std::string kernel;  ///< whole name; of a step only
    Seconds from;        ///< 0 for a whole program
    Seconds to;          ///< less than `from` where a step saves time
    bool promises_nothing = false;

    [[nodiscard]] bool is_step() const { return !kernel.empty(); }
};

/// The program as measured, a step for each move made, the program after them. Empty when no move was made.
[[nodiscard]] std::vector<WaterfallBar> waterfall(const Scenario& scenario, const ScenarioEffect& effect);

/// What stands before a bar: "as measured", "sgemm: Tile".
[[nodiscard]] std::string bar_label(const WaterfallBar& bar);

/// What stands at a bar: "10.0 ms", "−3.00 ms → 7.00 ms", "promises nothing".
[[nodiscard]] std::string amount_words(const WaterfallBar& bar);

/// All of it for who cannot see it: "as measured: 10.0 ms; Tile of sgemm: −3.00 ms → 7.00 ms; ...".
[[nodiscard]] std::string waterfall_words(const std::vector<WaterfallBar>& bars);

}  // namespace roofwalk

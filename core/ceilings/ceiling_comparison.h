// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/ceilings/measured_ceilings.h"

namespace roofwalk {

/// One measured rate beside what theory and the maker say.
struct CeilingComparison {
    MeasuredRate measured;
    bool roof = false;                  ///< it is what ceilings_from() takes for its target
    std::optional<double> theoretical;  ///< in the unit of the rate, at the boost clock
    std::optional<double>
        theoretical_held;             ///< the same at the clock that was held; bytes of HBM: as at boost
    std::optional<double> published;  ///< of the built-in table

    /// Of what the hardware can do at the clock it held: 1 is all of it.
    [[nodiscard]] std::optional<double> share_of_theory() const;
};

/// One row for each rate, in the order they were measured.
[[nodiscard]] std::vector<CeilingComparison> compare_ceilings(const MeasuredCeilings& measured);

/// The rows as a table for a terminal, with what a person should know of the measurement above and below it.
[[nodiscard]] std::string ceiling_comparison_text(const MeasuredCeilings& measured);

}  // namespace roofwalk

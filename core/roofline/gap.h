// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/units.h"

namespace roofwalk {

/// How far a kernel is below the roof that binds it: Gv = t / T, T its speed-of-light time. 1 is on the roof;
/// less than 1 happens (clock, cache and counter edge cases) and is kept.
struct VerticalGap {
    double factor = 1;

    /// Share of the roof that is reached: 0.25 for a factor of 4.
    [[nodiscard]] double efficiency() const { return 1 / factor; }
    /// Distance on the logarithmic axis.
    [[nodiscard]] double decades() const;
};

[[nodiscard]] VerticalGap vertical_gap(Seconds time, Seconds speed_of_light);

/// "3.40x below HBM (29.4 %)", "on the HBM roof", "above the HBM roof: 1.20x (120 %)" for a roof of that
/// name; `which` follows the name where several roofs have it.
[[nodiscard]] std::string gap_words(const VerticalGap& gap, const std::string& roof,
                                    const std::string& which = {});

}  // namespace roofwalk

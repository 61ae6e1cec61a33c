// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/roofline/gap.h"

#include <cmath>

#include "core/base/text.h"

namespace roofwalk {

namespace {

/// Efficiencies this near to 1 are "on" the roof: a figure would show two digits.
constexpr double on_the_roof = 0.005;

}  // namespace

double VerticalGap::decades() const {
    return std::log10(factor);
}

VerticalGap vertical_gap(Seconds time, Seconds speed_of_light) {
    return VerticalGap{time / speed_of_light};
}

std::string gap_words(const VerticalGap& gap, const std::string& roof, const std::string& which) {
    const double efficiency = gap.efficiency();
    const std::string percent = " (" + format_percent(efficiency) + ")";
    if (std::abs(efficiency - 1) < on_the_roof) return "on the " + roof + " roof" + which;
    if (efficiency > 1)
        return "above the " + roof + " roof" + which + ": " + format_factor(efficiency) + percent;
    return format_factor(gap.factor) + " below " + roof + which + percent;
}

}  // namespace roofwalk

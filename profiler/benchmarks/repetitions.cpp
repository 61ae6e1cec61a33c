// SPDX-License-Identifier: Apache-2.0
#include "profiler/benchmarks/repetitions.h"

#include <algorithm>

namespace roofwalk::ceilings {

Repeated best_of(std::span<const Repetition> repetitions) {
    if (repetitions.empty()) return {};
    const auto [lowest, highest] = std::ranges::minmax_element(repetitions, {}, &Repetition::rate);
    Repeated repeated{*highest, 0, repetitions.size()};
    if (highest->rate > 0) repeated.spread = (highest->rate - lowest->rate) / highest->rate;
    return repeated;
}

}  // namespace roofwalk::ceilings

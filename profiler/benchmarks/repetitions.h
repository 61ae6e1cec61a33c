// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace roofwalk::ceilings {

/// One run of a kernel.
struct Repetition {
    double rate = 0;            ///< work a second
    double rate_per_cycle = 0;  ///< work a cycle and SM
    double clock = 0;           ///< [1/s] that the SMs held; 0: the device's timer is too coarse to tell
};

/// What repetitions come to.
struct Repeated {
    Repetition best;    ///< the one of the highest rate
    double spread = 0;  ///< (highest - lowest) / highest rate
    std::size_t count = 0;
};

/// The best is taken, not the mean: what disturbs a run can only slow it down.
[[nodiscard]] Repeated best_of(std::span<const Repetition> repetitions);

}  // namespace roofwalk::ceilings

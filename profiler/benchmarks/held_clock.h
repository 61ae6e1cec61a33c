// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "profiler/benchmarks/kernel_launch.h"

namespace roofwalk::ceilings {

/// One run of a kernel.
struct Repetition {
    double rate = 0;            ///< work a second
    double rate_per_cycle = 0;  ///< work a cycle and SM
    double clock = 0;           ///< [1/s] that the SMs held; 0: the device's timer is too coarse to tell
};

/// What repetitions come to.
struct BestRepetition {
    Repetition best;    ///< the one of the highest rate
    double spread = 0;  ///< (highest - lowest) / highest rate
    std::size_t count = 0;
};

/// The best is taken, not the mean: what disturbs a run can only slow it down.
[[nodiscard]] BestRepetition best_of(std::span<const Repetition> repetitions);

/// What the blocks of a kernel saw together.
struct HeldClock {
    double cycles = 0;  ///< from the first start to the last end on an SM; mean over the SMs that ran a block
    double hertz = 0;   ///< cycles over the same span by the device's timer, mean; 0: the timer tells nothing
    unsigned sms = 0;   ///< that ran a block
};

/// `seconds` is the time of the whole kernel by events. Some devices count their timer in steps of about a
/// millisecond: where its mean span is off `seconds` by more than 2 %, it tells nothing.
[[nodiscard]] HeldClock held_clock(std::span<const BlockStamp> stamps, double seconds);

}  // namespace roofwalk::ceilings

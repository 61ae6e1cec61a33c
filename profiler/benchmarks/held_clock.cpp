// SPDX-License-Identifier: Apache-2.0
#include "profiler/benchmarks/held_clock.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace roofwalk::ceilings {

BestRepetition best_of(std::span<const Repetition> repetitions) {
    if (repetitions.empty()) return {};
    const auto [lowest, highest] = std::ranges::minmax_element(repetitions, {}, &Repetition::rate);
    BestRepetition repeated{*highest, 0, repetitions.size()};
    if (highest->rate > 0) repeated.spread = (highest->rate - lowest->rate) / highest->rate;
    return repeated;
}

HeldClock held_clock(std::span<const BlockStamp> stamps, double seconds) {
    constexpr double nanosecond = 1e-9;
    std::map<unsigned, BlockStamp> spans;
    for (const BlockStamp& stamp : stamps) {
        if (stamp.end_cycle <= stamp.start_cycle) continue;
        const auto [known, is_new] = spans.try_emplace(stamp.sm, stamp);
        if (is_new) continue;
        BlockStamp& span = known->second;
        span.start_cycle = std::min(span.start_cycle, stamp.start_cycle);
        span.end_cycle = std::max(span.end_cycle, stamp.end_cycle);
        span.start_ns = std::min(span.start_ns, stamp.start_ns);
        span.end_ns = std::max(span.end_ns, stamp.end_ns);
    }
    if (spans.empty()) return {};
    HeldClock held;
    double time = 0;
    for (const auto& [sm, span] : spans) {
        held.cycles += static_cast<double>(span.end_cycle - span.start_cycle);
        if (span.end_ns > span.start_ns)
            time += nanosecond * static_cast<double>(span.end_ns - span.start_ns);
    }
    held.sms = static_cast<unsigned>(spans.size());
    const double mean_time = time / held.sms;
    // Where the timer of the blocks moves in steps of a millisecond its span is off by a quarter and more.
    constexpr double agreement = 0.02;
    if (std::abs(mean_time / seconds - 1) <= agreement) held.hertz = held.cycles / time;
    held.cycles /= held.sms;
    return held;
}

}  // namespace roofwalk::ceilings

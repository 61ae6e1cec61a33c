// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/promise.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/roofline/launch_floor.h"

namespace roofwalk {

namespace {

std::string distance_of(const KernelModel& model, const KernelState& state) {
    const auto gap = gap_of(state, model.roofs);
    const auto bound = speed_of_light(state, model.roofs);
    return gap && bound ? ", " + gap_words(*gap, label_of(bound->binding)) : std::string();
}

/// A launch for all the inputs that it serves.
Seconds launch_time(const KernelModel& model, const KernelState& state) {
    return *state.time * state.inputs / model.launches;
}

/// Less of something, where the time follows the roofs.
bool asks_for_less(const Move& move, const KernelState& before, const KernelState& after) {
    if (move.time_rule != MoveTime::keep_efficiency || !after.time) return false;
    for (const MemoryLevel level : all_levels)
        if (before.bytes[level] && *after.bytes[level] < *before.bytes[level] * (1 - factor_rounding))
            return true;
    return move.work < 1 - factor_rounding || move.pipe.has_value();
}

bool follows_roof(const Move& move) {
    return move.time_rule == MoveTime::keep_efficiency && move.inputs <= 1;
}

}  // namespace

bool has_no_limit(const KernelState& state, const KernelModel& model, const Thresholds& thresholds) {
    const auto gap = gap_of(state, model.roofs);
    if (!gap || gap->efficiency() >= thresholds.latency) return false;
    switch (class_of(state, model, thresholds)) {
        case KernelClass::latency_bound:
        case KernelClass::low_use:
        case KernelClass::no_flop:
        case KernelClass::no_traffic:
            return true;
        default:
            return false;
    }
}

std::string_view id_of(UnpromisedReason reason) {
    constexpr EnumArray<UnpromisedReason, std::string_view, 4> ids{"no_roof", "too_short", "bound_elsewhere",
                                                                   "unknown_roof"};
    return ids[reason];
}

std::string_view label_of(UnpromisedReason reason) {
    constexpr EnumArray<UnpromisedReason, std::string_view, 4> labels{
        "promises nothing: no roof limits the kernel", "promises nothing: shorter than any launch",
        "promises nothing: another roof binds", "promises nothing: which roof binds is not known"};
    return labels[reason];
}

std::optional<UnpromisedReason> no_promise(const Move& move, const KernelModel& model,
                                           const KernelState& before, const KernelState& after,
                                           const Thresholds& thresholds) {
    if (!before.time || !after.time || *after.time > *before.time * (1 + factor_rounding))
        return std::nullopt;
    const bool gains = *after.time < *before.time * (1 - factor_rounding);
    if (!gains && !asks_for_less(move, before, after)) return std::nullopt;
    if (!gains && !speed_of_light(after, model.roofs)) return UnpromisedReason::unknown_roof;
    if (gains && launch_time(model, after) < shortest_launch) return UnpromisedReason::too_short;
    if (follows_roof(move) && has_no_limit(before, model, thresholds)) return UnpromisedReason::no_roof;
    return gains ? std::nullopt : std::optional(UnpromisedReason::bound_elsewhere);
}

CountedTime counted_after(const CountedTime& counted, const Move& move, const KernelModel& model,
                          const KernelState& before, const KernelState& after,
                          std::optional<UnpromisedReason> reason) {
    if (!before.time || !after.time || !counted.time || before.time->value() <= 0) return counted;
    Seconds promised = *counted.promised * (*after.time / *before.time);
    if (reason && reason != UnpromisedReason::too_short)
        promised = *counted.promised;
    else if (move.time_rule == MoveTime::to_roof)
        promised = *after.time;
    else if (move.time_rule == MoveTime::keep_efficiency && *after.time > *before.time)
        promised = std::max(*counted.promised, *after.time);
    if (launch_time(model, after) >= shortest_launch) return {promised, promised};
    return {std::max(*counted.time, promised), promised};
}

Seconds saved_time(const CountedTime& before, const CountedTime& after) {
    return before.time && after.time ? *before.time - *after.time : Seconds();
}

std::string to_text(UnpromisedReason reason, const KernelModel& model, const KernelState& before,
                    const KernelState& after) {
    if (reason == UnpromisedReason::unknown_roof)
        return "It promises nothing: which roof binds the kernel is not known.";
    if (reason == UnpromisedReason::no_roof)
        return fmt::format(
            "It promises nothing: no roof limits the kernel{}, and fewer bytes or less work need not make it faster.",
            distance_of(model, before));
    if (reason == UnpromisedReason::bound_elsewhere)
        return fmt::format("It promises nothing: {} binds as before, and has to be relieved first.",
                           label_of(speed_of_light(after, model.roofs)->binding));
    return fmt::format("It promises nothing: a launch would take {}, and the shortest ever seen took {}.",
                       format(launch_time(model, after)), format(shortest_launch));
}

}  // namespace roofwalk

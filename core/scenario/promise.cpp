// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/promise.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"

namespace roofwalk {

namespace {

std::string distance_of(const KernelModel& model, const KernelState& state) {
    const auto gap = gap_of(state, model.roofs);
    const auto bound = speed_of_light(state, model.roofs);
    if (!gap || !bound) return {};
    return ", " + gap_words(*gap, label_of(bound->binding, model.memory), model.approximate);
}

/// What has to be relieved before a move brings anything, where the profiler found it; else empty.
std::string busy_words(const KernelModel& model) {
    return model.busy
               ? fmt::format("{} is {} busy, and has to be relieved first",
                             label_of(model.busy->unit, model.memory), format_percent(model.busy->share))
               : std::string();
}

/// Without a roof: what is nearest to its limit, which the move may relieve itself.
std::string nearest_words(const KernelModel& model, const KernelState& before, const KernelState& after) {
    if (!model.nearest) return "which roof binds the kernel is not known";
    const auto level = model.nearest_level;
    const bool relieved = level && before.bytes[*level] && *after.bytes[*level] < *before.bytes[*level];
    return fmt::format("{} is nearest to its limit ({}), and {}", label_of(*model.nearest, model.memory),
                       marked_if(model.approximate, format_percent(model.nearest->share)),
                       relieved ? "what binds beside it is not known" : "has to be relieved first");
}

/// Less of something, where the time follows the roofs.
bool asks_for_less(const Move& move, const KernelState& before, const KernelState& after) {
    if (move.launches < 1 - factor_rounding) return true;
    if (move.time_rule != MoveTime::keep_efficiency || !after.time) return false;
    for (const MemoryLevel level : all_levels)
        if (before.bytes[level] && *after.bytes[level] < *before.bytes[level] * (1 - factor_rounding))
            return true;
    return move.work < 1 - factor_rounding || move.pipe.has_value();
}

/// Whether a busy unit limits the kernel, below every roof, and has as much to do after the move.
bool leaves_unit_busy(const KernelModel& model, const KernelState& before, const KernelState& after,
                      const VerdictThresholds& thresholds) {
    const auto gap = gap_of(before, model.roofs);
    if (!model.busy || !gap || gap->efficiency() >= thresholds.latency) return false;
    const auto busy_for = [&](const KernelState& state) {
        return moved_throughput(model, state)[model.busy->unit].value_or(0) * *state.time;
    };
    return busy_for(after) >= busy_for(before) * (1 - factor_rounding);
}

/// Whether what takes the time that the roofs give of a kernel is neither a level nor a pipe, as far as they
/// were judged: the class is no side's, and the share of the binding ceiling is below the limit of latency.
bool has_no_limit(KernelState state, const KernelModel& model, const VerdictThresholds& thresholds) {
    state.time = time_by_roofs(state);
    const auto gap = gap_of(state, model.roofs);
    if (!gap || gap->efficiency() >= thresholds.latency || model.facts.by_launches) return false;
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

/// `time` without the launches that a move saves, of which a batch makes one for all its inputs: as much as
/// its roofs and units leave.
Seconds without_launches(const KernelModel& model, const KernelState& before, const KernelState& after,
                         Seconds time) {
    KernelState apart = before;
    apart.launches *= after.inputs / before.inputs;
    const auto roof = speed_of_light(after, model.roofs);
    const Seconds least = std::max(roof ? roof->time : Seconds(), busy_time(before, after, model));
    return std::max(without_saved_launches(apart, after, model.roofs, time), std::min(time, least));
}

}  // namespace

bool saves_launches(const KernelModel& model, const KernelState& before, const KernelState& after) {
    constexpr double visible = 1e-4;  // a hundredth of a per cent
    const bool fewer =
        after.launches / after.inputs < before.launches / before.inputs * (1 - factor_rounding);
    return fewer && before.time &&
           without_launches(model, before, after, *before.time) < *before.time * (1 - visible);
}

std::optional<Seconds> launch_time(const KernelModel& model, const KernelState& state, Seconds time) {
    if (state.launches <= least_factor) return std::nullopt;
    return time * state.inputs / (model.launches * state.launches);
}

std::string_view label_of(UnpromisedReason reason) {
    constexpr EnumArray<UnpromisedReason, std::string_view, 4> labels{
        "promises nothing: well below every roof", "promises nothing: a launch takes no less",
        "promises nothing: another limit binds", "promises nothing: which roof binds is not known"};
    return labels[reason];
}

std::optional<UnpromisedReason> unpromised_reason(const Move& move, const KernelModel& model,
                                                  const KernelState& before, const KernelState& after,
                                                  const VerdictThresholds& thresholds) {
    if (!before.time || !after.time || *after.time > *before.time * (1 + factor_rounding))
        return std::nullopt;
    const bool gains = *after.time < *before.time * (1 - factor_rounding);
    const bool shorter = *time_by_roofs(after) < *time_by_roofs(before) * (1 - factor_rounding);
    const bool below = *after.time < launch_floor_of(after, model.roofs) * (1 - factor_rounding);
    const bool held_by_unit = is_held_by_unit(after, model.roofs);
    if (below || (shorter && !gains && !held_by_unit)) return UnpromisedReason::too_short;
    if (!gains && !asks_for_less(move, before, after)) return std::nullopt;
    if (!gains && !speed_of_light(after, model.roofs)) return UnpromisedReason::unknown_roof;
    const bool keeps = move.time_rule == MoveTime::keep_efficiency;
    if (keeps && has_no_limit(before, model, thresholds)) return UnpromisedReason::no_roof;
    const bool held = keeps && leaves_unit_busy(model, before, after, thresholds);
    return gains && !held ? std::nullopt : std::optional(UnpromisedReason::bound_elsewhere);
}

CountedTime counted_after_move(const CountedTime& counted, const Move& move, const KernelModel& model,
                               const KernelState& before, const KernelState& after,
                               std::optional<UnpromisedReason> reason) {
    if (!before.time || !after.time || !counted.time || time_by_roofs(before)->value() <= 0) return counted;
    const Seconds from = *time_by_roofs(before);
    const Seconds to = *time_by_roofs(after);
    Seconds promised = *counted.promised * (to / from);
    const bool counts = !reason || *reason == UnpromisedReason::too_short;
    if (!counts && !saves_launches(model, before, after))
        promised = *counted.promised;
    else if (!counts)
        promised = without_launches(model, before, after, *counted.promised);
    else if (move.time_rule == MoveTime::to_roof)
        promised = to;
    else if (move.time_rule == MoveTime::keep_efficiency && to > from)
        promised = std::max(*counted.promised, to);
    return {std::max(promised, after.below_floor ? *after.time : launch_floor_of(after, model.roofs)),
            promised, counts ? after.others_save : counted.others_save};
}

KernelState in_counted_time(KernelState state, const CountedTime& counted) {
    if (state.time == counted.time) return state;
    state.time = counted.time;
    state.below_floor.reset();
    return state;
}

Seconds saved_time(const CountedTime& before, const CountedTime& after) {
    return before.time && after.time ? *before.time - *after.time + (after.others_save - before.others_save)
                                     : Seconds();
}

std::string unrelieved_limit_label(const KernelModel& model, const KernelState& before,
                                   const KernelState& after) {
    const auto limit = tightest_limit(is_held_by_unit(after, model.roofs) ? after : before, model);
    const bool unit = limit && std::holds_alternative<HardwareUnit>(limit->of);
    return unit ? label_of(*limit, model.memory)
                : label_of(speed_of_light(after, model.roofs)->binding, model.memory);
}

std::string to_text(UnpromisedReason reason, const KernelModel& model, const KernelState& before,
                    const KernelState& after) {
    const std::string_view nothing = saves_launches(model, before, after)
                                         ? "Beside the launches that it saves it promises nothing"
                                         : "It promises nothing";
    if (reason == UnpromisedReason::unknown_roof)
        return fmt::format("{}: {}.", nothing, nearest_words(model, before, after));
    if (reason == UnpromisedReason::no_roof)
        return fmt::format(
            "{}: the kernel is well below every roof{}. {}.", nothing, distance_of(model, before),
            model.busy ? busy_words(model) : "Fewer bytes or less work need not make it faster");
    if (reason == UnpromisedReason::bound_elsewhere)
        return fmt::format("{}: {} binds, and has to be relieved first.", nothing,
                           unrelieved_limit_label(model, before, after));
    const Seconds time = *time_by_roofs(after);
    return fmt::format("{}: by its roofs a launch would take {}, and one takes {} at least.", nothing,
                       format(launch_time(model, after, time).value_or(time)), describe(model.launch_floor));
}

}  // namespace roofwalk

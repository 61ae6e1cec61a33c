// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/move.h"

#include <cmath>

namespace roofwalk {

namespace {

bool is_one(double factor) {
    return std::abs(factor - 1) < factor_rounding;
}

void change_amounts(KernelState& state, const KernelRoofs& roofs, const Move& move) {
    for (const Pipe pipe : all_pipes)
        state.work[pipe] = state.work[pipe] * move.work;
    state.needs.bytes = bounded_factor(state.needs.bytes * move.needs.bytes);
    state.needs.work = bounded_factor(state.needs.work * move.needs.work);
    state.inputs = bounded_factor(state.inputs * move.inputs);
    state.launches = bounded_factor(state.launches * move.launches);
    state.calls = bounded_factor(state.calls * move.launches * move.calls);
    if (move.pipe && move.pipe->from != move.pipe->to) {
        state.work[move.pipe->to] += state.work[move.pipe->from];
        state.work[move.pipe->from] = Flops();
    }
    // From the near end: a factor of L1 itself overrules what shared memory does to it.
    const auto before = state.bytes;
    for (auto level = all_levels.rbegin(); level != all_levels.rend(); ++level)
        if (before[*level] && move.bytes[*level] != 1)
            set_bytes(state, roofs, *level, *before[*level] * move.bytes[*level]);
    const auto& shared = state.bytes[MemoryLevel::smem];
    if (move.smem_of_l2 > 0 && shared && before[MemoryLevel::l2])
        set_bytes(state, roofs, MemoryLevel::smem, *shared + *before[MemoryLevel::l2] * move.smem_of_l2);
}

Seconds changed_time(const KernelState& from, const KernelState& to, const KernelModel& model,
                     const Move& move) {
    const Seconds time = *time_by_roofs(from);
    if (move.time_rule == MoveTime::factor) return time * move.time;
    if (move.time_rule == MoveTime::to_roof) {
        const auto limit = time_at_limit(to, model);
        return limit ? std::min(*limit * model.apart, time) : time;
    }
    const auto before = speed_of_light(from, model.roofs);
    const auto after = speed_of_light(to, model.roofs);
    return before && after ? time * (after->time / before->time) : time;
}

bool has_same_amounts(const KernelState& a, const KernelState& b) {
    return a.bytes == b.bytes && a.work == b.work;
}

/// That of the nearest limit, or less where the kernel was beyond it already; absent where none is known.
std::optional<Seconds> nearest_time(const KernelState& state, const KernelModel& model) {
    const auto time = time_at_limit(state, model);
    return time ? std::optional(std::min(*time * std::min(1.0, model.apart), *time_by_roofs(state)))
                : std::nullopt;
}

}  // namespace

bool changes_nothing(const Move& move) {
    const bool same_time = move.time_rule == MoveTime::keep_efficiency ||
                           (move.time_rule == MoveTime::factor && is_one(move.time));
    return same_time && std::ranges::all_of(move.bytes, is_one) && is_one(move.work) &&
           is_one(move.needs.bytes) && is_one(move.needs.work) && is_one(move.launches) &&
           is_one(move.calls) && move.smem_of_l2 == 0 && (!move.pipe || move.pipe->from == move.pipe->to);
}

std::optional<Seconds> least_time(const KernelState& from, const KernelState& state,
                                  const KernelModel& model) {
    const auto bound = speed_of_light(state, model.roofs);
    if (!bound) return std::nullopt;
    const auto before = speed_of_light(from, model.roofs);
    if (!before || !from.time) return bound->time;
    if (has_same_amounts(from, state)) return nearest_time(from, model);
    return std::min(bound->time, *time_by_roofs(from) * (bound->time / before->time));
}

KernelState moved(const KernelState& state, const KernelModel& model, const Move& move) {
    KernelState result = state;
    change_amounts(result, model.roofs, move);
    if (!state.time) return result;
    Seconds time =
        without_saved_launches(state, result, model.roofs, changed_time(state, result, model, move));
    if (move.time_rule == MoveTime::to_roof) result.others_save = model.others_recoverable;
    if (move.beyond_model) {
        result.time = time;
        result.below_floor.reset();
        return result;
    }
    auto least = least_time(state, result, model);
    if (!least && has_same_amounts(state, result)) least = nearest_time(state, model);
    if (least) time = std::max(time, *least);
    set_time_by_roofs(state, result, model, time);
    return result;
}

}  // namespace roofwalk

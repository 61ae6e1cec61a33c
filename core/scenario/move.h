// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "core/base/enum_array.h"
#include "core/scenario/kernel_key.h"
#include "core/scenario/kernel_state.h"

namespace roofwalk {

/// How the time follows when bytes or work change.
enum class MoveTime : std::uint8_t {
    keep_efficiency,  ///< Gv stays: t' = Gv * T'. The dot slides parallel to its roof
    factor,           ///< t' = t * Move::time
    to_roof,          ///< t' = T'
};
template <>
inline constexpr EnumIds<MoveTime, 3> enum_ids<MoveTime>{"keep_efficiency", "factor", "to_roof"};

/// Work that runs on another pipe.
struct PipeChange {
    Pipe from;
    Pipe to;

    friend bool operator==(const PipeChange&, const PipeChange&) = default;
};

/// Factors of a move are within these; beyond nine decades there is no axis.
inline constexpr double least_factor = 1e-9;
inline constexpr double largest_factor = 1e9;
[[nodiscard]] constexpr double bounded_factor(double factor) {
    return std::clamp(factor, least_factor, largest_factor);
}

/// A change of one kernel as factors, so that it holds for a report that is read or measured anew. Several
/// moves of a kernel apply one after another, each to what those before it left.
struct Move {
    KernelKey kernel;
    std::string name;  ///< for people; may be empty
    bool on = true;
    /// Factors of the bytes, by MemoryLevel; see set_bytes() for L1, unless it has a factor of its own.
    EnumArray<MemoryLevel, double> bytes{1, 1, 1, 1};
    double work = 1;  ///< factor of the work of every pipe
    std::optional<PipeChange> pipe;
    AlgorithmNeeds needs;  ///< factors: the target of the operation moves with the dot
    double inputs = 1;     ///< factor of the inputs that a launch serves; all else is for each of them
    double launches = 1;   ///< factor of the launches: below 1 those that are fused share one, 0: it is none
    double calls = 1;      ///< factor of the calls that launch them: below 1 one call launches several
    /// Bytes that go through shared memory then, over the L2 bytes before: what a tile costs there.
    double smem_of_l2 = 0;
    MoveTime time_rule = MoveTime::keep_efficiency;
    double time = 1;               ///< factor of the time, with MoveTime::factor
    bool beyond_model = false;     ///< may pass the roof: a person wanted it so
    std::string preset;            ///< id of the preset that made it; empty: made by hand
    std::optional<double> number;  ///< that the preset was given
    std::string assumption;        ///< what must hold for it to come true
    std::string unknown_members;   ///< of its JSON object, as JSON text

    friend bool operator==(const Move&, const Move&) = default;
};

/// Whether a move leaves every kernel as it is: nothing in it says what to change.
[[nodiscard]] bool changes_nothing(const Move& move);

/// What a move leaves of a kernel. The time stays at or above that of the roof (or as far above the roof as
/// it was), of a unit that is busier and that it does not relieve, and at or above what its launches take,
/// unless the move is beyond the model. Without a speed-of-light time its efficiency is not known: a rule
/// that needs it leaves the time as it is, and the way to the roof goes to the nearest limit that is known.
/// What is not known of a kernel stays unknown.
[[nodiscard]] KernelState moved(const KernelState& state, const KernelModel& model, const Move& move);

/// The least time that a state may have: its speed-of-light time, or that at the limit of a busier unit where
/// bytes and work are those of the state `from`; less where the kernel was above the roof in `from` already.
/// Absent without a speed-of-light time.
[[nodiscard]] std::optional<Seconds> least_time(const KernelState& from, const KernelState& state,
                                                const KernelModel& model);

}  // namespace roofwalk

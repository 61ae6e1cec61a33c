// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/enum_array.h"
#include "core/scenario/move.h"

namespace roofwalk {

/// Why the time that a move would gain is no promise: no roof tells it.
enum class UnpromisedReason : std::uint8_t {
    no_roof,          ///< none limits the kernel before it: fewer bytes or less work need not make it faster
    too_short,        ///< its launches take all of its time, and take no less
    bound_elsewhere,  ///< what binds is left as it is: no time is gained before that is relieved
    unknown_roof,     ///< which roof binds is not known
};
template <>
inline constexpr EnumIds<UnpromisedReason, 4> enum_ids<UnpromisedReason>{"no_roof", "too_short",
                                                                         "bound_elsewhere", "unknown_roof"};
/// "promises nothing: well below every roof": where there is no room for more.
[[nodiscard]] std::string_view label_of(UnpromisedReason reason);

/// Whether fewer launches serve each input, and that shows in the time.
[[nodiscard]] bool saves_launches(const KernelModel& model, const KernelState& before,
                                  const KernelState& after);

/// Of a move from one state to another; absent where roofs tell what it gains, or it asks for nothing less.
/// What counts against the launch floor is the launch for all its inputs.
[[nodiscard]] std::optional<UnpromisedReason> unpromised_reason(const Move& move, const KernelModel& model,
                                                                const KernelState& before,
                                                                const KernelState& after,
                                                                const VerdictThresholds& thresholds);

/// What a launch takes, for all the inputs that it serves, where the kernel takes `time`. Absent where the
/// kernel has no launch of its own.
[[nodiscard]] std::optional<Seconds> launch_time(const KernelModel& model, const KernelState& state,
                                                 Seconds time);

/// The time of a kernel that the program counts: what promises nothing is not saved.
struct CountedTime {
    std::optional<Seconds> time;
    /// Without the moves that no roof speaks for, however short the launch: longer than what the roofs give
    /// by what those would have gained. `time` is never less than the launches take.
    std::optional<Seconds> promised;
    Seconds others_save{};  ///< KernelState::others_save
};

[[nodiscard]] inline CountedTime counted_time(std::optional<Seconds> measured) {
    return {measured, measured, {}};
}
/// A state in the time that counts.
[[nodiscard]] KernelState in_counted_time(KernelState state, const CountedTime& counted);

/// After a move from one state to another. What was never gained is not lost: where a kernel that follows its
/// roofs gets slower, only what is beyond the promised time counts. A move to the roof takes up what moves
/// before it did not promise: with it the kernel follows its roof.
[[nodiscard]] CountedTime counted_after_move(const CountedTime& counted, const Move& move,
                                             const KernelModel& model, const KernelState& before,
                                             const KernelState& after,
                                             std::optional<UnpromisedReason> reason);

/// What the program saves; 0 where a time is not known.
[[nodiscard]] Seconds saved_time(const CountedTime& before, const CountedTime& after);

/// "L1", "one L2 slice": what binds as before, where a move leaves that as it is.
[[nodiscard]] std::string unrelieved_limit_label(const KernelModel& model, const KernelState& before,
                                                 const KernelState& after);
/// "It promises nothing: the kernel is well below every roof, 124x below HBM (0.81 %), and fewer bytes or
/// less work need not make it faster."
[[nodiscard]] std::string to_text(UnpromisedReason reason, const KernelModel& model,
                                  const KernelState& before, const KernelState& after);

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "core/scenario/kernel_state.h"
#include "core/scenario/move.h"

/// The walk of a dot under the pointer. Nothing here allocates.
namespace roofwalk {

/// What the pointer decides; the rest follows.
enum class WalkMode : std::uint8_t {
    keep_efficiency,  ///< the intensity; the dot slides parallel to its roof
    free,             ///< intensity and performance
    right_only,       ///< the intensity; performance, and so the time, stay
    up_only,          ///< the performance; intensity, and so the bytes, stay
};

/// One wish: bring the dot of `level` to a place. Only the bytes of that level change (see set_bytes). The
/// time is bound by the roofs of all levels and pipes, so that fewer bytes at a level that does not bind win
/// nothing while the efficiency is kept.
struct WalkTarget {
    MemoryLevel level = MemoryLevel::hbm;
    WalkMode mode = WalkMode::keep_efficiency;
    ChartPlace pointer;                    ///< a coordinate that is no positive number is left as it is
    std::optional<Intensity> algorithmic;  ///< at the level walked: the dot stops there on its way right
    bool pass = false;                     ///< stop nowhere: the result may be beyond the model
};

/// What stopped a dot; several at once may.
struct WalkStops {
    bool roof = false;          ///< its name is Walked::bound
    bool algorithm = false;     ///< the algorithm needs these bytes
    bool roof_unknown = false;  ///< nothing tells how much faster it may get, so it does not
};

struct Walked {
    KernelState state;
    double bytes_factor = 1;  ///< of the bytes of the level walked
    double time_factor = 1;
    std::optional<SpeedOfLight> bound;  ///< of the new state, with the binding ceiling
    std::optional<VerticalGap> gap;
    KernelClass kernel_class = KernelClass::not_measured;
    WalkStops stops;
    WalkStops passed;           ///< what would have stopped it, and was passed on purpose
    bool beyond_model = false;  ///< above the roof or right of the algorithm, and farther so than before
};

/// Where a dot comes to stand. `from` is its kernel before this walk began: as it was measured, or as other
/// moves left it. A dot that stands on no chart stays as it is, and so does one whose time is unknown.
[[nodiscard]] Walked walk(const KernelModel& model, const KernelState& from, const WalkTarget& target,
                          const Thresholds& thresholds);

/// A place that many steps of 1 % to the right and up; negative: to the left and down.
[[nodiscard]] ChartPlace stepped(ChartPlace place, int right, int up);

/// The move that makes of `from` what the walk made; kernel and name are left for the caller.
[[nodiscard]] Move move_of(const WalkTarget& target, const Walked& walked);

}  // namespace roofwalk

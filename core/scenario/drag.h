// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "core/scenario/kernel_state.h"
#include "core/scenario/move.h"

/// The drag of a dot under the pointer. Nothing here allocates.
namespace roofwalk {

/// What the pointer decides; the rest follows.
enum class DragMode : std::uint8_t {
    keep_efficiency,  ///< the intensity; the dot slides parallel to its roof
    free,             ///< intensity and performance
    right_only,       ///< the intensity; performance, and so the time, stay
    up_only,          ///< the performance; intensity, and so the bytes, stay
};

/// One wish: bring the dot of `level` to a place. Only the bytes of that level change (see set_bytes). The
/// time is bound by the roofs of all levels and pipes, so that fewer bytes at a level that does not bind win
/// nothing while the efficiency is kept.
struct DragTarget {
    MemoryLevel level = MemoryLevel::hbm;
    DragMode mode = DragMode::keep_efficiency;
    ChartPlace pointer;                    ///< a coordinate that is no positive number is left as it is
    std::optional<Intensity> algorithmic;  ///< at the dragged level: the dot stops there on its way right
    bool pass = false;                     ///< stop nowhere: the result may be beyond the model
};

/// What stopped a dot; several at once may.
struct DragStops {
    bool roof = false;       ///< its name is that of DragResult::limit
    bool algorithm = false;  ///< the algorithm needs these bytes
    bool launch = false;     ///< its launches take no less
    /// The next level towards memory that was counted: what it moves comes through the dragged one.
    std::optional<MemoryLevel> beneath;
    bool roof_unknown = false;  ///< nothing tells how much faster it may get, so it does not
};

struct DragResult {
    KernelState state;
    double bytes_factor = 1;  ///< of the bytes of the dragged level
    double time_factor = 1;
    std::optional<SpeedOfLight> bound;  ///< of the new state, with the binding ceiling
    std::optional<NearestLimit> limit;  ///< its tightest: what binds, or a unit that is busier
    std::optional<VerticalGap> gap;
    KernelClass kernel_class = KernelClass::not_measured;
    DragStops stops;
    DragStops passed;           ///< what would have stopped it, and was passed on purpose
    bool beyond_model = false;  ///< above the roof or right of the algorithm, and farther so than before
};

/// Where a dot comes to stand. `from` is its kernel before this drag began: as it was measured, or as other
/// moves left it. A dot that stands on no chart stays as it is, and so does one whose time is unknown.
[[nodiscard]] DragResult solve_drag(const KernelModel& model, const KernelState& from,
                                    const DragTarget& target, const VerdictThresholds& thresholds);

/// A place that many steps of 1 % to the right and up; negative: to the left and down.
[[nodiscard]] ChartPlace stepped(ChartPlace place, int right, int up);

/// The move that makes of `from` what the drag made; kernel and name are left for the caller.
[[nodiscard]] Move move_of(const DragTarget& target, const DragResult& result);

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/scenario/kernel_state.h"
#include "core/scenario/move.h"
#include "core/scenario/scenario_effect.h"

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
    /// The next level towards memory that was counted, or shared memory in L1: what it moves is part of what
    /// the dragged one does.
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

/// Where a dot comes to stand, without an allocation. `from` is its kernel before this drag began: as it was
/// measured, or as other moves left it. A dot that stands on no chart stays as it is, and so does one whose
/// time is unknown.
[[nodiscard]] DragResult solve_drag(const KernelModel& model, const KernelState& from,
                                    const DragTarget& target, const VerdictThresholds& thresholds);

/// A place that many steps of 1 % to the right and up; negative: to the left and down.
[[nodiscard]] ChartPlace stepped(ChartPlace place, int right, int up);

/// The move that makes of `from` what the drag made; kernel and name are left for the caller.
[[nodiscard]] Move move_of(const DragTarget& target, const DragResult& result);

/// A kernel under a person's hand, from when its dot is taken up until it is let go. A drag starts where the
/// scenario left the kernel. It becomes part of the move made by hand that is the kernel's last, else a move
/// of its own.
class DragSolver {
  public:
    /// Takes up the dot of a level. `effect` is what `scenario` makes of `measured`. Absent when that dot
    /// stands on no chart: without time, work, or bytes of the level.
    [[nodiscard]] static std::optional<DragSolver> begin(const Profile& profile, const Analysis& measured,
                                                         const Scenario& scenario,
                                                         const ScenarioEffect& effect, std::uint32_t point,
                                                         MemoryLevel level);

    /// Brings the dot to a place, or as near as it may come, always from where it was taken up. `pass` lets
    /// it stop nowhere.
    void to(ChartPlace pointer, DragMode mode, bool pass);

    [[nodiscard]] std::uint32_t point() const { return point_; }
    [[nodiscard]] MemoryLevel level() const { return target_.level; }
    /// The scenario that the drag began with.
    [[nodiscard]] const Scenario& begun_with() const { return scenario_; }
    /// By its roofs, whatever they promise.
    [[nodiscard]] const DragResult& result() const { return result_; }
    /// Where the dot of a level was taken up, and where it stands now; absent when it stands on no chart.
    [[nodiscard]] std::optional<ChartPlace> start(MemoryLevel level) const;
    [[nodiscard]] std::optional<ChartPlace> place(MemoryLevel level) const;
    /// Where it stood before any move.
    [[nodiscard]] std::optional<ChartPlace> measured_place(MemoryLevel level) const;
    [[nodiscard]] const KernelState& measured() const { return model_.measured; }
    /// As it is drawn: in the time that the program counts.
    [[nodiscard]] KernelState in_program() const { return in_counted_time(result_.state, counted_); }

    /// The performance that the binding roof, or a unit that is nearer, allows where the kernel stands now;
    /// absent without such a roof.
    [[nodiscard]] std::optional<double> roof() const;
    [[nodiscard]] KernelClass kernel_class() const { return class_of(in_program(), model_, thresholds_); }
    [[nodiscard]] bool bound_by_unit() const { return is_bound_by_unit(in_program(), model_, thresholds_); }
    [[nodiscard]] std::string class_label() const { return class_name(in_program(), model_, thresholds_); }
    /// The level whose dot stands under that roof's slope; absent where a pipe binds, or nothing is known to.
    [[nodiscard]] std::optional<MemoryLevel> binding_level() const;
    /// Where the dot of HBM would stand with the bytes that the algorithm needs.
    [[nodiscard]] std::optional<Intensity> algorithmic() const { return algorithmic_; }

    /// The scenario with this drag in it; without the move by hand when the kernel is back where that began.
    [[nodiscard]] Scenario scenario() const;
    /// Lines for beside the dot: bytes and intensity of the level, time, class and distance to the roof,
    /// distance to the algorithm, time of the program, and what stopped the dot.
    [[nodiscard]] std::vector<std::string> words() const;

  private:
    DragSolver() = default;
    [[nodiscard]] Move move() const;
    [[nodiscard]] bool beyond_model() const;

    std::uint32_t point_ = 0;
    KernelKey key_;
    KernelModel model_;
    VerdictThresholds thresholds_;
    KernelState base_;          ///< before the move by hand
    KernelState from_;          ///< where the dot was taken up, in the time that its roofs give
    CountedTime counted_base_;  ///< in the program, of base_
    CountedTime counted_from_;  ///< the same of from_
    CountedTime counted_;       ///< the same of result_
    std::optional<UnpromisedReason> unpromised_;  ///< of result_
    std::optional<Intensity> algorithmic_;
    DragTarget target_;
    DragResult result_;
    Scenario scenario_;
    std::optional<std::size_t> by_hand_;  ///< index of the move by hand in scenario_
    ProgramTotals measured_;
    ProgramTotals program_;  ///< as the scenario leaves it, before the drag
};

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/scenario/drag.h"
#include "core/scenario/scenario_effect.h"

namespace roofwalk {

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

    /// The performance that the binding roof allows where the kernel stands now; absent without such a roof.
    [[nodiscard]] std::optional<double> roof() const;
    [[nodiscard]] KernelClass kernel_class() const { return class_of(told(), model_, thresholds_); }
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
    /// As it is drawn: in the time that the program counts.
    [[nodiscard]] KernelState told() const { return in_time(result_.state, counted_); }

    std::uint32_t point_ = 0;
    KernelKey key_;
    KernelModel model_;
    VerdictThresholds thresholds_;
    KernelState base_;          ///< before the move by hand
    KernelState from_;          ///< where the dot was taken up, in the time that its roofs give
    CountedTime counted_base_;  ///< in the program, of base_
    CountedTime counted_from_;  ///< the same of from_
    CountedTime counted_;       ///< the same of result_
    std::optional<UnpromisedReason> no_promise_;  ///< of result_
    std::optional<Intensity> algorithmic_;
    DragTarget target_;
    DragResult result_;
    Scenario scenario_;
    std::optional<std::size_t> by_hand_;  ///< index of the move by hand in scenario_
    ProgramTotals measured_;
    ProgramTotals program_;  ///< as the scenario leaves it, before the drag
};

}  // namespace roofwalk

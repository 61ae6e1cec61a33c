// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/scenario/past_moves.h"
#include "core/scenario/program_effect.h"
#include "core/scenario/promise.h"
#include "core/scenario/scenario.h"

namespace roofwalk {

/// One move that was made: a step of the waterfall. What it gains depends on the moves before it.
struct ScenarioStep {
    std::uint32_t move = 0;   ///< index into Scenario::moves
    std::uint32_t point = 0;  ///< index into Analysis::points
    KernelState before;       ///< of the kernel
    KernelState after;
    ProgramTotals program;  ///< after this step
    std::optional<UnpromisedReason> no_promise;
    CountedTime counted_before;  ///< of the kernel, in the program
    CountedTime counted;         ///< the same after this step

    /// The kernel has what the move asks for, or that was never measured.
    [[nodiscard]] bool left_as_it_was() const { return before == after; }
};

/// A kernel that moves changed.
struct MovedKernel {
    std::uint32_t point = 0;  ///< index into Analysis::points
    KernelModel model;        ///< as measured
    KernelState state;        ///< after all its moves
    CountedTime counted;      ///< in the program
    PastMoves past;
    std::optional<Intensity> algorithmic;  ///< at HBM, as measured; absent without an operation
};

/// A move that is on and could not be made.
struct UnusedMove {
    std::uint32_t move = 0;
    KeyMatch match = KeyMatch::unknown;  ///< never found
    std::string why;                     ///< "the report has no kernel of this name"
};

/// What a scenario makes of a program.
struct ScenarioEffect {
    ProgramTotals before;
    ProgramTotals after;
    std::vector<ScenarioStep> steps;   ///< in the order of the moves
    std::vector<MovedKernel> kernels;  ///< by point
    std::vector<UnusedMove> unused;

    /// Null of a kernel that no move changed.
    [[nodiscard]] const MovedKernel* moved_kernel(std::uint32_t point) const;
};

/// Makes the moves that are on, in their order. When it is cancelled, the moves that were not made yet are in
/// neither list.
[[nodiscard]] ScenarioEffect effect_of(const Scenario& scenario, const Profile& profile,
                                       const Analysis& analysis, const Progress& progress = {});

}  // namespace roofwalk

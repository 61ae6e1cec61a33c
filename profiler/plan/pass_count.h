// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/import/profile_request.h"
#include "profiler/plan/cupti_host.h"
#include "profiler/plan/metric_plan.h"

namespace roofwalk {

/// Plans collected together on one launch, and what that costs.
struct PassCount {
    std::vector<PlanKind> plans;
    std::size_t metrics = 0;
    std::size_t passes = 0;
};

struct ChipPasses {
    std::vector<PassCount> alone;     ///< every plan of the chip, by letter
    std::vector<PassCount> together;  ///< what a kernel that runs once would need: A, B and C
    bool replay_has_types = false;    ///< plan E counts what plan B does
};

/// By the scheduler of CUPTI, without a GPU. A device that lacks counters may need more.
[[nodiscard]] Result<ChipPasses> count_passes(const CuptiHost& host, const Chip& chip);

/// What measuring costs of one kernel that is launched again and again with one geometry.
struct SamplingCost {
    std::uint64_t launches = 0;
    std::uint64_t measured = 0;    ///< of these; the others run as they do without us
    std::uint64_t executions = 0;  ///< of the measured ones: one for each pass of counters
};

/// By the agent's policy of sampling: plan E first, or A and then C; the first plan of tensor types once;
/// then A, or E, now and then. `every`: no launch is left out.
[[nodiscard]] SamplingCost cost_of_sampling(const ChipPasses& passes, std::uint64_t launches, bool every,
                                            ReplayPolicy replay);

/// "1 pass for time and bytes, 1 for FLOP, 2 for both on one launch, 3 for tensor types"; where warp groups
/// have instructions of their own (since GH100) "1 for tensor types of warp groups, 3 for those of single
/// warps".
[[nodiscard]] std::string words_for(const ChipPasses& passes);

}  // namespace roofwalk

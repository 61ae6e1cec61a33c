// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/import/profile_request.h"
#include "profiler/plan/pass_count.h"

namespace roofwalk {

/// What measuring costs of one kernel that is launched again and again with one geometry.
struct SamplingCost {
    std::uint64_t launches = 0;
    std::uint64_t measured = 0;    ///< of these; the others run as they do without us
    std::uint64_t executions = 0;  ///< of the measured ones: one for each pass of counters
};

/// By the agent's policy of sampling: plan E first, or A and then C; the first plan of tensor types once;
/// then A, or E, now and then. `every`: no launch is left out.
[[nodiscard]] SamplingCost cost_of_sampling(const ChipPasses& passes, std::uint64_t launches, bool every,
                                            Replay replay);

/// "1 pass for time and bytes, 1 for FLOP, 2 for both on one launch, 3 for tensor types"; where warp groups
/// have instructions of their own (since GH100) "1 for tensor types of warp groups, 3 for those of single
/// warps".
[[nodiscard]] std::string words_for(const ChipPasses& passes);

}  // namespace roofwalk

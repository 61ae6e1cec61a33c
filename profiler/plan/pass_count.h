// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

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

}  // namespace roofwalk

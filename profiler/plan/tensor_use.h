// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/devices/chip.h"
#include "profiler/plan/metric_plan.h"

namespace roofwalk {

/// What plan A said of a launch, or plan E, which tells the instructions of FP16 vectors (HFMA2) apart that
/// Hopper runs in its tensor pipe, also to set registers. Absent where the chip does not tell the two paths
/// apart.
struct TensorUse {
    bool used = false;
    std::optional<bool> by_warp_group;  ///< wgmma or tcgen05: plan B counts it
    std::optional<bool> by_half;        ///< mma.sync of BF16, FP16, TF32: plans D and F count it
    std::optional<bool> by_integer;     ///< mma.sync of INT8 or FP64: plan G counts it
};

/// The plans that count the types of what was used, each on a launch of its own.
[[nodiscard]] std::vector<PlanKind> tensor_plans(const TensorUse& use);

/// From the metrics of plan A; absent while these do not hold the counter of tensor instructions.
[[nodiscard]] std::optional<TensorUse> tensor_use(const Chip& chip,
                                                  const std::map<std::string, double>& values);

}  // namespace roofwalk

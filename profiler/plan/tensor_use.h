// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/devices/chip.h"

namespace roofwalk {

/// What plan A said of a launch. Absent where the chip does not tell the two paths apart.
struct TensorUse {
    bool used = false;
    std::optional<bool> by_warp_group;  ///< wgmma or tcgen05: plan B counts it
    std::optional<bool> by_warp;        ///< mma.sync: plan D counts it
};

/// From the metrics of plan A; absent while these do not hold the counter of tensor instructions.
[[nodiscard]] std::optional<TensorUse> tensor_use(const Chip& chip,
                                                  const std::map<std::string, double>& values);

}  // namespace roofwalk

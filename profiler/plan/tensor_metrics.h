// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/devices/chip.h"

namespace roofwalk {

/// Counters of tensor operations: an operation each, so that a fused multiply-add counts as two.
struct TensorMetrics {
    std::vector<std::string> metrics;
    std::string types;  ///< in words
    std::string
        leaves_out;  ///< operations that the chip can do and these do not count; empty when there are none
};

/// The tensor path that new code takes on the chip: wgmma on Hopper, tcgen05 on Blackwell of data centres,
/// mma.sync elsewhere. Absent on chips without tensor cores.
[[nodiscard]] std::optional<TensorMetrics> tensor_metrics(ChipFamily family);

/// mma.sync where tensor_metrics() counts another path.
[[nodiscard]] std::optional<TensorMetrics> warp_tensor_metrics(ChipFamily family);

}  // namespace roofwalk

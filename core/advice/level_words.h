// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/roofline/analysis.h"

namespace roofwalk {

/// How often a byte that crossed the first of the known levels crosses a nearer one.
struct LevelReuse {
    MemoryLevel from;   ///< the farthest level with bytes, usually HBM
    MemoryLevel level;  ///< the nearer level
    double factor = 0;  ///< bytes of `level` over bytes of `from`; 0 is a measured zero
};

/// Every known level against the farthest one that has bytes. Empty with fewer than two known levels.
[[nodiscard]] std::vector<LevelReuse> level_reuse(const KernelPoint& point);

/// "For each byte that HBM moves, 2.30 cross L2 and 6.10 cross SMEM."; empty where fewer than two levels are
/// known or none has bytes.
[[nodiscard]] std::string reuse_sentence(const KernelPoint& point);

/// "HBM binds: at its ceiling it would take 0.92 ms. That is longer than L2 0.33 ms, FP32 0.10 ms."; empty
/// where nothing is known to bind.
[[nodiscard]] std::string binding_sentence(const KernelPoint& point);

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/import/ncu/ncu_traffic.h"

namespace roofwalk {

/// Shared-memory traffic of a launch. `smem/wavefronts`, best source first: the source counter
/// `memory_l1_wavefronts_shared`; the hardware total less `_op_misc` (Hopper and later); loads + stores +
/// atomics; a proven 0 when opcodes were counted and none of them can touch shared memory. Never the hardware
/// total alone: it also counts shuffles and reads of special registers.
[[nodiscard]] std::vector<NcuTraffic> shared_memory_traffic(const NcuValues& values);

/// True when a source counter says that shared memory was used and the hardware counters say it was not.
[[nodiscard]] bool shared_memory_counters_disagree(const NcuValues& values);

}  // namespace roofwalk

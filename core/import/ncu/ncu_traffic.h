// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/import/ncu/ncu_values.h"
#include "core/model/launch.h"

namespace roofwalk {

inline constexpr double bytes_per_sector = 32;
inline constexpr double bytes_per_wavefront = 128;

/// Traffic across one boundary with its derivation in words.
struct NcuTraffic {
    Boundary boundary = Boundary::hbm_dram_rw;
    Origin origin = Origin::measured;
    Bytes total;
    std::optional<Bytes> read;
    std::optional<Bytes> write;
    std::string source;
};

/// True for chips whose memory is shared with the CPU: they have no DRAM counters of their own.
[[nodiscard]] bool has_no_dram(const Device& device);

/// DRAM traffic: `dram__bytes`; read + write; sectors; at last per cent of peak, an estimate.
[[nodiscard]] std::optional<NcuTraffic> hbm_traffic(const NcuValues& values);

/// Bytes that were read or written, and the metric that counted them.
struct DramPart {
    std::string_view metric;
    double bytes = 0;
};
/// Where one of the two is all that is known.
[[nodiscard]] std::optional<DramPart> dram_part(const NcuValues& values);

/// Traffic across every L2 and L1 boundary the launch has counters for.
[[nodiscard]] std::vector<NcuTraffic> cache_traffic(const NcuValues& values);

/// Shared-memory traffic of a launch. `smem/wavefronts`, best source first: the source counter
/// `memory_l1_wavefronts_shared`; the hardware total less `_op_misc` (Hopper and later); loads + stores +
/// atomics; a proven 0 when opcodes were counted and none of them can touch shared memory. Never the hardware
/// total alone: it also counts shuffles and reads of special registers.
[[nodiscard]] std::vector<NcuTraffic> shared_memory_traffic(const NcuValues& values);

/// True when a source counter says that shared memory was used and the hardware counters say it was not.
[[nodiscard]] bool shared_memory_counters_disagree(const NcuValues& values);

}  // namespace roofwalk

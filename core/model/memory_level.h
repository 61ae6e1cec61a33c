// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace roofwalk {

/// Where traffic is counted, from the far end of the machine to the near one.
enum class MemoryLevel : std::uint8_t { hbm, l2, l1, smem };

inline constexpr std::array all_levels{MemoryLevel::hbm, MemoryLevel::l2, MemoryLevel::l1, MemoryLevel::smem};
inline constexpr std::size_t level_count = all_levels.size();

/// Exactly which bytes are counted. A dot and a roof may be combined only when their boundaries are the same.
enum class Boundary : std::uint8_t {
    hbm_dram_rw,      ///< DRAM read + write
    l2_sm_sectors,    ///< what the SMs ask of L2: sectors * 32 B, reads, writes, reductions, atomics
    l2_sm_return,     ///< what L2 returns to the SMs: Nsight Compute's own chart
    l2_all,           ///< all clients of L2: NERSC's recipe
    l1_unified,       ///< all LSU wavefronts * 128 B, shared memory included
    l1_writeback,     ///< data returned by L1: Nsight Compute's own chart
    l1_tag,           ///< bytes through the tag stage: NERSC's recipe
    smem_wavefronts,  ///< wavefronts of shared-memory instructions * 128 B, bank conflicts included
    smem_requested,   ///< shared-memory bytes as the program asked for them
};

inline constexpr std::size_t boundary_count = 9;

[[nodiscard]] std::span<const Boundary> all_boundaries();
[[nodiscard]] MemoryLevel level_of(Boundary boundary);
[[nodiscard]] Boundary default_boundary(MemoryLevel level);

/// "hbm/dram-rw": the stable id used in files and on screen.
[[nodiscard]] std::string_view id_of(Boundary boundary);
[[nodiscard]] std::optional<Boundary> boundary_from_id(std::string_view id);
/// One clause for a tooltip: which bytes this boundary counts.
[[nodiscard]] std::string_view describe(Boundary boundary);

/// "hbm", "l2", "l1", "smem".
[[nodiscard]] std::string_view id_of(MemoryLevel level);
[[nodiscard]] std::optional<MemoryLevel> level_from_id(std::string_view id);
/// "HBM", "L2", "L1", "SMEM".
[[nodiscard]] std::string_view label_of(MemoryLevel level);

}  // namespace roofwalk

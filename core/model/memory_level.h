// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/enum_array.h"

namespace roofwalk {

/// Where traffic is counted, from the far end of the machine to the near one.
enum class MemoryLevel : std::uint8_t { hbm, l2, l1, smem };

template <>
inline constexpr EnumIds<MemoryLevel, 4> enum_ids<MemoryLevel>{"hbm", "l2", "l1", "smem"};
inline constexpr auto all_levels = enumerators<MemoryLevel>;

/// What the memory beside the chip is called: HBM where every device of a view has it, else DRAM.
enum class MemoryName : std::uint8_t { hbm, dram };
/// "HBM", "DRAM"
[[nodiscard]] constexpr std::string_view label_of(MemoryName memory) {
    return memory == MemoryName::hbm ? "HBM" : "DRAM";
}
/// Of a view of both: HBM where both are.
[[nodiscard]] constexpr MemoryName common_memory_name(MemoryName one, MemoryName other) {
    return one == other ? one : MemoryName::dram;
}
/// A text of ours with the name of the memory where it holds "{DRAM}".
[[nodiscard]] std::string with_memory_name(MemoryName memory, std::string_view text);

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

template <>
inline constexpr EnumIds<Boundary, 9> enum_ids<Boundary>{"hbm/dram-rw", "l2/sm-sectors",   "l2/sm-return",
                                                         "l2/all",      "l1/unified",      "l1/writeback",
                                                         "l1/tag",      "smem/wavefronts", "smem/requested"};
inline constexpr auto all_boundaries = enumerators<Boundary>;

[[nodiscard]] MemoryLevel level_of(Boundary boundary);

/// For people: "DRAM read+write", "L2 by sectors".
[[nodiscard]] std::string name_of(Boundary boundary, MemoryName memory);
/// One clause for a tooltip: which bytes this boundary counts.
[[nodiscard]] std::string describe(Boundary boundary, MemoryName memory);

/// Which clock sets how many bytes a level moves in a second. That of L2 is often not told; it follows the
/// SMs' as far as anyone knows.
enum class LevelClock : std::uint8_t { memory, l2, sm };

/// What a level's dots look like; all shapes of one radius have one area.
enum class MarkerShape : std::uint8_t { circle, square, diamond, triangle };
template <>
inline constexpr std::size_t enum_size<MarkerShape> = 4;

/// What holds for a level wherever it is met.
struct MemoryLevelSpec {
    MemoryLevel level;
    std::string_view label;  ///< on screen; that of HBM follows the MemoryName
    Boundary default_boundary;
    LevelClock clock;
    bool in_sm;  ///< every SM has its own, which passes its bytes through one data stage
    bool shown;  ///< unless a person says otherwise
    MarkerShape marker;
};

inline constexpr EnumArray<MemoryLevel, MemoryLevelSpec> memory_levels{{
    {MemoryLevel::hbm, label_of(MemoryName::hbm), Boundary::hbm_dram_rw, LevelClock::memory, false, true,
     MarkerShape::circle},
    {MemoryLevel::l2, "L2", Boundary::l2_sm_sectors, LevelClock::l2, false, true, MarkerShape::square},
    {MemoryLevel::l1, "L1", Boundary::l1_unified, LevelClock::sm, true, false, MarkerShape::diamond},
    {MemoryLevel::smem, "SMEM", Boundary::smem_wavefronts, LevelClock::sm, true, true, MarkerShape::triangle},
}};
static_assert(is_in_order(memory_levels, &MemoryLevelSpec::level));

/// One member of every row, by level.
template <class T>
[[nodiscard]] constexpr EnumArray<MemoryLevel, T> of_each_level(T MemoryLevelSpec::*member) {
    EnumArray<MemoryLevel, T> column;
    for (const MemoryLevelSpec& row : memory_levels)
        column[row.level] = row.*member;
    return column;
}

[[nodiscard]] constexpr Boundary default_boundary(MemoryLevel level) {
    return memory_levels[level].default_boundary;
}
/// "HBM" or "DRAM", "L2", "L1", "SMEM".
[[nodiscard]] constexpr std::string_view label_of(MemoryLevel level, MemoryName memory) {
    return level == MemoryLevel::hbm ? label_of(memory) : memory_levels[level].label;
}
[[nodiscard]] constexpr bool is_in_sm(MemoryLevel level) {
    return memory_levels[level].in_sm;
}

}  // namespace roofwalk

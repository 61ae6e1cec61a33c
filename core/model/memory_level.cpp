// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/memory_level.h"

#include "core/model/id_table.h"

namespace roofwalk {

namespace {

struct BoundaryFacts {
    Boundary boundary;
    MemoryLevel level;
    std::string_view id;
    std::string_view description;
};

constexpr std::array<BoundaryFacts, boundary_count> boundary_facts{{
    {Boundary::hbm_dram_rw, MemoryLevel::hbm, "hbm/dram-rw", "bytes read from and written to DRAM"},
    {Boundary::l2_sm_sectors, MemoryLevel::l2, "l2/sm-sectors",
     "sectors the SMs ask of L2 (reads, writes, reductions, atomics) times 32 B"},
    {Boundary::l2_sm_return, MemoryLevel::l2, "l2/sm-return",
     "bytes L2 returns to the SMs, writes not counted (Nsight Compute's chart)"},
    {Boundary::l2_all, MemoryLevel::l2, "l2/all",
     "bytes of all L2 clients, fills and evictions included (NERSC)"},
    {Boundary::l1_unified, MemoryLevel::l1, "l1/unified",
     "all LSU wavefronts times 128 B, shared memory included"},
    {Boundary::l1_writeback, MemoryLevel::l1, "l1/writeback",
     "data L1 writes back to registers (Nsight Compute's chart)"},
    {Boundary::l1_tag, MemoryLevel::l1, "l1/tag",
     "global, local and texture bytes through the L1 tag stage (NERSC)"},
    {Boundary::smem_wavefronts, MemoryLevel::smem, "smem/wavefronts",
     "wavefronts of shared-memory instructions times 128 B, bank conflicts included; asynchronous copies may "
     "weigh more than in l1/unified"},
    {Boundary::smem_requested, MemoryLevel::smem, "smem/requested",
     "shared-memory bytes as the program asked for them"},
}};

constexpr std::array<Boundary, boundary_count> boundaries = [] {
    std::array<Boundary, boundary_count> list{};
    for (std::size_t i = 0; i < boundary_count; ++i)
        list[i] = boundary_facts[i].boundary;
    return list;
}();

constexpr std::array<std::string_view, level_count> level_ids{"hbm", "l2", "l1", "smem"};
constexpr std::array<std::string_view, level_count> level_labels{"HBM", "L2", "L1", "SMEM"};

const BoundaryFacts& facts_of(Boundary boundary) {
    return boundary_facts[static_cast<std::size_t>(boundary)];
}

}  // namespace

std::span<const Boundary> all_boundaries() {
    return boundaries;
}

MemoryLevel level_of(Boundary boundary) {
    return facts_of(boundary).level;
}

Boundary default_boundary(MemoryLevel level) {
    switch (level) {
        case MemoryLevel::hbm:
            return Boundary::hbm_dram_rw;
        case MemoryLevel::l2:
            return Boundary::l2_sm_sectors;
        case MemoryLevel::l1:
            return Boundary::l1_unified;
        case MemoryLevel::smem:
            return Boundary::smem_wavefronts;
    }
    return Boundary::hbm_dram_rw;
}

std::string_view id_of(Boundary boundary) {
    return facts_of(boundary).id;
}

std::optional<Boundary> boundary_from_id(std::string_view id) {
    for (const auto& entry : boundary_facts)
        if (entry.id == id) return entry.boundary;
    return std::nullopt;
}

std::string_view describe(Boundary boundary) {
    return facts_of(boundary).description;
}

std::string_view id_of(MemoryLevel level) {
    return level_ids[static_cast<std::size_t>(level)];
}

std::optional<MemoryLevel> level_from_id(std::string_view id) {
    return from_id<MemoryLevel>(level_ids, id);
}

std::string_view label_of(MemoryLevel level) {
    return level_labels[static_cast<std::size_t>(level)];
}

}  // namespace roofwalk

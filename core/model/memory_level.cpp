// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/memory_level.h"

namespace roofwalk {

namespace {

struct BoundaryFacts {
    Boundary boundary;
    MemoryLevel level;
    std::string_view name;
    std::string_view description;
};

constexpr EnumArray<Boundary, BoundaryFacts> boundary_facts{{
    {Boundary::hbm_dram_rw, MemoryLevel::hbm, "{DRAM} read+write", "bytes read from and written to {DRAM}"},
    {Boundary::l2_sm_sectors, MemoryLevel::l2, "L2 by sectors",
     "sectors the SMs ask of L2 (reads, writes, reductions, atomics) times 32 B"},
    {Boundary::l2_sm_return, MemoryLevel::l2, "L2 to SMs",
     "bytes L2 returns to the SMs, writes not counted (Nsight Compute's chart)"},
    {Boundary::l2_all, MemoryLevel::l2, "L2 all clients",
     "bytes of all L2 clients, fills and evictions included (NERSC)"},
    {Boundary::l1_unified, MemoryLevel::l1, "L1 wavefronts",
     "all LSU wavefronts times 128 B, shared memory included"},
    {Boundary::l1_writeback, MemoryLevel::l1, "L1 to registers",
     "data L1 writes back to registers (Nsight Compute's chart)"},
    {Boundary::l1_tag, MemoryLevel::l1, "L1 tag stage",
     "global, local and texture bytes through the L1 tag stage (NERSC)"},
    {Boundary::smem_wavefronts, MemoryLevel::smem, "SMEM wavefronts",
     "wavefronts of shared-memory instructions times 128 B, bank conflicts included; asynchronous copies may "
     "weigh more than in L1"},
    {Boundary::smem_requested, MemoryLevel::smem, "SMEM as requested",
     "shared-memory bytes as the program asked for them"},
}};
static_assert(is_in_order(boundary_facts, &BoundaryFacts::boundary));

}  // namespace

MemoryLevel level_of(Boundary boundary) {
    return boundary_facts[boundary].level;
}

std::string name_of(Boundary boundary, MemoryName memory) {
    return with_memory_name(memory, boundary_facts[boundary].name);
}

std::string describe(Boundary boundary, MemoryName memory) {
    return with_memory_name(memory, boundary_facts[boundary].description);
}

std::string with_memory_name(MemoryName memory, std::string_view text) {
    constexpr std::string_view place = "{DRAM}";
    std::string named(text);
    for (std::size_t at = named.find(place); at != std::string::npos; at = named.find(place, at))
        named.replace(at, place.size(), label_of(memory));
    return named;
}

}  // namespace roofwalk

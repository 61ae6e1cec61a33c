// SPDX-License-Identifier: Apache-2.0
// L2, read only. Every block reads tiles of the whole footprint in an order of its own, so that all slices
// are busy at any time; the loads go past L1. Blocks that follow each other over the same lines would not
// measure L2: the request coalescer (LRC) of Hopper answers several SMs of a GPC with one read of it, and
// they see up to twice of what its slices can pass; reads that meet by chance are few from a quarter of L2
// on. While the footprint stays in L2 this is what L2 gives to the SMs, the plateau; beyond it DRAM shows. A
// round is one tile of each block.
#include "profiler/benchmarks/device_code.cuh"

namespace roofwalk::ceilings {

extern "C" __global__ void __launch_bounds__(stream::threads, stream::blocks_per_sm)
    roofwalk_l2_read(KernelLaunch launch) {
    constexpr unsigned tile = stream::tile_bytes / load_bytes;
    const uint4* memory = static_cast<const uint4*>(launch.memory) + threadIdx.x;
    const unsigned tiles = static_cast<unsigned>(launch.bytes / stream::tile_bytes);
    unsigned state = random_bits(blockIdx.x + 1);
    unsigned sum = 0;
    stamp_start(launch.stamps);
#pragma unroll 1
    for (unsigned long long round = 0; round < launch.rounds; ++round) {
        state = state * 1664525U + 1013904223U;
        const uint4* from = memory + 1ULL * __umulhi(state, tiles) * tile;
        uint4 values[stream::accesses];
#pragma unroll
        for (unsigned i = 0; i < stream::accesses; ++i)
            values[i] = load_from_l2(from + i * stream::threads);
#pragma unroll
        for (unsigned i = 0; i < stream::accesses; ++i)
            sum ^= folded(values[i]);
    }
    stamp_end(launch.stamps);
    keep(sum, launch.kept);
}

ROOFWALK_START(l2_read, launch.blocks, stream)

}  // namespace roofwalk::ceilings

// SPDX-License-Identifier: Apache-2.0
// L2, read only. Every block reads the whole footprint, tile after tile and again from the start, each from
// another place, so that all slices are busy at any time; the loads go past L1. While the footprint stays in
// L2 this is what L2 gives to the SMs, the plateau; where L2 has two partitions the rate falls from about
// half of its size on, and beyond it DRAM shows. A round is one tile of each block.
#include "profiler/benchmarks/device_code.cuh"

namespace roofwalk::ceilings {

extern "C" __global__ void __launch_bounds__(stream::threads, stream::blocks_per_sm)
    roofwalk_l2_read(KernelLaunch launch) {
    constexpr unsigned tile = stream::tile_bytes / load_bytes;
    const uint4* memory = static_cast<const uint4*>(launch.memory) + threadIdx.x;
    const unsigned tiles = static_cast<unsigned>(launch.bytes / stream::tile_bytes);
    unsigned at = static_cast<unsigned>(1ULL * blockIdx.x * tiles / gridDim.x);
    unsigned sum = 0;
    stamp_start(launch.stamps);
#pragma unroll 1
    for (unsigned long long round = 0; round < launch.rounds; ++round) {
        const uint4* from = memory + 1ULL * at * tile;
        uint4 values[stream::accesses];
#pragma unroll
        for (unsigned i = 0; i < stream::accesses; ++i)
            values[i] = load_from_l2(from + i * stream::threads);
#pragma unroll
        for (unsigned i = 0; i < stream::accesses; ++i)
            sum ^= folded(values[i]);
        at = at + 1 == tiles ? 0 : at + 1;
    }
    stamp_end(launch.stamps);
    keep(sum, launch.kept);
}

int start_l2_read(const KernelLaunch& launch) {
    roofwalk_l2_read<<<launch.blocks, stream::threads>>>(launch);
    return cudaGetLastError();
}

}  // namespace roofwalk::ceilings

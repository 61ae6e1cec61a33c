// SPDX-License-Identifier: Apache-2.0
// DRAM, read only. Blocks that stay on their SM walk through one large array, tile after tile: a tile is 512
// threads times eight independent 16-byte loads, so that 128 KiB are in flight on each SM. The array is read
// once; it is far larger than L2, and what L2 keeps of the last run is gone when the reading comes back to
// it. A round is one tile of each block. All that is read is folded together and kept.
#include "profiler/benchmarks/device_code.cuh"

namespace roofwalk::ceilings {

extern "C" __global__ void __launch_bounds__(stream::threads, stream::blocks_per_sm)
    roofwalk_hbm_read(KernelLaunch launch) {
    constexpr unsigned tile = stream::tile_bytes / load_bytes;
    const uint4* from = static_cast<const uint4*>(launch.memory) + 1ULL * blockIdx.x * tile + threadIdx.x;
    const unsigned long long stride = 1ULL * gridDim.x * tile;
    unsigned sum = 0;
    stamp_start(launch.stamps);
#pragma unroll 1
    for (unsigned long long round = 0; round < launch.rounds; ++round, from += stride) {
        uint4 values[stream::accesses];
#pragma unroll
        for (unsigned i = 0; i < stream::accesses; ++i)
            values[i] = load_streaming(from + i * stream::threads);
#pragma unroll
        for (unsigned i = 0; i < stream::accesses; ++i)
            sum ^= folded(values[i]);
    }
    stamp_end(launch.stamps);
    keep(sum, launch.kept);
}

int start_hbm_read(const KernelLaunch& launch) {
    roofwalk_hbm_read<<<launch.blocks, stream::threads>>>(launch);
    return cudaGetLastError();
}

}  // namespace roofwalk::ceilings

// SPDX-License-Identifier: Apache-2.0
// DRAM, write only: the shape of hbm_read with eight 16-byte stores for each thread and tile, of numbers that
// differ from thread to thread and tile to tile. Whole sectors are written, so that nothing is read before.
#include "profiler/benchmarks/device_code.cuh"

namespace roofwalk::ceilings {

extern "C" __global__ void __launch_bounds__(stream::threads, stream::blocks_per_sm)
    roofwalk_hbm_write(KernelLaunch launch) {
    constexpr unsigned tile = stream::tile_bytes / load_bytes;
    uint4* to = static_cast<uint4*>(launch.memory) + 1ULL * blockIdx.x * tile + threadIdx.x;
    const unsigned long long stride = 1ULL * gridDim.x * tile;
    const unsigned seed = random_bits(blockIdx.x * stream::threads + threadIdx.x);
    uint4 value = make_uint4(seed, seed * 3, seed * 5, seed * 7);
    stamp_start(launch.stamps);
#pragma unroll 1
    for (unsigned long long round = 0; round < launch.rounds; ++round, to += stride) {
#pragma unroll
        for (unsigned i = 0; i < stream::accesses; ++i) {
            value.x += 0x9e3779b9U;
            value.z ^= value.x;
            store_streaming(to + i * stream::threads, value);
        }
    }
    stamp_end(launch.stamps);
}

int start_hbm_write(const KernelLaunch& launch) {
    roofwalk_hbm_write<<<launch.blocks, stream::threads>>>(launch);
    return cudaGetLastError();
}

}  // namespace roofwalk::ceilings

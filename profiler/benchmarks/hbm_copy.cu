// SPDX-License-Identifier: Apache-2.0
// DRAM, one byte written for each byte read: the first half of the memory is copied to the second, tile by
// tile as in hbm_read, all loads of a tile before its stores. Bytes are counted on both sides. Lower than the
// read figure, because DRAM loses time when it turns from reading to writing.
#include "profiler/benchmarks/device_code.cuh"

namespace roofwalk::ceilings {

extern "C" __global__ void __launch_bounds__(stream::threads, stream::blocks_per_sm)
    roofwalk_hbm_copy(KernelLaunch launch) {
    constexpr unsigned tile = stream::tile_bytes / load_bytes;
    const uint4* from = static_cast<const uint4*>(launch.memory) + 1ULL * blockIdx.x * tile + threadIdx.x;
    const unsigned long long stride = 1ULL * gridDim.x * tile;
    const unsigned long long half = stride * launch.rounds;
    stamp_start(launch.stamps);
#pragma unroll 1
    for (unsigned long long round = 0; round < launch.rounds; ++round, from += stride) {
        uint4 values[stream::accesses];
#pragma unroll
        for (unsigned i = 0; i < stream::accesses; ++i)
            values[i] = load_streaming(from + i * stream::threads);
        uint4* to = const_cast<uint4*>(from) + half;
#pragma unroll
        for (unsigned i = 0; i < stream::accesses; ++i)
            store_streaming(to + i * stream::threads, values[i]);
    }
    stamp_end(launch.stamps);
}

int start_hbm_copy(const KernelLaunch& launch) {
    roofwalk_hbm_copy<<<launch.blocks, stream::threads>>>(launch);
    return cudaGetLastError();
}

}  // namespace roofwalk::ceilings

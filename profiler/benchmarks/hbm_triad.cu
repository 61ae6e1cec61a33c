// SPDX-License-Identifier: Apache-2.0
// DRAM, two bytes read for each one written: a[i] = b[i] + s * c[i] over three thirds of the memory, as in
// McCalpin's STREAM, tile by tile as in hbm_read. Bytes of all three arrays are counted; there is no write
// allocation on a GPU, where whole sectors are written.
#include "profiler/benchmarks/device_code.cuh"

namespace roofwalk::ceilings {

namespace {

__device__ __forceinline__ unsigned scaled_sum(unsigned b, unsigned c) {
    return __float_as_uint(fmaf(0.4F, __uint_as_float(c), __uint_as_float(b)));
}

}  // namespace

extern "C" __global__ void __launch_bounds__(stream::threads, stream::blocks_per_sm)
    roofwalk_hbm_triad(KernelLaunch launch) {
    constexpr unsigned tile = stream::tile_bytes / load_bytes;
    const uint4* b = static_cast<const uint4*>(launch.memory) + 1ULL * blockIdx.x * tile + threadIdx.x;
    const unsigned long long stride = 1ULL * gridDim.x * tile;
    const unsigned long long third = stride * launch.rounds;
    stamp_start(launch.stamps);
#pragma unroll 1
    for (unsigned long long round = 0; round < launch.rounds; ++round, b += stride) {
        // Two halves of a tile: both operands of a whole one would not fit into the registers.
#pragma unroll
        for (unsigned first = 0; first < stream::accesses; first += stream::accesses / 2) {
            uint4 left[stream::accesses / 2];
            uint4 right[stream::accesses / 2];
#pragma unroll
            for (unsigned i = 0; i < stream::accesses / 2; ++i) {
                left[i] = load_streaming(b + (first + i) * stream::threads);
                right[i] = load_streaming(b + third + (first + i) * stream::threads);
            }
            uint4* a = const_cast<uint4*>(b) + 2 * third;
#pragma unroll
            for (unsigned i = 0; i < stream::accesses / 2; ++i)
                store_streaming(
                    a + (first + i) * stream::threads,
                    make_uint4(scaled_sum(left[i].x, right[i].x), scaled_sum(left[i].y, right[i].y),
                               scaled_sum(left[i].z, right[i].z), scaled_sum(left[i].w, right[i].w)));
        }
    }
    stamp_end(launch.stamps);
}

int start_hbm_triad(const KernelLaunch& launch) {
    roofwalk_hbm_triad<<<launch.blocks, stream::threads>>>(launch);
    return cudaGetLastError();
}

}  // namespace roofwalk::ceilings

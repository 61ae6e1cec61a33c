// SPDX-License-Identifier: Apache-2.0
// DRAM: read, written, copied, and as in STREAM.
#include "profiler/benchmarks/device_code.cuh"

namespace roofwalk::ceilings {

namespace {

__device__ __forceinline__ unsigned scaled_sum(unsigned b, unsigned c) {
    return __float_as_uint(fmaf(0.4F, __uint_as_float(c), __uint_as_float(b)));
}

}  // namespace

/// DRAM, read only. Blocks that stay on their SM walk through one large array, tile after tile: a tile is 512
/// threads times eight independent 16-byte loads, so that 128 KiB are in flight on each SM. The array is read
/// once; it is far larger than L2, and what L2 keeps of the last run is gone when the reading comes back to
/// it. A round is one tile of each block. All that is read is folded together and kept.
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

/// DRAM, write only: the shape of reading with eight 16-byte stores for each thread and tile, of numbers that
/// differ from thread to thread and tile to tile. Whole sectors are written, so that nothing is read before.
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

/// DRAM, one byte written for each byte read: the first half of the memory is copied to the second, tile by
/// tile as in reading, all loads of a tile before its stores. Bytes are counted on both sides. Lower than the
/// read figure, because DRAM loses time when it turns from reading to writing.
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

/// DRAM, two bytes read for each one written: a[i] = b[i] + s * c[i] over three thirds of the memory, as in
/// McCalpin's STREAM, tile by tile as in reading. Bytes of all three arrays are counted; there is no write
/// allocation on a GPU, where whole sectors are written.
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

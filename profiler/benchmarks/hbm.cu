// SPDX-License-Identifier: Apache-2.0
// DRAM: read, written, copied, and as in STREAM.
#include "profiler/benchmarks/device_code.cuh"

namespace roofwalk::ceilings {

namespace {

__device__ __forceinline__ unsigned scaled_sum(unsigned b, unsigned c) {
    return __float_as_uint(fmaf(0.4F, __uint_as_float(c), __uint_as_float(b)));
}

/// Copy and triad: as many blocks as move what the rounds of blocks that stay would.
unsigned moving_blocks(const KernelLaunch& launch) {
    return static_cast<unsigned>(launch.rounds * launch.blocks * moved::tiles_per_round);
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

ROOFWALK_START(hbm_read, launch.blocks, stream)

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

ROOFWALK_START(hbm_write, launch.blocks, stream)

/// DRAM, one byte written for each byte read: the first half of the memory is copied to the second, 16 bytes
/// by each thread of blocks that end with it. An H100 moves 3.03 TB/s this way, as cudaMemcpy does, and 2.87
/// at most by blocks that stay on their SM, however they are cut. Bytes are counted on both sides. Lower than
/// the read figure, because DRAM loses time when it turns from reading to writing. Blocks that end stamp no
/// time.
extern "C" __global__ void __launch_bounds__(moved::threads) roofwalk_hbm_copy(KernelLaunch launch) {
    const unsigned long long half = 1ULL * gridDim.x * moved::threads;
    uint4* from = static_cast<uint4*>(launch.memory) + 1ULL * blockIdx.x * moved::threads + threadIdx.x;
    store_streaming(from + half, load_streaming(from));
}

ROOFWALK_START(hbm_copy, moving_blocks(launch), moved)

/// DRAM, two bytes read for each one written: a[i] = b[i] + s * c[i] over three thirds of the memory, as in
/// McCalpin's STREAM, cut as the copy is. Bytes of all three arrays are counted; there is no write allocation
/// on a GPU, where whole sectors are written.
extern "C" __global__ void __launch_bounds__(moved::threads) roofwalk_hbm_triad(KernelLaunch launch) {
    const unsigned long long third = 1ULL * gridDim.x * moved::threads;
    uint4* at = static_cast<uint4*>(launch.memory) + 1ULL * blockIdx.x * moved::threads + threadIdx.x;
    const uint4 b = load_streaming(at);
    const uint4 c = load_streaming(at + third);
    store_streaming(at + 2 * third, make_uint4(scaled_sum(b.x, c.x), scaled_sum(b.y, c.y),
                                               scaled_sum(b.z, c.z), scaled_sum(b.w, c.w)));
}

ROOFWALK_START(hbm_triad, moving_blocks(launch), moved)

}  // namespace roofwalk::ceilings

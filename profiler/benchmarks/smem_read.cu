// SPDX-License-Identifier: Apache-2.0
// Shared memory, read only, without bank conflicts: a warp reads 512 consecutive bytes with one 16-byte load
// for each thread, which takes four wavefronts of 128 bytes. 32 loads from different rows make a round; where
// they start moves from round to round, so that none can be done once for all.
#include "profiler/benchmarks/device_code.cuh"

namespace roofwalk::ceilings {

extern "C" __global__ void __launch_bounds__(shared::threads, shared::blocks_per_sm)
    roofwalk_smem_read(KernelLaunch launch) {
    __shared__ uint4 memory[shared::bytes / load_bytes];
    constexpr unsigned row = shared::threads * load_bytes;
    constexpr unsigned rows = shared::bytes / row;
    for (unsigned i = threadIdx.x; i < shared::bytes / load_bytes; i += shared::threads)
        memory[i] = make_uint4(random_bits(4 * i), random_bits(4 * i + 1), random_bits(4 * i + 2),
                               random_bits(4 * i + 3));
    const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(memory));
    unsigned at = threadIdx.x * load_bytes;
    unsigned sum = 0;
    stamp_start(launch.stamps);
#pragma unroll 1
    for (unsigned long long round = 0; round < launch.rounds; ++round) {
        uint4 folds = make_uint4(0, 0, 0, 0);
#pragma unroll
        for (unsigned i = 0; i < shared::loads; ++i) {
            const uint4 value = load_shared(base + at + (i % rows) * row);
            folds.x ^= value.x;
            folds.y ^= value.y;
            folds.z ^= value.z;
            folds.w ^= value.w;
        }
        sum += folded(folds);
        // To the place of another thread of the same warp's row: still 512 consecutive bytes for each warp.
        at = (at + warp_threads * load_bytes) % row;
    }
    stamp_end(launch.stamps);
    keep(sum, launch.kept);
}

ROOFWALK_START(smem_read, launch.blocks, shared)

}  // namespace roofwalk::ceilings

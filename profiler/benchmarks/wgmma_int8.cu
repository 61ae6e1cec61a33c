// SPDX-License-Identifier: Apache-2.0
// Tensor cores of Hopper, INT8 with INT32 accumulators, by wgmma m64n256k32: see wgmma.cuh. Random operands.
#include "profiler/benchmarks/wgmma.cuh"

namespace roofwalk::ceilings {

namespace {

struct WgmmaInt8 {
    using Operand = ByteOperand;
    using Accumulator = int;
    static __device__ __forceinline__ void run_round(int (&d)[128], unsigned long long a,
                                                     unsigned long long b) {
        ROOFWALK_WGMMA_ROUND("wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8", "+r", "", d, a, b);
    }
    static __device__ __forceinline__ unsigned bits(int value) { return static_cast<unsigned>(value); }
};

}  // namespace

extern "C" __global__ void __launch_bounds__(wgmma::threads, wgmma::blocks_per_sm)
    roofwalk_wgmma_int8(KernelLaunch launch) {
    run_wgmma<WgmmaInt8>(launch);
}

int start_wgmma_int8(const KernelLaunch& launch) {
    roofwalk_wgmma_int8<<<launch.blocks, wgmma::threads>>>(launch);
    return cudaGetLastError();
}

}  // namespace roofwalk::ceilings

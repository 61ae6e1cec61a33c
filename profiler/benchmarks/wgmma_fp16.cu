// SPDX-License-Identifier: Apache-2.0
// Tensor cores of Hopper, FP16 with FP32 accumulators, by wgmma m64n256k16: see wgmma.cuh. Random operands.
#include "profiler/benchmarks/wgmma.cuh"

namespace roofwalk::ceilings {

namespace {

struct WgmmaFp16 {
    using Operand = HalfOperand;
    using Accumulator = float;
    static __device__ __forceinline__ void run_round(float (&d)[128], unsigned long long a,
                                                     unsigned long long b) {
        ROOFWALK_WGMMA_ROUND("wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16", "+f", ", 1, 1, 0, 0", d, a, b);
    }
    static __device__ __forceinline__ unsigned bits(float value) { return __float_as_uint(value); }
};

}  // namespace

extern "C" __global__ void __launch_bounds__(wgmma::threads, wgmma::blocks_per_sm)
    roofwalk_wgmma_fp16(KernelLaunch launch) {
    run_wgmma<WgmmaFp16>(launch);
}

int start_wgmma_fp16(const KernelLaunch& launch) {
    roofwalk_wgmma_fp16<<<launch.blocks, wgmma::threads>>>(launch);
    return cudaGetLastError();
}

}  // namespace roofwalk::ceilings

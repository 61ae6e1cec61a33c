// SPDX-License-Identifier: Apache-2.0
// Tensor cores of Hopper, TF32 with FP32 accumulators, by wgmma m64n256k8: see wgmma.cuh. Random operands.
#include "profiler/benchmarks/wgmma.cuh"

namespace roofwalk::ceilings {

namespace {

struct WgmmaTf32 {
    using Operand = Tf32Operand;
    using Accumulator = float;
    static __device__ __forceinline__ void run_round(float (&d)[128], unsigned long long a,
                                                     unsigned long long b) {
        ROOFWALK_WGMMA_ROUND("wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32", "+f", ", 1, 1", d, a, b);
    }
    static __device__ __forceinline__ unsigned bits(float value) { return __float_as_uint(value); }
};

}  // namespace

extern "C" __global__ void __launch_bounds__(wgmma::threads, wgmma::blocks_per_sm)
    roofwalk_wgmma_tf32(KernelLaunch launch) {
    run_wgmma<WgmmaTf32>(launch);
}

int start_wgmma_tf32(const KernelLaunch& launch) {
    roofwalk_wgmma_tf32<<<launch.blocks, wgmma::threads>>>(launch);
    return cudaGetLastError();
}

}  // namespace roofwalk::ceilings

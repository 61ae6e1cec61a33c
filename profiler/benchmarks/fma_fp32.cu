// SPDX-License-Identifier: Apache-2.0
// The FP32 pipe: chains of FFMA, see fma_chains.cuh. Two FLOP for each thread and instruction.
#include "profiler/benchmarks/fma_chains.cuh"

namespace roofwalk::ceilings {

namespace {

struct Single {
    using Register = float;
    static __device__ __forceinline__ Register make(float value) { return value; }
    static __device__ __forceinline__ Register step(Register x, Register a, Register b) {
        return fmaf(x, a, b);
    }
    static __device__ __forceinline__ unsigned bits(Register x) { return __float_as_uint(x); }
};

}  // namespace

extern "C" __global__ void __launch_bounds__(fma::threads, fma::blocks_per_sm)
    roofwalk_fma_fp32(KernelLaunch launch) {
    run_fma_chains<Single>(launch);
}

int start_fma_fp32(const KernelLaunch& launch) {
    roofwalk_fma_fp32<<<launch.blocks, fma::threads>>>(launch);
    return cudaGetLastError();
}

}  // namespace roofwalk::ceilings

// SPDX-License-Identifier: Apache-2.0
// The FP64 pipe: chains of DFMA, see fma_chains.cuh. Two FLOP for each thread and instruction.
#include "profiler/benchmarks/fma_chains.cuh"

namespace roofwalk::ceilings {

namespace {

struct Double {
    using Register = double;
    static __device__ __forceinline__ Register make(float value) { return value; }
    static __device__ __forceinline__ Register step(Register x, Register a, Register b) {
        return ::fma(x, a, b);
    }
    static __device__ __forceinline__ unsigned bits(Register x) {
        return static_cast<unsigned>(__double2loint(x));
    }
};

}  // namespace

extern "C" __global__ void __launch_bounds__(fma::threads, fma::blocks_per_sm)
    roofwalk_fma_fp64(KernelLaunch launch) {
    run_fma_chains<Double>(launch);
}

int start_fma_fp64(const KernelLaunch& launch) {
    roofwalk_fma_fp64<<<launch.blocks, fma::threads>>>(launch);
    return cudaGetLastError();
}

}  // namespace roofwalk::ceilings

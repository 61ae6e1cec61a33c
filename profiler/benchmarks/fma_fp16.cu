// SPDX-License-Identifier: Apache-2.0
// The FP16 pipe, packed: chains of HFMA2, see fma_chains.cuh. Two numbers in a register, four FLOP for each
// thread and instruction.
#include "profiler/benchmarks/fma_chains.cuh"

namespace roofwalk::ceilings {

namespace {

struct PackedHalf {
    using Register = unsigned;
    static __device__ __forceinline__ Register make(float value) {
        unsigned short half;
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(value));
        return half * 0x10001U;
    }
    static __device__ __forceinline__ Register step(Register x, Register a, Register b) {
        asm("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b));
        return x;
    }
    static __device__ __forceinline__ unsigned bits(Register x) { return x; }
};

}  // namespace

extern "C" __global__ void __launch_bounds__(fma::threads, fma::blocks_per_sm)
    roofwalk_fma_fp16(KernelLaunch launch) {
    run_fma_chains<PackedHalf>(launch);
}

int start_fma_fp16(const KernelLaunch& launch) {
    roofwalk_fma_fp16<<<launch.blocks, fma::threads>>>(launch);
    return cudaGetLastError();
}

}  // namespace roofwalk::ceilings

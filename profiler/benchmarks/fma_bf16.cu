// SPDX-License-Identifier: Apache-2.0
// BF16, packed: chains of HFMA2.BF16, see fma_chains.cuh. Two numbers in a register, four FLOP for each
// thread and instruction. From compute capability 8.0 on.
#include "profiler/benchmarks/fma_chains.cuh"

namespace roofwalk::ceilings {

namespace {

struct PackedBrain {
    using Register = unsigned;
    static __device__ __forceinline__ Register make(float value) {
        return (__float_as_uint(value) >> 16) * 0x10001U;
    }
    static __device__ __forceinline__ Register step(Register x, Register a, Register b) {
        asm("fma.rn.bf16x2 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b));
        return x;
    }
    static __device__ __forceinline__ unsigned bits(Register x) { return x; }
};

}  // namespace

extern "C" __global__ void __launch_bounds__(fma::threads, fma::blocks_per_sm)
    roofwalk_fma_bf16(KernelLaunch launch) {
#if __CUDA_ARCH__ >= 800
    run_fma_chains<PackedBrain>(launch);
#endif
}

int start_fma_bf16(const KernelLaunch& launch) {
    roofwalk_fma_bf16<<<launch.blocks, fma::threads>>>(launch);
    return cudaGetLastError();
}

}  // namespace roofwalk::ceilings

// SPDX-License-Identifier: Apache-2.0
// Tensor cores, FP8 (E4M3) with FP32 accumulators, by mma.sync m16n8k32: see mma_chains.cuh. Random operands.
// Built for compute capabilities 8.9 and 12.0, which have it in hardware.
#include "profiler/benchmarks/mma_chains.cuh"

namespace roofwalk::ceilings {

namespace {

struct MmaFp8 : FloatProduct<Fp8Operand, 4, 2> {
    static __device__ __forceinline__ void multiply(float (&d)[4], const unsigned (&a)[4],
                                                    const unsigned (&b)[2]) {
        ROOFWALK_MMA_F32_4_2("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", d, a, b);
    }
};

}  // namespace

extern "C" __global__ void __launch_bounds__(mma::threads, mma::blocks_per_sm)
    roofwalk_mma_fp8(KernelLaunch launch) {
    run_mma_chains<MmaFp8>(launch);
}

int start_mma_fp8(const KernelLaunch& launch) {
    roofwalk_mma_fp8<<<launch.blocks, mma::threads>>>(launch);
    return cudaGetLastError();
}

}  // namespace roofwalk::ceilings

// SPDX-License-Identifier: Apache-2.0
// Tensor cores, TF32 with FP32 accumulators, by mma.sync m16n8k8: see mma_chains.cuh. Random operands. From
// compute capability 8.0 on.
#include "profiler/benchmarks/mma_chains.cuh"

namespace roofwalk::ceilings {

namespace {

struct MmaTf32 : FloatProduct<Tf32Operand, 4, 2> {
    static __device__ __forceinline__ void multiply(float (&d)[4], const unsigned (&a)[4],
                                                    const unsigned (&b)[2]) {
        ROOFWALK_MMA_F32_4_2("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", d, a, b);
    }
};

}  // namespace

extern "C" __global__ void __launch_bounds__(mma::threads, mma::blocks_per_sm)
    roofwalk_mma_tf32(KernelLaunch launch) {
#if __CUDA_ARCH__ >= 800
    run_mma_chains<MmaTf32>(launch);
#endif
}

int start_mma_tf32(const KernelLaunch& launch) {
    roofwalk_mma_tf32<<<launch.blocks, mma::threads>>>(launch);
    return cudaGetLastError();
}

}  // namespace roofwalk::ceilings

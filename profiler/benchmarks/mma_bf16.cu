// SPDX-License-Identifier: Apache-2.0
// Tensor cores, BF16 with FP32 accumulators, by mma.sync m16n8k16: see mma_chains.cuh. Random operands. From
// compute capability 8.0 on.
#include "profiler/benchmarks/mma_chains.cuh"

namespace roofwalk::ceilings {

namespace {

struct MmaBf16 : FloatProduct<BrainOperand, 4, 2> {
    static __device__ __forceinline__ void multiply(float (&d)[4], const unsigned (&a)[4],
                                                    const unsigned (&b)[2]) {
        ROOFWALK_MMA_F32_4_2("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", d, a, b);
    }
};

}  // namespace

extern "C" __global__ void __launch_bounds__(mma::threads, mma::blocks_per_sm)
    roofwalk_mma_bf16(KernelLaunch launch) {
#if __CUDA_ARCH__ >= 800
    run_mma_chains<MmaBf16>(launch);
#endif
}

int start_mma_bf16(const KernelLaunch& launch) {
    roofwalk_mma_bf16<<<launch.blocks, mma::threads>>>(launch);
    return cudaGetLastError();
}

}  // namespace roofwalk::ceilings

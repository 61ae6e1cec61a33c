// SPDX-License-Identifier: Apache-2.0
// Tensor cores, FP16 with FP32 accumulators, by mma.sync m16n8k16 (m16n8k8 on compute capability 7.5): see
// mma_chains.cuh. Random operands.
#include "profiler/benchmarks/mma_chains.cuh"

namespace roofwalk::ceilings {

namespace {

#if __CUDA_ARCH__ >= 800
struct MmaFp16 : FloatProduct<HalfOperand, 4, 2> {
    static __device__ __forceinline__ void multiply(float (&d)[4], const unsigned (&a)[4],
                                                    const unsigned (&b)[2]) {
        ROOFWALK_MMA_F32_4_2("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", d, a, b);
    }
};
#else
struct MmaFp16 : FloatProduct<HalfOperand, 2, 1> {
    static __device__ __forceinline__ void multiply(float (&d)[4], const unsigned (&a)[2],
                                                    const unsigned (&b)[1]) {
        asm volatile(
            "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, "
            "{%0, %1, %2, %3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(b[0]));
    }
};
#endif

}  // namespace

extern "C" __global__ void __launch_bounds__(mma::threads, mma::blocks_per_sm)
    roofwalk_mma_fp16(KernelLaunch launch) {
    run_mma_chains<MmaFp16>(launch);
}

int start_mma_fp16(const KernelLaunch& launch) {
    roofwalk_mma_fp16<<<launch.blocks, mma::threads>>>(launch);
    return cudaGetLastError();
}

}  // namespace roofwalk::ceilings

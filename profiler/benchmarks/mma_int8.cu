// SPDX-License-Identifier: Apache-2.0
// Tensor cores, INT8 with INT32 accumulators, by mma.sync m16n8k32 (m8n8k16 on compute capability 7.5): see
// mma_chains.cuh. Random operands.
#include "profiler/benchmarks/mma_chains.cuh"

namespace roofwalk::ceilings {

namespace {

#if __CUDA_ARCH__ >= 800
struct MmaInt8 : UsualFragments {
    using A = Fragment<unsigned, 4>;
    using B = Fragment<unsigned, 2>;
    using D = Fragment<int, 4>;
    static __device__ __forceinline__ void multiply(int (&d)[4], const unsigned (&a)[4],
                                                    const unsigned (&b)[2]) {
        asm volatile(
            "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
            "{%0, %1, %2, %3};"
            : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    }
#else
struct MmaInt8 : UsualFragments {
    using A = Fragment<unsigned, 1>;
    using B = Fragment<unsigned, 1>;
    using D = Fragment<int, 2>;
    static __device__ __forceinline__ void multiply(int (&d)[2], const unsigned (&a)[1],
                                                    const unsigned (&b)[1]) {
        asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                     : "+r"(d[0]), "+r"(d[1])
                     : "r"(a[0]), "r"(b[0]));
    }
#endif
    static __device__ __forceinline__ void fill(unsigned& value, unsigned seed) {
        value = ByteOperand::word(seed);
    }
    static __device__ __forceinline__ unsigned bits(int value) {
        return static_cast<unsigned>(value);
    }
};

}  // namespace

extern "C" __global__ void __launch_bounds__(mma::threads, mma::blocks_per_sm)
    roofwalk_mma_int8(KernelLaunch launch) {
    run_mma_chains<MmaInt8>(launch);
}

int start_mma_int8(const KernelLaunch& launch) {
    roofwalk_mma_int8<<<launch.blocks, mma::threads>>>(launch);
    return cudaGetLastError();
}

}  // namespace roofwalk::ceilings

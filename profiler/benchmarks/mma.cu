// SPDX-License-Identifier: Apache-2.0
// Tensor cores by mma.sync: see mma_chains.cuh. Random operands.
#include "profiler/benchmarks/mma_chains.cuh"

namespace roofwalk::ceilings {

namespace {

/// FP16 with FP32 accumulators, m16n8k16; m16n8k8 on compute capability 7.5.
#if __CUDA_ARCH__ >= 800
ROOFWALK_FLOAT_PRODUCT(MmaFp16, HalfOperand, "m16n8k16.row.col.f32.f16.f16.f32")
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

/// BF16 with FP32 accumulators, m16n8k16. From compute capability 8.0 on, as TF32.
ROOFWALK_FLOAT_PRODUCT(MmaBf16, BrainOperand, "m16n8k16.row.col.f32.bf16.bf16.f32")

/// TF32 with FP32 accumulators, m16n8k8.
ROOFWALK_FLOAT_PRODUCT(MmaTf32, Tf32Operand, "m16n8k8.row.col.f32.tf32.tf32.f32")

/// INT8 with INT32 accumulators, m16n8k32; m8n8k16 on compute capability 7.5.
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
};

/// FP64, m16n8k16; m8n8k4 before compute capability 9.0. From 8.0 on; only the chips for data centres have
/// such cores.
#if __CUDA_ARCH__ >= 900
struct MmaFp64 {
    static constexpr unsigned fragments_of_a = 1;
    static constexpr unsigned fragments_of_b = 2;
    using A = Fragment<double, 8>;
    using B = Fragment<double, 4>;
    using D = Fragment<double, 4>;
    static __device__ __forceinline__ void multiply(double (&d)[4], const double (&a)[8],
                                                    const double (&b)[4]) {
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
            "{%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};"
            : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
            : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]),
              "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
    }
#else
struct MmaFp64 {
    static constexpr unsigned fragments_of_a = 1;
    static constexpr unsigned fragments_of_b = 2;
    using A = Fragment<double, 1>;
    using B = Fragment<double, 1>;
    using D = Fragment<double, 2>;
    static __device__ __forceinline__ void multiply(double (&d)[2], const double (&a)[1],
                                                    const double (&b)[1]) {
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                     : "+d"(d[0]), "+d"(d[1])
                     : "d"(a[0]), "d"(b[0]));
    }
#endif
    static __device__ __forceinline__ void fill(double& value, unsigned seed) {
        value = random_normal(seed);
    }
};

}  // namespace

ROOFWALK_KERNEL(mma_fp16, mma, run_mma_chains<MmaFp16>, true)
ROOFWALK_KERNEL(mma_bf16, mma, run_mma_chains<MmaBf16>, architecture >= 800)
ROOFWALK_KERNEL(mma_tf32, mma, run_mma_chains<MmaTf32>, architecture >= 800)
ROOFWALK_KERNEL(mma_int8, mma, run_mma_chains<MmaInt8>, true)
ROOFWALK_KERNEL(mma_fp64, mma, run_mma_chains<MmaFp64>, architecture >= 800 && architecture < 1100)

}  // namespace roofwalk::ceilings

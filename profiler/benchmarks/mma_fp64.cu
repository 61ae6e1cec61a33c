// SPDX-License-Identifier: Apache-2.0
// Tensor cores, FP64, by mma.sync m16n8k16 (m8n8k4 before compute capability 9.0): see mma_chains.cuh. Random
// operands. From compute capability 8.0 on; only the chips for data centres have such cores.
#include "profiler/benchmarks/mma_chains.cuh"

namespace roofwalk::ceilings {

namespace {

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
    static __device__ __forceinline__ unsigned bits(double value) {
        return static_cast<unsigned>(__double2loint(value));
    }
};

}  // namespace

extern "C" __global__ void __launch_bounds__(mma::threads, mma::blocks_per_sm)
    roofwalk_mma_fp64(KernelLaunch launch) {
#if __CUDA_ARCH__ >= 800 && __CUDA_ARCH__ < 1100
    run_mma_chains<MmaFp64>(launch);
#endif
}

int start_mma_fp64(const KernelLaunch& launch) {
    roofwalk_mma_fp64<<<launch.blocks, mma::threads>>>(launch);
    return cudaGetLastError();
}

}  // namespace roofwalk::ceilings

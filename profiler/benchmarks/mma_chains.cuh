// SPDX-License-Identifier: Apache-2.0
// Chains of mma.sync with all fragments in registers: each of 16 warps on an SM has eight accumulators that
// do not wait for each other, and multiplies a few fragments of A with a few of B in turn, so that operands
// change from one instruction to the next. 32 products make a round.
#pragma once

#include "profiler/benchmarks/operands.cuh"

namespace roofwalk::ceilings {

/// `Product` has: A, B, D (fragments), fragments_of_a, fragments_of_b, fill(register, seed), multiply(d, a,
/// b).
template <class Product>
__device__ __forceinline__ void run_mma_chains(const KernelLaunch& launch) {
    constexpr unsigned fragments_of_a = Product::fragments_of_a;
    constexpr unsigned fragments_of_b = Product::fragments_of_b;
    typename Product::A a[fragments_of_a];
    typename Product::B b[fragments_of_b];
    typename Product::D d[mma::chains] = {};
    unsigned seed = (blockIdx.x * mma::threads + threadIdx.x) * 64;
#pragma unroll
    for (auto& fragment : a)
#pragma unroll
        for (auto& value : fragment.values)
            Product::fill(value, seed++);
#pragma unroll
    for (auto& fragment : b)
#pragma unroll
        for (auto& value : fragment.values)
            Product::fill(value, seed++);
    stamp_start(launch.stamps);
#pragma unroll 1
    for (unsigned long long round = 0; round < launch.rounds; ++round) {
#pragma unroll
        for (unsigned step = 0; step < mma::steps; ++step) {
#pragma unroll
            for (unsigned i = 0; i < mma::chains; ++i)
                Product::multiply(d[i].values, a[i % fragments_of_a].values,
                                  b[i / fragments_of_a % fragments_of_b].values);
        }
    }
    stamp_end(launch.stamps);
    unsigned sum = 0;
#pragma unroll
    for (const auto& accumulator : d)
#pragma unroll
        for (const auto value : accumulator.values)
            sum += bits_of(value);
    keep(sum, launch.kept);
}

/// How many fragments of operands are multiplied in turn, unless their registers are short.
struct UsualFragments {
    static constexpr unsigned fragments_of_a = 2;
    static constexpr unsigned fragments_of_b = 4;
};

/// A fragment of `Count` registers.
template <class Register, unsigned Count>
struct Fragment {
    Register values[Count];
};

/// What products with packed operands and FP32 accumulators have in common.
template <class Operand, unsigned CountA, unsigned CountB>
struct FloatProduct : UsualFragments {
    using A = Fragment<unsigned, CountA>;
    using B = Fragment<unsigned, CountB>;
    using D = Fragment<float, 4>;
    static __device__ __forceinline__ void fill(unsigned& value, unsigned seed) {
        value = Operand::word(seed);
    }
};

/// The product D += A * B of that INSTRUCTION: four registers of A, two of B, four FP32 accumulators.
#define ROOFWALK_FLOAT_PRODUCT(PRODUCT, OPERAND, INSTRUCTION)                                  \
    struct PRODUCT : FloatProduct<OPERAND, 4, 2> {                                             \
        static __device__ __forceinline__ void multiply(float (&d)[4], const unsigned (&a)[4], \
                                                        const unsigned (&b)[2]) {              \
            asm volatile("mma.sync.aligned." INSTRUCTION                                       \
                         " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"    \
                         : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                      \
                         : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));  \
        }                                                                                      \
    };

}  // namespace roofwalk::ceilings

// SPDX-License-Identifier: Apache-2.0
// Chains of FMA in registers: each thread has eight chains x = x * x + c that do not wait for each other, and
// with 32 warps on an SM the pipe always has work. 256 FMA make a round, so that counting rounds costs
// little. With c from -1.8 to -1.5 the chains are chaotic and stay within 1.8: the bits of x change in every
// step, where a chain with fixed factors soon comes to rest.
#include "profiler/benchmarks/device_code.cuh"

namespace roofwalk::ceilings {

/// `Number` has: Register, make(float), step(x, a, b).
template <class Number>
__device__ __forceinline__ void run_fma_chains(const KernelLaunch& launch) {
    using Register = typename Number::Register;
    const unsigned seed = (blockIdx.x * fma::threads + threadIdx.x) * 16;
    Register x[fma::chains];
#pragma unroll
    for (unsigned i = 0; i < fma::chains; ++i)
        x[i] = Number::make(0.1F * random_normal(seed + i));
    const Register c = Number::make(-1.5F - 0.02F * static_cast<float>(threadIdx.x % 16));
    stamp_start(launch.stamps);
#pragma unroll 1
    for (unsigned long long round = 0; round < launch.rounds; ++round) {
#pragma unroll
        for (unsigned step = 0; step < fma::steps; ++step) {
#pragma unroll
            for (unsigned i = 0; i < fma::chains; ++i)
                x[i] = Number::step(x[i], x[i], c);
        }
    }
    stamp_end(launch.stamps);
    unsigned sum = 0;
#pragma unroll
    for (unsigned i = 0; i < fma::chains; ++i)
        sum += bits_of(x[i]);
    keep(sum, launch.kept);
}

namespace {

/// Chains of DFMA, two FLOP for each thread and instruction, as of FFMA.
struct Double {
    using Register = double;
    static __device__ __forceinline__ Register make(float value) { return value; }
    static __device__ __forceinline__ Register step(Register x, Register a, Register b) {
        return ::fma(x, a, b);
    }
};

struct Single {
    using Register = float;
    static __device__ __forceinline__ Register make(float value) { return value; }
    static __device__ __forceinline__ Register step(Register x, Register a, Register b) {
        return fmaf(x, a, b);
    }
};

/// Chains of HFMA2: two numbers in a register, four FLOP for each thread and instruction.
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
};

/// The same of HFMA2.BF16, from compute capability 8.0 on.
struct PackedBrain {
    using Register = unsigned;
    static __device__ __forceinline__ Register make(float value) {
        return (__float_as_uint(value) >> 16) * 0x10001U;
    }
    static __device__ __forceinline__ Register step(Register x, Register a, Register b) {
        asm("fma.rn.bf16x2 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b));
        return x;
    }
};

}  // namespace

ROOFWALK_KERNEL(fma_fp64, fma, run_fma_chains<Double>, true)
ROOFWALK_KERNEL(fma_fp32, fma, run_fma_chains<Single>, true)
ROOFWALK_KERNEL(fma_fp16, fma, run_fma_chains<PackedHalf>, true)
ROOFWALK_KERNEL(fma_bf16, fma, run_fma_chains<PackedBrain>, architecture >= 800)

}  // namespace roofwalk::ceilings

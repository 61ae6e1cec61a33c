// SPDX-License-Identifier: Apache-2.0
// Chains of FMA in registers: each thread has eight chains x = x * x + c that do not wait for each other, and
// with 32 warps on an SM the pipe always has work. 256 FMA make a round, so that counting rounds costs
// little. With c from -1.8 to -1.5 the chains are chaotic and stay within 1.8: the bits of x change in every
// step, where a chain with fixed factors soon comes to rest.
#include "profiler/benchmarks/device_code.cuh"

namespace roofwalk::ceilings {

/// `Number` has: Register, make(float), step(x, a, b), bits(x).
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
        sum += Number::bits(x[i]);
    keep(sum, launch.kept);
}

// The FP64 pipe: chains of DFMA. Two FLOP for each thread and instruction.

namespace {

struct Double {
    using Register = double;
    static __device__ __forceinline__ Register make(float value) { return value; }
    static __device__ __forceinline__ Register step(Register x, Register a, Register b) {
        return ::fma(x, a, b);
    }
    static __device__ __forceinline__ unsigned bits(Register x) {
        return static_cast<unsigned>(__double2loint(x));
    }
};

}  // namespace

extern "C" __global__ void __launch_bounds__(fma::threads, fma::blocks_per_sm)
    roofwalk_fma_fp64(KernelLaunch launch) {
    run_fma_chains<Double>(launch);
}

int start_fma_fp64(const KernelLaunch& launch) {
    roofwalk_fma_fp64<<<launch.blocks, fma::threads>>>(launch);
    return cudaGetLastError();
}

// The FP32 pipe: chains of FFMA. Two FLOP for each thread and instruction.

namespace {

struct Single {
    using Register = float;
    static __device__ __forceinline__ Register make(float value) { return value; }
    static __device__ __forceinline__ Register step(Register x, Register a, Register b) {
        return fmaf(x, a, b);
    }
    static __device__ __forceinline__ unsigned bits(Register x) { return __float_as_uint(x); }
};

}  // namespace

extern "C" __global__ void __launch_bounds__(fma::threads, fma::blocks_per_sm)
    roofwalk_fma_fp32(KernelLaunch launch) {
    run_fma_chains<Single>(launch);
}

int start_fma_fp32(const KernelLaunch& launch) {
    roofwalk_fma_fp32<<<launch.blocks, fma::threads>>>(launch);
    return cudaGetLastError();
}

// The FP16 pipe, packed: chains of HFMA2. Two numbers in a register, four FLOP for each
// thread and instruction.

namespace {

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
    static __device__ __forceinline__ unsigned bits(Register x) { return x; }
};

}  // namespace

extern "C" __global__ void __launch_bounds__(fma::threads, fma::blocks_per_sm)
    roofwalk_fma_fp16(KernelLaunch launch) {
    run_fma_chains<PackedHalf>(launch);
}

int start_fma_fp16(const KernelLaunch& launch) {
    roofwalk_fma_fp16<<<launch.blocks, fma::threads>>>(launch);
    return cudaGetLastError();
}

// BF16, packed: chains of HFMA2.BF16. Two numbers in a register, four FLOP for each
// thread and instruction. From compute capability 8.0 on.

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

// SPDX-License-Identifier: Apache-2.0
// What the kernels share: stamps of time, random operands, accesses that the compiler leaves as they are.
#pragma once

#include "profiler/benchmarks/kernel_launch.h"
#include "profiler/benchmarks/kernel_shapes.h"

/// start_NAME(): so many blocks of roofwalk_NAME, as wide as SHAPE says.
#define ROOFWALK_START(NAME, BLOCKS, SHAPE)                    \
    int start_##NAME(const KernelLaunch& launch) {             \
        roofwalk_##NAME<<<(BLOCKS), SHAPE::threads>>>(launch); \
        return cudaGetLastError();                             \
    }

/// A kernel roofwalk_NAME, cut as SHAPE says, that calls RUN where `EXISTS` holds, and start_NAME().
#define ROOFWALK_KERNEL(NAME, SHAPE, RUN, EXISTS)                                      \
    extern "C" __global__ void __launch_bounds__(SHAPE::threads, SHAPE::blocks_per_sm) \
        roofwalk_##NAME(KernelLaunch launch) {                                         \
        if constexpr (EXISTS) RUN(launch);                                             \
    }                                                                                  \
    ROOFWALK_START(NAME, launch.blocks, SHAPE)

namespace roofwalk::ceilings {

/// The compute capability that is compiled for, 800 for 8.0; 0 on the host.
#ifdef __CUDA_ARCH__
inline constexpr int architecture = __CUDA_ARCH__;
#else
inline constexpr int architecture = 0;
#endif

__device__ __forceinline__ unsigned long long global_nanoseconds() {
    unsigned long long time;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
    return time;
}

__device__ __forceinline__ void stamp_start(BlockStamp* stamps) {
    __syncthreads();
    if (threadIdx.x != 0) return;
    BlockStamp& stamp = stamps[blockIdx.x];
    asm volatile("mov.u32 %0, %smid;" : "=r"(stamp.sm));
    stamp.start_ns = global_nanoseconds();
    stamp.start_cycle = clock64();
}

__device__ __forceinline__ void stamp_end(BlockStamp* stamps) {
    __syncthreads();
    if (threadIdx.x != 0) return;
    stamps[blockIdx.x].end_cycle = clock64();
    stamps[blockIdx.x].end_ns = global_nanoseconds();
}

__device__ __forceinline__ unsigned bits_of(unsigned value) {
    return value;
}
__device__ __forceinline__ unsigned bits_of(int value) {
    return static_cast<unsigned>(value);
}
__device__ __forceinline__ unsigned bits_of(float value) {
    return __float_as_uint(value);
}
__device__ __forceinline__ unsigned bits_of(double value) {
    return static_cast<unsigned>(__double2loint(value));
}

/// A store that depends on the result: without it the compiler may leave the work out.
__device__ __forceinline__ void keep(unsigned result, unsigned* kept) {
    if (result == 0x9e3779b9U) *kept = result;
}

/// Bits without a pattern (the finaliser of MurmurHash3).
__device__ __forceinline__ unsigned random_bits(unsigned seed) {
    seed = (seed ^ (seed >> 16)) * 0x85ebca6bU;
    seed = (seed ^ (seed >> 13)) * 0xc2b2ae35U;
    return seed ^ (seed >> 16);
}

/// About normal with deviation 1: the sum of four uniform numbers.
__device__ __forceinline__ float random_normal(unsigned seed) {
    const unsigned first = random_bits(seed);
    const unsigned second = random_bits(seed ^ 0x5bd1e995U);
    const unsigned sum = (first & 0xffffU) + (first >> 16) + (second & 0xffffU) + (second >> 16);
    return (static_cast<float>(sum) / 65536.0F - 2.0F) * 1.7320508F;
}

/// 16 bytes past L1, not to be kept in L2 either.
__device__ __forceinline__ uint4 load_streaming(const uint4* at) {
    uint4 value;
    asm volatile("ld.global.cs.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
                 : "l"(at));
    return value;
}

/// 16 bytes from L2: past L1.
__device__ __forceinline__ uint4 load_from_l2(const uint4* at) {
    uint4 value;
    asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
                 : "l"(at));
    return value;
}

/// 16 bytes of shared memory, each time anew: plain loads of one place would become one.
__device__ __forceinline__ uint4 load_shared(unsigned at) {
    uint4 value;
    asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
                 : "r"(at));
    return value;
}

__device__ __forceinline__ void store_streaming(uint4* at, uint4 value) {
    asm volatile("st.global.cs.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(at), "r"(value.x), "r"(value.y),
                 "r"(value.z), "r"(value.w)
                 : "memory");
}

__device__ __forceinline__ unsigned folded(uint4 value) {
    return value.x ^ value.y ^ value.z ^ value.w;
}

}  // namespace roofwalk::ceilings

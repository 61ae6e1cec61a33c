// SPDX-License-Identifier: GPL-3.0-or-later
// Shared memory with and without bank conflicts, filled by asynchronous copies, and left alone by shuffles,
// which pass through the same pipe and must not be counted as its traffic.
#include <cuda_pipeline.h>

#include "tests/gpu/targets/known.h"

namespace {

constexpr std::uint64_t times = 4;
constexpr unsigned threads = 256;
constexpr unsigned warp = 32;
constexpr unsigned rounds = 4096;
constexpr double wavefront = 128;  // bytes

/// `rounds` reads a thread, `stride` words between neighbours: that many wavefronts each.
template <unsigned stride>
__device__ void read_shared(unsigned* out) {
    __shared__ volatile unsigned words[threads * stride];
    for (unsigned i = threadIdx.x; i < threads * stride; i += threads)
        words[i] = i;
    __syncthreads();
    unsigned sum = 0;
    for (unsigned round = 0; round < rounds; ++round)
        sum ^= words[threadIdx.x * stride];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void shared_reads(unsigned* out) {
    read_shared<1>(out);
}

__global__ void shared_conflicts(unsigned* out) {
    read_shared<4>(out);
}

__global__ void shuffle_only(unsigned* out) {
    unsigned value = threadIdx.x;
    for (unsigned round = 0; round < rounds; ++round)
        value ^= __shfl_xor_sync(0xFFFFFFFFU, value, static_cast<int>(1 + round % (warp - 1)));
    out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void async_copy(const float4* from, float4* to, std::size_t count) {
    __shared__ float4 staged[threads];
    for (std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x; i < count;
         i += gridDim.x * std::size_t{threads}) {
        __pipeline_memcpy_async(&staged[threadIdx.x], &from[i], sizeof(float4));
        __pipeline_commit();
        __pipeline_wait_prior(0);
        to[i] = staged[threadIdx.x];
    }
}

}  // namespace

int main() {
    const unsigned blocks = many_blocks();
    const std::size_t bytes = large_array();
    auto* out = device_array<unsigned>(std::size_t{blocks} * threads);
    auto* from = device_array<float4>(bytes / sizeof(float4));
    auto* to = device_array<float4>(bytes / sizeof(float4));
    for (std::uint64_t time = 0; time < times; ++time)
        shared_reads<<<blocks, threads>>>(out);
    for (std::uint64_t time = 0; time < times; ++time)
        shared_conflicts<<<blocks, threads>>>(out);
    for (std::uint64_t time = 0; time < times; ++time)
        shuffle_only<<<blocks, threads>>>(out);
    for (std::uint64_t time = 0; time < times; ++time)
        async_copy<<<blocks, threads>>>(from, to, bytes / sizeof(float4));
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());

    const double warps = static_cast<double>(blocks) * threads / warp;
    const auto size = static_cast<double>(bytes);
    print({"shared_reads", times, {}, {{"smem", warps * (rounds + 1) * wavefront}}, {}, {}});
    print({"shared_conflicts", times, {}, {{"smem", warps * (4.0 * rounds + 4) * wavefront}}, {}, {}});
    print({"shuffle_only", times, {}, {}, {{"smem", 0}}, {}});
    print({"async_copy", times, {}, {{"hbm", 2 * size}, {"l2", 2 * size}}, {}, {{"smem", 2 * size}}});
    return 0;
}

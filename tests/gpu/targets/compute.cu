// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels that compute in registers, and one that adds a single number in each thread.
#include <cuda_fp16.h>

#include "tests/gpu/targets/known.h"

namespace {

constexpr std::uint64_t times = 4;
constexpr unsigned threads = 256;
constexpr unsigned rounds = 1024;
constexpr unsigned chains = 8;

/// `rounds` times `chains` fused multiply-adds a thread, on chains that begin with numbers of their own.
template <class T, class Start, class Step>
__device__ T spin(T value, Start start, Step step) {
    T chain[chains];
    for (unsigned i = 0; i < chains; ++i)
        chain[i] = start(threadIdx.x + i);
    for (unsigned round = 0; round < rounds; ++round)
#pragma unroll
        for (unsigned i = 0; i < chains; ++i)
            chain[i] = step(chain[i], value);
    T last = chain[0];
    for (unsigned i = 1; i < chains; ++i)
        last = step(last, chain[i]);
    return last;
}

__global__ void compute_fp32(float* out, float value) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = spin(
        value, [](unsigned i) { return __uint2float_rn(i); },
        [](float x, float y) { return __fmaf_rn(x, y, y); });
}

__global__ void compute_fp64(double* out, double value) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = spin(
        value, [](unsigned i) { return __uint2double_rn(i); },
        [](double x, double y) { return __fma_rn(x, y, y); });
}

__global__ void compute_fp16(__half2* out, float value) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = spin(
        __float2half2_rn(value), [](unsigned i) { return __half2half2(__uint2half_rn(i)); },
        [](__half2 x, __half2 y) { return __hfma2(x, y, y); });
}

__global__ void one_add(float* numbers) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    numbers[i] = __fadd_rn(numbers[i], 1.0F);
}

}  // namespace

int main() {
    const unsigned blocks = many_blocks();
    const std::size_t count = std::size_t{blocks} * threads;
    auto* floats = device_array<float>(count);
    auto* doubles = device_array<double>(count);
    auto* halves = device_array<__half2>(count);
    for (std::uint64_t time = 0; time < times; ++time)
        compute_fp32<<<blocks, threads>>>(floats, 0.5F);
    for (std::uint64_t time = 0; time < times; ++time)
        compute_fp64<<<blocks, threads>>>(doubles, 0.5);
    for (std::uint64_t time = 0; time < times; ++time)
        compute_fp16<<<blocks, threads>>>(halves, 0.5F);
    for (std::uint64_t time = 0; time < times; ++time)
        one_add<<<blocks, threads>>>(floats);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());

    const auto fused = static_cast<double>(count) * (rounds * chains + chains - 1);
    const auto size = static_cast<double>(count) * sizeof(float);
    print({"compute_fp32", times, {{"fp32", 2 * fused}}, {}, {{"smem", 0}}, {}});
    print({"compute_fp64", times, {{"fp64", 2 * fused}}, {}, {{"smem", 0}}, {}});
    print({"compute_fp16", times, {{"fp16", 4 * fused}}, {}, {{"smem", 0}}, {}});
    print({"one_add", times, {{"fp32", static_cast<double>(count)}}, {{"l2", 2 * size}}, {{"smem", 0}}, {}});
    return 0;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels that move known bytes between HBM and the multiprocessors.
#include "tests/gpu/targets/known.h"

namespace {

constexpr std::uint64_t times = 4;
constexpr unsigned threads = 256;

__device__ std::size_t first() {
    return blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
}

__device__ std::size_t all() {
    return gridDim.x * std::size_t{blockDim.x};
}

__global__ void copy(const float4* from, float4* to, std::size_t count) {
    for (std::size_t i = first(); i < count; i += all())
        to[i] = from[i];
}

__global__ void triad(const float* b, const float* c, float* a, float factor, std::size_t count) {
    for (std::size_t i = first(); i < count; i += all())
        a[i] = fmaf(factor, c[i], b[i]);
}

__global__ void saxpy(float factor, const float* x, float* y, std::size_t count) {
    for (std::size_t i = first(); i < count; i += all())
        y[i] = fmaf(factor, x[i], y[i]);
}

/// Each thread takes 4 bytes of a sector of 32 of its own.
__global__ void strided(const float* from, float* to, std::size_t count) {
    for (std::size_t i = first(); i < count; i += all())
        to[i] = from[8 * i];
}

}  // namespace

int main() {
    const std::size_t bytes = large_array();
    const std::size_t count = bytes / sizeof(float);
    auto* a = device_array<float>(count);
    auto* b = device_array<float>(count);
    auto* c = device_array<float>(count);
    const unsigned blocks = many_blocks();
    for (std::uint64_t time = 0; time < times; ++time)
        copy<<<blocks, threads>>>(reinterpret_cast<const float4*>(a), reinterpret_cast<float4*>(b),
                                  count / 4);
    for (std::uint64_t time = 0; time < times; ++time)
        triad<<<blocks, threads>>>(b, c, a, 3.0F, count);
    for (std::uint64_t time = 0; time < times; ++time)
        saxpy<<<blocks, threads>>>(2.0F, a, b, count);
    for (std::uint64_t time = 0; time < times; ++time)
        strided<<<blocks, threads>>>(a, b, count / 8);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());

    const auto size = static_cast<double>(bytes);
    const auto elements = static_cast<double>(count);
    print({"copy", times, {}, {{"hbm", 2 * size}, {"l2", 2 * size}}, {}, {}});
    print({"triad", times, {{"fp32", 2 * elements}}, {{"hbm", 3 * size}, {"l2", 3 * size}}, {}, {}});
    print({"saxpy", times, {{"fp32", 2 * elements}}, {{"hbm", 3 * size}, {"l2", 3 * size}}, {}, {}});
    print({"strided", times, {}, {{"hbm", size * 9 / 8}, {"l2", size * 9 / 8}}, {}, {}});
    return 0;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// C = A * B in FP32: straight from memory, and through tiles in shared memory that bypass the L1 cache, so
// that the most bytes that L2 is asked for are known.
#include "tests/gpu/targets/known.h"

namespace {

constexpr unsigned size = 1024;
constexpr unsigned tile = 32;
constexpr std::uint64_t times = 4;

__global__ void gemm_naive(const float* a, const float* b, float* c) {
    const unsigned row = blockIdx.y * tile + threadIdx.y;
    const unsigned column = blockIdx.x * tile + threadIdx.x;
    float sum = 0;
    for (unsigned k = 0; k < size; ++k)
        sum = fmaf(a[row * size + k], b[k * size + column], sum);
    c[row * size + column] = sum;
}

__global__ void gemm_tiled(const float* a, const float* b, float* c) {
    __shared__ float of_a[tile][tile];
    __shared__ float of_b[tile][tile];
    const unsigned row = blockIdx.y * tile + threadIdx.y;
    const unsigned column = blockIdx.x * tile + threadIdx.x;
    float sum = 0;
    for (unsigned start = 0; start < size; start += tile) {
        of_a[threadIdx.y][threadIdx.x] = __ldcg(a + row * size + start + threadIdx.x);
        of_b[threadIdx.y][threadIdx.x] = __ldcg(b + (start + threadIdx.y) * size + column);
        __syncthreads();
        for (unsigned k = 0; k < tile; ++k)
            sum = fmaf(of_a[threadIdx.y][k], of_b[k][threadIdx.x], sum);
        __syncthreads();
    }
    c[row * size + column] = sum;
}

}  // namespace

int main() {
    constexpr std::size_t elements = std::size_t{size} * size;
    auto* a = device_array<float>(elements);
    auto* b = device_array<float>(elements);
    auto* c = device_array<float>(elements);
    const dim3 blocks(size / tile, size / tile);
    const dim3 threads(tile, tile);
    for (std::uint64_t time = 0; time < times; ++time)
        gemm_naive<<<blocks, threads>>>(a, b, c);
    for (std::uint64_t time = 0; time < times; ++time)
        gemm_tiled<<<blocks, threads>>>(a, b, c);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());

    constexpr double work = 2.0 * size * size * size;
    // Each block reads a row and a column of tiles, and writes one tile. Hopper's L2 request coalescer answers
    // several SMs that read the same at about the same time with one read of L2.
    constexpr double tiles = (2.0 * (size / tile) * elements + elements) * sizeof(float);
    print({"gemm_naive", times, {{"fp32", work}}, {}, {{"smem", 0}}, {}});
    print({"gemm_tiled", times, {{"fp32", work}}, {}, {{"l2", tiles}}, {}});
    return 0;
}

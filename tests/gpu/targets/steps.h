// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/gpu/targets/known.h"

constexpr unsigned step_blocks = 64;
constexpr unsigned step_threads = 256;
/// One multiplication and one addition a thread, as one fused instruction.
constexpr double step_work = 2.0 * step_blocks * step_threads;

/// A short kernel, for programs about when and where kernels run.
static __global__ void short_step(float* numbers) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    numbers[i] = fmaf(numbers[i], 0.5F, 1.0F);
}

inline float* step_numbers() {
    return device_array<float>(std::size_t{step_blocks} * step_threads);
}

inline void launch_step(float* numbers, cudaStream_t stream = nullptr) {
    short_step<<<step_blocks, step_threads, 0, stream>>>(numbers);
    check(cudaGetLastError());
}

/// `inside`: launches that lie in NVTX ranges.
inline void print_steps(std::uint64_t launches, std::uint64_t inside = 0) {
    print({"short_step", launches, {{"fp32", step_work}}, {}, {}, {}, inside});
}

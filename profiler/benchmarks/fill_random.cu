// SPDX-License-Identifier: Apache-2.0
// What counts nothing: a kernel that does nothing, and one that fills the memory that the streams read with normal
// numbers (FP32). Zeros, or one number everywhere, draw less power and may be compressed.
#include "profiler/benchmarks/device_code.cuh"

namespace roofwalk::ceilings {

namespace {

__global__ void fill_random(float* memory, unsigned long long count) {
    const unsigned long long stride = 1ULL * gridDim.x * blockDim.x;
    for (unsigned long long i = 1ULL * blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
        memory[i] = random_normal(static_cast<unsigned>(i) * 2654435761U);
}

__global__ void do_nothing() {}

}  // namespace

int start_nothing(const KernelLaunch& launch) {
    do_nothing<<<launch.blocks, stream::threads, 0, static_cast<cudaStream_t>(launch.stream)>>>();
    return cudaGetLastError();
}

int start_fill_random(const KernelLaunch& launch) {
    fill_random<<<launch.blocks, stream::threads>>>(static_cast<float*>(launch.memory),
                                                    launch.bytes / sizeof(float));
    return cudaGetLastError();
}

}  // namespace roofwalk::ceilings

// SPDX-License-Identifier: Apache-2.0
// No benchmark: fills the memory that the streams read with normal numbers (FP32). Zeros, or one number
// everywhere, draw less power and may be compressed.
#include "profiler/benchmarks/device_code.cuh"

namespace roofwalk::ceilings {

namespace {

__global__ void fill_random(float* memory, unsigned long long count) {
    const unsigned long long stride = 1ULL * gridDim.x * blockDim.x;
    for (unsigned long long i = 1ULL * blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
        memory[i] = random_normal(static_cast<unsigned>(i) * 2654435761U);
}

}  // namespace

int start_fill_random(const KernelLaunch& launch) {
    fill_random<<<launch.blocks, stream::threads>>>(static_cast<float*>(launch.memory),
                                                    launch.bytes / sizeof(float));
    return cudaGetLastError();
}

}  // namespace roofwalk::ceilings

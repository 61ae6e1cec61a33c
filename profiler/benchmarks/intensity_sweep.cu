// SPDX-License-Identifier: Apache-2.0
// The measured roof: floats stream from DRAM as in hbm.cu, and each takes part in a number of FMA before it
// is folded into the result. With few FMA this is the slope of HBM, with many the FP32 roof, and between them
// the knee, which is round: loads and FMA of one SM overlap as far as its warps allow. 32 floats are at work
// in a thread at a time, and no chain waits for another. The factors of two steps are each other's inverse:
// one below 1 alone would bring all floats to the same number in a few steps, which draws less power. A round
// is one tile of each block.
#include "profiler/benchmarks/device_code.cuh"

namespace roofwalk::ceilings {

namespace {

constexpr unsigned floats = stream::accesses * load_bytes / sizeof(float);

/// `Steps` FMA of every float in one turn of the inner loop, `turns` times.
template <unsigned Steps>
__device__ __forceinline__ void sweep_rounds(const KernelLaunch& launch) {
    constexpr unsigned tile = stream::tile_bytes / load_bytes;
    const uint4* from = static_cast<const uint4*>(launch.memory) + 1ULL * blockIdx.x * tile + threadIdx.x;
    const unsigned long long stride = 1ULL * gridDim.x * tile;
    const unsigned turns = launch.fma / Steps;
    const float factor = -1.25F - 0.01F * static_cast<float>(threadIdx.x % 16);
    float even = factor;
    float odd = 1.0F / factor;
    const float b = random_normal(threadIdx.x);
    unsigned sum = 0;
    stamp_start(launch.stamps);
#pragma unroll 1
    for (unsigned long long round = 0; round < launch.rounds; ++round, from += stride) {
        float x[floats];
#pragma unroll
        for (unsigned i = 0; i < stream::accesses; ++i) {
            const uint4 value = load_streaming(from + i * stream::threads);
            x[4 * i] = __uint_as_float(value.x);
            x[4 * i + 1] = __uint_as_float(value.y);
            x[4 * i + 2] = __uint_as_float(value.z);
            x[4 * i + 3] = __uint_as_float(value.w);
        }
#pragma unroll 1
        for (unsigned turn = 0; turn < turns; ++turn) {
#pragma unroll
            for (unsigned step = 0; step < Steps; ++step) {
#pragma unroll
                for (unsigned i = 0; i < floats; ++i)
                    x[i] = fmaf(x[i], step % 2 == 0 ? even : odd, b);
            }
            if (Steps % 2 == 1) {
                const float last = even;
                even = odd;
                odd = last;
            }
        }
#pragma unroll
        for (unsigned i = 0; i < floats; ++i)
            sum ^= __float_as_uint(x[i]);
    }
    stamp_end(launch.stamps);
    keep(sum, launch.kept);
}

}  // namespace

/// Any number of FMA for each float.
extern "C" __global__ void __launch_bounds__(stream::threads, stream::blocks_per_sm)
    roofwalk_sweep_few(KernelLaunch launch) {
    sweep_rounds<1>(launch);
}

/// A multiple of eight FMA for each float, with less to count.
extern "C" __global__ void __launch_bounds__(stream::threads, stream::blocks_per_sm)
    roofwalk_sweep_many(KernelLaunch launch) {
    sweep_rounds<8>(launch);
}

int start_intensity_sweep(const KernelLaunch& launch) {
    if (launch.fma % 8 == 0)
        roofwalk_sweep_many<<<launch.blocks, stream::threads>>>(launch);
    else
        roofwalk_sweep_few<<<launch.blocks, stream::threads>>>(launch);
    return cudaGetLastError();
}

}  // namespace roofwalk::ceilings

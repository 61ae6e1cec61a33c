// SPDX-License-Identifier: Apache-2.0
// Chains of FMA in registers: each thread has eight chains x = x * x + c that do not wait for each other, and
// with 32 warps on an SM the pipe always has work. 256 FMA make a round, so that counting rounds costs
// little. With c from -1.8 to -1.5 the chains are chaotic and stay within 1.8: the bits of x change in every
// step, where a chain with fixed factors soon comes to rest.
#pragma once

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

}  // namespace roofwalk::ceilings

// SPDX-License-Identifier: Apache-2.0
// Chains of FMA in registers: each thread has eight chains x = x * a + b that do not wait for each other, and
// with 32 warps on an SM the pipe always has work. 256 FMA make a round, so that counting rounds costs little.
// The factors are below 1 in magnitude and negative, so that x stays normal and its bits change.
#pragma once

#include "profiler/ceilings/device_code.cuh"

namespace roofwalk::ceilings {

/// `Number` has: Register, make(float), step(x, a, b), bits(x).
template <class Number>
__device__ __forceinline__ void run_fma_chains(const KernelLaunch& launch) {
    using Register = typename Number::Register;
    const unsigned seed = (blockIdx.x * fma::threads + threadIdx.x) * 16;
    Register x[fma::chains];
#pragma unroll
    for (unsigned i = 0; i < fma::chains; ++i)
        x[i] = Number::make(random_normal(seed + i));
    const Register a = Number::make(-0.75F - 0.01F * static_cast<float>(threadIdx.x % 16));
    const Register b = Number::make(random_normal(seed + fma::chains));
    stamp_start(launch.stamps);
#pragma unroll 1
    for (unsigned long long round = 0; round < launch.rounds; ++round) {
#pragma unroll
        for (unsigned step = 0; step < fma::steps; ++step) {
#pragma unroll
            for (unsigned i = 0; i < fma::chains; ++i)
                x[i] = Number::step(x[i], a, b);
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

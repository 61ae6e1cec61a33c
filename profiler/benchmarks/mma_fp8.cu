// SPDX-License-Identifier: Apache-2.0
// Tensor cores, FP8 (E4M3) with FP32 accumulators, by mma.sync m16n8k32: see mma_chains.cuh. Random operands.
// Built for compute capabilities 8.9 and 12.0, which have it in hardware.
#include "profiler/benchmarks/mma_chains.cuh"

namespace roofwalk::ceilings {

namespace {

ROOFWALK_FLOAT_PRODUCT(MmaFp8, Fp8Operand, "m16n8k32.row.col.f32.e4m3.e4m3.f32")

}  // namespace

ROOFWALK_KERNEL(mma_fp8, mma, run_mma_chains<MmaFp8>, true)

}  // namespace roofwalk::ceilings

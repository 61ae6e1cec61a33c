// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace roofwalk::ceilings {

/// What one block saw of its own run. Cycles are those of its SM, times those of the device's timer.
struct BlockStamp {
    unsigned long long start_cycle;
    unsigned long long end_cycle;
    unsigned long long start_ns;
    unsigned long long end_ns;
    unsigned sm;
};

/// What every kernel of a benchmark is given. Buffers are on the device and aligned to 256 bytes.
struct KernelLaunch {
    unsigned blocks;
    unsigned long long rounds;  ///< of the inner loop; what one does stands in kernel_shapes.h
    void* memory;               ///< random; what streams from or to DRAM and L2 uses it
    unsigned long long bytes;   ///< of `memory` that may be used; L2: the footprint
    unsigned fma;               ///< per loaded number; the sweep only
    BlockStamp* stamps;         ///< one for each block
    unsigned* kept;             ///< written when a result has a value that it never has
    void* stream;               ///< a cudaStream_t, of what does nothing
};

/// Starts a kernel; the cudaError_t of the start.
using StartKernel = int (*)(const KernelLaunch& launch);

int start_nothing(const KernelLaunch& launch);          // fill_random.cu
int start_fill_random(const KernelLaunch& launch);      // fill_random.cu
int start_hbm_read(const KernelLaunch& launch);         // hbm.cu
int start_hbm_write(const KernelLaunch& launch);        // hbm.cu
int start_hbm_copy(const KernelLaunch& launch);         // hbm.cu
int start_hbm_triad(const KernelLaunch& launch);        // hbm.cu
int start_l2_read(const KernelLaunch& launch);          // l2_read.cu
int start_smem_read(const KernelLaunch& launch);        // smem_read.cu
int start_fma_fp64(const KernelLaunch& launch);         // fma.cu
int start_fma_fp32(const KernelLaunch& launch);         // fma.cu
int start_fma_fp16(const KernelLaunch& launch);         // fma.cu
int start_fma_bf16(const KernelLaunch& launch);         // fma.cu
int start_mma_fp64(const KernelLaunch& launch);         // mma.cu
int start_mma_tf32(const KernelLaunch& launch);         // mma.cu
int start_mma_bf16(const KernelLaunch& launch);         // mma.cu
int start_mma_fp16(const KernelLaunch& launch);         // mma.cu
int start_mma_fp8(const KernelLaunch& launch);          // mma_fp8.cu
int start_mma_int8(const KernelLaunch& launch);         // mma.cu
int start_wgmma_tf32(const KernelLaunch& launch);       // wgmma.cu
int start_wgmma_bf16(const KernelLaunch& launch);       // wgmma.cu
int start_wgmma_fp16(const KernelLaunch& launch);       // wgmma.cu
int start_wgmma_fp8(const KernelLaunch& launch);        // wgmma.cu
int start_wgmma_int8(const KernelLaunch& launch);       // wgmma.cu
int start_intensity_sweep(const KernelLaunch& launch);  // intensity_sweep.cu

}  // namespace roofwalk::ceilings

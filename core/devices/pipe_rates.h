// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/model/device.h"

namespace roofwalk {

/// What one SM can do on one pipe in a cycle.
struct PipeRate {
    Pipe pipe;
    double per_cycle = 0;  ///< FLOP (integer operations for integer pipes), an FMA counted as two
};

/// Rates of a device by its compute capability (CUDA programming guide and architecture white papers), with
/// what boards lack against their chip: GeForce accumulates tensor products in FP32 at half rate (but for FP4),
/// GTX 16 has no tensor cores, H800 has FP64 cut, L40 has its tensor rates cut. Empty for architectures not known.
[[nodiscard]] std::vector<PipeRate> pipe_rates(const Device& device);

/// FLOP that one SM does in a cycle on packed BF16 outside of tensor cores, an FMA counted as two (CUDA
/// programming guide, throughput of native arithmetic instructions; white paper of the H100). Absent for
/// architectures that lack it or are not known.
[[nodiscard]] std::optional<double> packed_bf16_per_cycle(ComputeCapability capability);

/// Bytes that all slices of L2 pass to the SMs in a cycle of theirs, as `lts__t_sectors` has its peak in
/// reports of Nsight Compute: V100 2048 with 6 MiB, Turing and GA10x 256 a MiB, GA100 128 a MiB, H100 5120
/// with 50 MiB. Absent for other architectures and sizes, whose slices are not known.
[[nodiscard]] std::optional<double> l2_bytes_per_cycle(const Device& device);

/// Bytes that the L1/SMEM data stage of one SM moves in a cycle: 128, on Turing 64 (white paper of the GA102);
/// absent for architectures not known.
[[nodiscard]] std::optional<double> l1_bytes_per_cycle(ComputeCapability capability);

}  // namespace roofwalk

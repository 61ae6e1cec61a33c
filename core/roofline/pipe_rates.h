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
/// what boards lack against their chip: GeForce accumulates tensor products in FP32 at half rate, GTX 16 has
/// no tensor cores, H800 has FP64 cut, L40 has its tensor rates cut. Empty for architectures not known.
[[nodiscard]] std::vector<PipeRate> pipe_rates(const Device& device);

/// Bytes that the L1/SMEM data stage of one SM moves in a cycle; absent for architectures not known.
[[nodiscard]] std::optional<double> l1_bytes_per_cycle(ComputeCapability capability);

}  // namespace roofwalk

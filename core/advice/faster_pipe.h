// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/roofline/analysis.h"

namespace roofwalk {

/// The tensor pipe of the same type of numbers (TF32 for FP32), where the ceilings of the kernel have one
/// that is faster than the vector pipe that binds it.
[[nodiscard]] const ComputeCeiling* faster_tensor_pipe(const KernelPoint& point);

/// What would do the same work faster than the pipe that binds, by the ceilings of the kernel: "tensor cores,
/// a lower precision", "a lower precision, 2:4 sparsity"; empty where the pipe that binds is the fastest.
[[nodiscard]] std::string faster_than_binding(const KernelPoint& point);

}  // namespace roofwalk

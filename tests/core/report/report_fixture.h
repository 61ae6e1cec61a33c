// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/roofline/analysis.h"

namespace roofwalk::test {

/// SAXPY of 1e8 elements (2 FLOP and 12 byte each) on a machine of 20 TFLOP/s and 800 GB/s: memory takes
/// 1.5 ms, the kernel 2 ms. Beside it a kernel with an awkward name, shared memory that was measured as 0,
/// and no FLOPs; and one that could not be measured at all.
[[nodiscard]] Profile saxpy_profile(const std::string& awkward_name = "=cmd|' /C calc'!A0");

/// The lines of a text that are not empty, without their ends.
[[nodiscard]] std::vector<std::string> lines_of(const std::string& text);

}  // namespace roofwalk::test

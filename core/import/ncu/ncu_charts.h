// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/ncu/ncu_values.h"
#include "core/model/ceiling.h"

namespace roofwalk {

/// The ceilings that the roofline charts of a report define for a launch, as far as they are ceilings of one
/// of our pipes or boundaries: FP64, FP32 and FP16 peaks, DRAM, L2 return and L1 write-back. FP16 peaks of
/// charts before 2025 count a packed instruction as one and are left out; so are tensor roofs, whose
/// aggregates are sparse peaks, and L1 on Turing, whose counter has twice the peak that it can reach.
[[nodiscard]] CeilingSet ceilings_from_charts(const NcuValues& values);

}  // namespace roofwalk

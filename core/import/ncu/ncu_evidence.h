// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/ncu/ncu_values.h"
#include "core/model/launch.h"
#include "core/model/profile.h"

namespace roofwalk {

/// Keeps the metrics that advice and the kernel panel quote: throughputs, occupancy, launch resources, hit
/// rates, coalescing, spills, bank conflicts, stalls, busy pipes, clocks. Those a launch does not have are
/// left out.
void keep_evidence(const NcuValues& values, Launch& launch, Profile& profile);

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/profile.h"

namespace roofwalk {

/// Warns of launches of different kernels with the same time and the same DRAM bytes, to the last byte: the
/// profiler gave one launch's counters to several. For a profile that holds one report.
void warn_of_shared_counters(Profile& profile);

}  // namespace roofwalk

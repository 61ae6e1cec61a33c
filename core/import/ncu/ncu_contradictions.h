// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/base/error.h"
#include "core/import/ncu/ncu_tensor_work.h"
#include "core/import/ncu/ncu_values.h"

namespace roofwalk {

/// What cannot all be true, or what ran without being counted, in the counters of one launch.
[[nodiscard]] std::vector<Error> contradictions(const NcuValues& values, const NcuTensorWork& tensor,
                                                const UncountedWork& uncounted);

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/compare/match_kernels.h"

namespace roofwalk {

/// The clocks that a kernel ran at, as its counters tell; absent where the report does not.
struct MeasuredClocks {
    std::optional<Hertz> sm;
    std::optional<Hertz> memory;
    std::optional<bool> locked;  ///< by the profiler; absent too where launches differ
};

/// Means over the launches.
[[nodiscard]] MeasuredClocks measured_clocks(const RunView& run, const KernelPoint& point);

}  // namespace roofwalk

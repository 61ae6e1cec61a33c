// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/ceiling_benchmark_offer.h"

namespace roofwalk {

/// Measures the GPUs of this machine.
[[nodiscard]] CeilingBenchmarkBackend live_ceiling_benchmark();

}  // namespace roofwalk

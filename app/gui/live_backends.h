// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/ceiling_benchmark_backend.h"
#include "core/import/recording_backend.h"

namespace roofwalk {

/// How the window records programs of this machine.
[[nodiscard]] RecordingBackend live_recording();

/// Measures the GPUs of this machine.
[[nodiscard]] CeilingBenchmarkBackend live_ceiling_benchmark();

}  // namespace roofwalk

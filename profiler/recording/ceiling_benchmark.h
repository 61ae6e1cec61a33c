// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/devices/measured_json.h"

namespace roofwalk {

/// What is to be measured, and with what.
struct CeilingBenchmarkRequest {
    std::filesystem::path program;  ///< empty: the installed one
    std::string device;             ///< UUID, a beginning of one, or number; empty: the first
    std::string date;               ///< ISO date of today, UTC
    /// Without a word for so long, the benchmarks hang and are ended.
    std::chrono::milliseconds silence_limit{60'000};
};

/// Told from the calling thread while it measures.
using OnCeilingBenchmark =
    std::function<void(const CeilingBenchmarkProgress& progress, const MeasuredCeilings& so_far)>;

/// Runs the benchmarks in a program of their own, so that a fault of the GPU ends that one. With `stop` they
/// are ended, and what was measured is returned, not complete. Errors: not_profiled where nothing could be
/// measured, with the reason that the benchmarks gave: no GPU, no driver, MIG, another measurement, no such
/// device; or that they are not installed.
[[nodiscard]] Result<MeasuredCeilings> measure_ceilings(const CeilingBenchmarkRequest& request,
                                                        const std::stop_token& stop,
                                                        const OnCeilingBenchmark& on_measuring = {});

/// The devices that could be measured, as they are now. Errors as above.
[[nodiscard]] Result<std::vector<ListedGpu>> list_gpus(const std::filesystem::path& program,
                                                       const std::stop_token& stop = {});

}  // namespace roofwalk

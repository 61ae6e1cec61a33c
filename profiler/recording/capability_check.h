// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/recording/machine.h"

namespace roofwalk {

/// NVIDIA software that is installed beside the driver.
struct NvidiaSoftware {
    std::optional<int> driver_cuda;  ///< CUDA version of the driver: 1000 * major + 10 * minor
    std::optional<std::filesystem::path> nsight_compute;  ///< the program `ncu`
    std::optional<std::filesystem::path> cupti;           ///< libcupti.so.13, its planner beside it
    std::vector<std::string> chips;  ///< that this CUPTI counts on, where one had to know; empty: not asked
};

/// The CUDA version of libcuda.so.1, which is loaded for the question; absent when it cannot be.
[[nodiscard]] std::optional<int> cuda_version_of_driver();

/// `ncu` in one of the folders of `path` (separated by colons, as in the variable PATH), else where NVIDIA's
/// installers put it below `root`; the newest when there are several.
[[nodiscard]] std::optional<std::filesystem::path> find_nsight_compute(
    const std::string& path, const std::filesystem::path& root = "/");

/// libcupti.so.13 with libnvperf_host.so beside it: in the first of `toolkits`, which are folders of CUDA,
/// that has both, else where NVIDIA's installers and distributions put it below `root`, the newest when there
/// are several. The agent looks into the same folders.
[[nodiscard]] std::optional<std::filesystem::path> find_cupti(std::vector<std::string> toolkits,
                                                              const std::filesystem::path& root = "/");

/// The same with the toolkits that CUDA_HOME and CUDA_PATH name.
[[nodiscard]] std::optional<std::filesystem::path> find_cupti_here();

enum class Readiness {
    ready,
    limited,  ///< works, with a restriction that the text names
    missing,  ///< kernels cannot be profiled before this is mended
};

/// "ready"
[[nodiscard]] std::string_view word_for(Readiness readiness);

/// What was found of one thing that profiling needs.
struct CapabilityFinding {
    std::string subject;  ///< "driver", "counters"
    Readiness readiness = Readiness::ready;
    std::string what;  ///< one sentence
    std::string hint;  ///< what a person can do; empty when nothing needs doing
};

/// Driver, GPUs, permission to read counters, Nsight Compute, CUPTI, and situations that change what can be
/// measured.
[[nodiscard]] std::vector<CapabilityFinding> check_capabilities(const Machine& machine,
                                                                const NvidiaSoftware& software);

}  // namespace roofwalk

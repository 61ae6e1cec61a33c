// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/plan/cupti_trial.h"
#include "profiler/recording/machine.h"
#include "profiler/recording/processes.h"

namespace roofwalk {

/// NVIDIA software that is installed beside the driver.
struct NvidiaSoftware {
    std::optional<int> driver_cuda;  ///< CUDA version of the driver: 1000 * major + 10 * minor
    std::optional<std::filesystem::path> nsight_compute;  ///< the program `ncu`
    CuptiChoice cupti;
};

/// The CUDA version of libcuda.so.1, which is loaded for the question; absent when it cannot be.
[[nodiscard]] std::optional<int> cuda_version_of_driver();

/// `ncu` in one of the folders of `path` (separated by colons, as in the variable PATH), else where NVIDIA's
/// installers put it below `root`; the newest when there are several.
[[nodiscard]] std::optional<std::filesystem::path> find_nsight_compute(
    const std::string& path, const std::filesystem::path& root = "/");

/// Whether a program is called as a Python is: python, python3, python3.13t, pypy3; not python_bench.
[[nodiscard]] bool is_python(const std::filesystem::path& program);

/// The Python that runs `program`: itself, or the one in its first line, as of `torchrun`; empty for another
/// program. `path` is the variable PATH.
[[nodiscard]] std::filesystem::path python_of(const std::filesystem::path& program, const std::string& path);

/// The Python that runs in a process, by the path that it was started by, which is that of its virtual
/// environment; empty for another program, and in another container. `root` holds proc/.
[[nodiscard]] std::filesystem::path python_of_process(pid_t process, const std::filesystem::path& root = "/");

/// Each libcupti.so.13 and .12 that has libnvperf_host.so beside it, once: in the packages of `python`
/// (empty: none), in the toolkits that CUDA_HOME and CUDA_PATH name, in VIRTUAL_ENV and CONDA_PREFIX, where
/// NVIDIA's installers and distributions put it below `root`, the newest first, and in the packages of the
/// `python3` on PATH. The agent looks into the same folders.
[[nodiscard]] std::vector<std::filesystem::path> find_cupti_here(const std::filesystem::path& python = {},
                                                                 const std::filesystem::path& root = "/");

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

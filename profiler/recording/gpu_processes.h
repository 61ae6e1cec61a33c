// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace roofwalk {

/// What the kernel of this machine tells of a process, for attaching to it.
struct GpuProcess {
    pid_t process = 0;
    uid_t user = 0;
    bool one_user = true;                 ///< it has the rights of no other
    std::string name;                     ///< as `ps` shows it
    std::vector<std::string> command;     ///< empty where it cannot be read
    std::filesystem::path directory;      ///< it runs in; empty where it cannot be read
    bool readable = false;                ///< its memory map may be looked at
    bool uses_cuda = false;               ///< libcuda is loaded
    bool holds_gpu = false;               ///< a device of the GPU is open
    bool agent_waits = false;             ///< an agent listens in it
    bool agent_loaded = false;            ///< an agent is in it, waiting or not
    std::optional<std::string> profiler;  ///< file name of another profiler's library in it
    pid_t traced_by = 0;                  ///< a debugger; 0: none
    bool other_namespace = false;         ///< it runs in another container
};

/// Every process that has CUDA loaded or a GPU open, by number. `root` holds proc/.
[[nodiscard]] std::vector<GpuProcess> gpu_processes(const std::filesystem::path& root = "/");

/// Absent when there is no such process.
[[nodiscard]] std::optional<GpuProcess> read_gpu_process(pid_t process,
                                                         const std::filesystem::path& root = "/");

/// Why nothing can be recorded of a process whose agent does not wait, as sentences, the plainest first.
/// `user` is who asks.
[[nodiscard]] std::vector<std::string> why_not_attached(const GpuProcess& process, uid_t user);

/// The command line that starts the program again under `roofwalk-cli profile`, for its own user; empty where
/// its own is not known.
[[nodiscard]] std::string restart_command(const GpuProcess& process);

}  // namespace roofwalk

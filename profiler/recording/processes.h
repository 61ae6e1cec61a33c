// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace roofwalk {

/// Whose a process is, as the kernel tells it.
struct ProcessOwner {
    uid_t user = 0;             ///< the real one
    gid_t group = 0;            ///< the real one
    std::vector<gid_t> groups;  ///< supplementary
    bool one_user = true;       ///< its real, effective, saved and file system users are the same
};

/// From the text of /proc/PID/status; absent where that names no user.
[[nodiscard]] std::optional<ProcessOwner> owner_in(std::string_view status);

/// Absent when there is no such process. `root` holds proc/.
[[nodiscard]] std::optional<ProcessOwner> read_owner(pid_t process, const std::filesystem::path& root = "/");

/// An error where the process is not altogether that of the user of this process, or there is none. To be
/// asked before anything is read that the process itself has a say in.
[[nodiscard]] Result<void> refuse_other_owner(pid_t process);

/// Gives this process the rights of `owner` and nothing more, for good: users, groups and capabilities, and
/// no program that it starts can have more again. No other process of that user may look into it. Only root
/// can; the process has one thread.
[[nodiscard]] Result<void> become_owner(const ProcessOwner& owner);

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
    bool stopped = false;                 ///< by a signal such as SIGSTOP
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

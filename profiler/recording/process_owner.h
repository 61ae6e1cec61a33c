// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
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

}  // namespace roofwalk

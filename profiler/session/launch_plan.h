// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"

namespace roofwalk {

/// Which launches of a program are recorded. Patterns have * for any letters.
struct LaunchFilter {
    std::vector<std::string> kernels;  ///< names; none: all
    /// Kernels that wait for those of other devices would wait for ever when they run one by one.
    std::vector<std::string> except{"nccl*", "nvshmem*"};
    std::vector<std::string> nvtx_ranges;  ///< only inside of these; none: everywhere
    std::uint64_t skip = 0;                ///< launches that pass the filter and are left alone first
    std::optional<std::uint64_t> count;    ///< launches recorded after those; absent: all
};

/// What a person asks for.
struct LaunchRequest {
    std::vector<std::string> command;                              ///< program and arguments
    std::filesystem::path directory;                               ///< empty: the current one
    std::vector<std::pair<std::string, std::string>> environment;  ///< variables to set
    LaunchFilter filter;
};

/// The agent that is to be loaded into the program, and where it reports to.
struct AgentPlace {
    std::filesystem::path library;
    std::filesystem::path socket;
};

/// A program that is ready to be started.
struct LaunchPlan {
    std::filesystem::path program;         ///< absolute
    std::vector<std::string> arguments;    ///< argv, argv[0] as it was typed
    std::filesystem::path directory;       ///< empty: the current one
    std::vector<std::string> environment;  ///< "NAME=value"
};

/// `inherited` is the environment of this process. A program without a slash is looked for on PATH, a
/// relative one in the directory it will run in.
[[nodiscard]] Result<LaunchPlan> plan_launch(const LaunchRequest& request, const AgentPlace& agent,
                                             const std::vector<std::string>& inherited);

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/import/profile_request.h"

namespace roofwalk {

/// The agent that is to be loaded into the program, and where it reports to.
struct AgentPlace {
    std::filesystem::path library;
    std::filesystem::path socket;
    std::filesystem::path cupti;  ///< the library it should load; empty: it looks for one
};

/// A program that is ready to be started.
struct LaunchPlan {
    std::filesystem::path program;         ///< absolute
    std::vector<std::string> arguments;    ///< argv, argv[0] as it was typed
    std::filesystem::path directory;       ///< empty: the current one
    std::vector<std::string> environment;  ///< "NAME=value"
};

/// The environment of this process: "NAME=value".
[[nodiscard]] std::vector<std::string> environment_here();

/// The program as it is asked for, without an agent. `inherited` is the environment of this process. A
/// program without a slash is looked for on PATH, a relative one in the directory it will run in.
[[nodiscard]] Result<LaunchPlan> plan_program(const LaunchRequest& request,
                                              const std::vector<std::string>& inherited);

/// The same with the agent in it.
[[nodiscard]] Result<LaunchPlan> plan_launch(const LaunchRequest& request, const AgentPlace& agent,
                                             const std::vector<std::string>& inherited);

}  // namespace roofwalk

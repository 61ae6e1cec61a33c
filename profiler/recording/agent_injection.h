// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "profiler/recording/processes.h"

namespace roofwalk {

/// What loading an agent into a running process takes.
struct InjectionTools {
    std::optional<std::filesystem::path> debugger;  ///< the program `gdb`
    int trace_scope = 0;                            ///< kernel.yama.ptrace_scope; 0 where there is no Yama
    bool may_trace_any = false;                     ///< this process has CAP_SYS_PTRACE
};

/// `path` is the variable PATH; `root` holds proc/.
[[nodiscard]] InjectionTools read_injection_tools(const std::string& path,
                                                  const std::filesystem::path& root = "/");

/// The same of this machine and this process's PATH.
[[nodiscard]] InjectionTools injection_tools_here();

/// Why no agent can be loaded into a process, as sentences; empty where it may be tried.
[[nodiscard]] std::vector<std::string> why_not_injected(const GpuProcess& process,
                                                        const InjectionTools& tools, uid_t user);

/// How long an injection is waited for.
struct InjectionLimits {
    std::chrono::milliseconds debugger{30'000};  ///< then it is made to let go
    std::chrono::milliseconds grace{5'000};      ///< for letting go
    std::chrono::milliseconds loading{30'000};   ///< ends nothing
};

/// Stops the process with gdb for a moment, in which a thread of it that only waits begins another one. That
/// one loads the agent, which then waits to be called, while the process runs on. Where no thread only waits
/// for 5 s, that is an error, and where the process does not run on without the debugger. An agent that is no
/// file is refused before. The agent is never unloaded.
[[nodiscard]] Result<void> inject_agent(const GpuProcess& process, const InjectionTools& tools,
                                        const std::filesystem::path& agent_file,
                                        const std::filesystem::path& cupti_file,
                                        const InjectionLimits& limits = {});

/// An agent waits in the process of this number from here on, loaded where there was none; an error says what
/// forbids it, and then the process was not touched, or did not take it.
[[nodiscard]] Result<void> make_agent_wait(pid_t number, const InjectionTools& tools,
                                           const std::filesystem::path& agent,
                                           const std::filesystem::path& cupti);

/// The same in a process of our own, which comes to no harm.
[[nodiscard]] Result<void> try_injection(const InjectionTools& tools, const std::filesystem::path& agent,
                                         const std::filesystem::path& cupti);

}  // namespace roofwalk

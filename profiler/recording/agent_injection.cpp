// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/agent_injection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include "profiler/recording/child_process.h"
#include "profiler/recording/machine.h"
#include "profiler/recording/prepare_session.h"
#include "profiler/recording/processes.h"
#include "profiler/wire/agent_environment.h"

namespace roofwalk {

namespace {

namespace fs = std::filesystem;

constexpr unsigned cap_sys_ptrace = 19;
constexpr std::chrono::milliseconds silence_limit{30'000};

std::optional<fs::path> find_program(std::string_view path, const char* name) {
    while (!path.empty()) {
        const auto end = std::min(path.find(':'), path.size());
        const fs::path candidate = fs::path(path.substr(0, end)) / name;
        std::error_code ignored;
        if (candidate.is_absolute() && fs::is_regular_file(candidate, ignored) &&
            access(candidate.c_str(), X_OK) == 0)
            return candidate;
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return std::nullopt;
}

/// A string of C, for a debugger.
std::string as_c_string(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + '"';
}

Error failed(const GpuProcess& process, std::string what, std::string hint) {
    std::string where = fmt::format("process {}", process.process);
    if (!process.name.empty()) where += ", " + process.name;
    return {ErrorCode::not_profiled, std::move(what), std::move(where), std::move(hint)};
}

/// "$1 = 7" as 7, of the last value that the debugger printed.
std::optional<long> last_value(std::string_view output) {
    const auto equals = output.rfind(" = ");
    if (equals == std::string_view::npos) return std::nullopt;
    return std::strtol(std::string(output.substr(equals + 3)).c_str(), nullptr, 0);
}

}  // namespace

InjectionTools read_injection_tools(const std::string& path, const fs::path& root) {
    InjectionTools tools;
    tools.debugger = find_program(path, "gdb");
    std::ifstream(root / "proc/sys/kernel/yama/ptrace_scope") >> tools.trace_scope;
    tools.may_trace_any = (read_machine(root).capabilities >> cap_sys_ptrace & 1U) != 0;
    return tools;
}

InjectionTools injection_tools_here() {
    const char* path = std::getenv("PATH");
    return read_injection_tools(path == nullptr ? "" : path);
}

std::vector<std::string> why_not_injected(const GpuProcess& process, const InjectionTools& tools,
                                          uid_t user) {
    std::vector<std::string> reasons;
    if (!tools.debugger) reasons.emplace_back("gdb, which loads the agent, is not installed: install it.");
    if (!process.one_user)
        reasons.push_back(fmt::format("Process {} runs with the rights of several users.", process.process));
    else if (process.user != user)
        reasons.push_back(fmt::format("Process {} belongs to another user (uid {}): attach as that user.",
                                      process.process, process.user));
    if (process.other_namespace)
        reasons.emplace_back("It runs in another container: attach from inside of it.");
    if (tools.trace_scope == 3)
        reasons.emplace_back(
            "The kernel lets nobody trace processes (kernel.yama.ptrace_scope = 3), which holds until it "
            "is started anew.");
    else if (tools.trace_scope > 0 && !tools.may_trace_any)
        reasons.push_back(
            fmt::format("The kernel lets administrators alone trace other processes "
                        "(kernel.yama.ptrace_scope = {}): as root, `sysctl kernel.yama.ptrace_scope=0`.",
                        tools.trace_scope));
    if (process.traced_by != 0)
        reasons.push_back(fmt::format("A debugger holds it (process {}): let it detach.", process.traced_by));
    if (!process.readable)
        reasons.emplace_back(
            "What it has loaded cannot be read, CUDA or not: attach as its user or as root.");
    else if (!process.uses_cuda)
        reasons.emplace_back("It has not loaded CUDA: there is nothing to record yet.");
    if (process.profiler)
        reasons.push_back(
            fmt::format("Another profiler is inside ({}): start the program without it.", *process.profiler));
    if (process.agent_loaded && !process.agent_waits)
        reasons.emplace_back("An agent is in it already, and another collector holds it: end that one.");
    return reasons;
}

Result<void> inject_agent(const GpuProcess& process, const InjectionTools& tools, const fs::path& agent,
                          const fs::path& cupti) {
    if (auto missing = refuse_missing_agent(agent); !missing) return missing;
    LaunchPlan plan;
    plan.program = *tools.debugger;
    // Nothing that a file of the process asks for is run, loaded or fetched. What it has in memory is read,
    // as by any debugger, which therefore has no more rights than the process (refuse_other_owner()).
    plan.arguments = {"gdb", "-nx", "-batch"};
    for (const char* const setting : {"set auto-load off", "set sysroot /"}) {
        plan.arguments.emplace_back("-iex");
        plan.arguments.emplace_back(setting);
    }
    plan.arguments.insert(plan.arguments.end(), {"-p", std::to_string(process.process)});
    const auto command = [&](std::string text) {
        plan.arguments.emplace_back("-ex");
        plan.arguments.push_back(std::move(text));
    };
    command("set unwindonsignal on");
    if (!cupti.empty())
        command(fmt::format("print (int)setenv({}, {}, 1)", as_c_string(wire::agent_cupti_variable),
                            as_c_string(cupti.string())));
    // Modules that have not used NVTX yet will bring their ranges.
    command(fmt::format("print (int)setenv(\"NVTX_INJECTION64_PATH\", {}, 0)", as_c_string(agent.string())));
    command(fmt::format("print (void*)dlopen({}, 2)", as_c_string(agent.string())));
    command("print ((int(*)(void))RoofwalkAgentListen)()");
    command("detach");
    plan.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C", "DEBUGINFOD_URLS="};
    auto debugger = ChildProcess::start(plan, ChildProcess::Streams::piped);
    if (!debugger) return tl::unexpected(debugger.error());
    std::string output;
    const auto end = debugger->wait(silence_limit, [&](ChildStream stream, std::string_view text) {
        if (stream == ChildStream::output) output += text;
    });
    if (!end)
        return tl::unexpected(failed(process, "The debugger did not come back within 30 s and was ended",
                                     "The process may have been stopped at a bad moment; look after it."));
    if (last_value(output) == 1) return {};
    return tl::unexpected(failed(process, "The process did not take the agent",
                                 "Start the program again under `roofwalk-cli profile`."));
}

Result<void> make_agent_wait(pid_t number, const InjectionTools& tools, const fs::path& agent,
                             const fs::path& cupti) {
    if (auto refused = refuse_other_owner(number); !refused) return refused;
    const auto process = read_gpu_process(number);
    if (!process)
        return tl::unexpected(Error{ErrorCode::not_profiled, "There is no such process",
                                    fmt::format("process {}", number), "It may have ended meanwhile."});
    if (process->agent_waits) return {};
    if (const auto reasons = why_not_injected(*process, tools, geteuid()); !reasons.empty())
        return tl::unexpected(failed(*process, "No agent can be loaded into this process",
                                     fmt::format("{}", fmt::join(reasons, " "))));
    return inject_agent(*process, tools, agent, cupti);
}

Result<void> try_injection(const InjectionTools& tools, const fs::path& agent, const fs::path& cupti) {
    GpuProcess ours;
    ours.readable = ours.uses_cuda = true;  // what the agent waits for is no matter here
    ours.user = geteuid();
    if (const auto reasons = why_not_injected(ours, tools, geteuid()); !reasons.empty())
        return tl::unexpected(Error{ErrorCode::not_profiled,
                                    "No agent can be loaded into running processes here", "",
                                    fmt::format("{}", fmt::join(reasons, " "))});
    if (auto missing = refuse_missing_agent(agent); !missing) return missing;
    return ChildProcess::start({"/bin/sleep", {"sleep", "60"}, {}, {}}, ChildProcess::Streams::piped)
        .and_then([&](const ChildProcess& sleeper) {
            ours.process = sleeper.pid();
            return inject_agent(ours, tools, agent, cupti);
        });
}

}  // namespace roofwalk

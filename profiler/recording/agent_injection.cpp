// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/agent_injection.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <thread>

#include "profiler/recording/child_process.h"
#include "profiler/recording/machine.h"
#include "profiler/recording/prepare_session.h"
#include "profiler/recording/processes.h"

namespace roofwalk {

namespace {

namespace fs = std::filesystem;

constexpr unsigned cap_sys_ptrace = 19;
constexpr std::chrono::milliseconds silence_limit{30'000};
constexpr std::chrono::milliseconds interrupt_limit{3'000};
constexpr std::chrono::milliseconds search_limit{5'000};

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

/// System calls that only wait: a thread in one of them holds no lock of the allocator or the loader. A futex
/// is none of them, since who waits for one lock may hold another.
constexpr std::array waiting_calls{
#ifdef SYS_poll
    SYS_poll,  SYS_select,   SYS_epoll_wait,  SYS_pause,
#endif
    SYS_ppoll, SYS_pselect6, SYS_epoll_pwait, SYS_nanosleep, SYS_clock_nanosleep, SYS_rt_sigtimedwait,
    SYS_wait4, SYS_waitid,   SYS_accept,      SYS_accept4};

/// For a debugger: whether the thread that it looks at is in such a call.
std::string is_waiting() {
#ifdef __aarch64__
    const char* const number = "$x8";
    const char* const first = "$x0";
    const char* const second = "$x1";
    std::string condition = "*(unsigned int*)($pc - 4) == 0xd4000001 && (";  // svc #0
#else
    const char* const number = "$orig_rax";  // negative outside of a call
    const char* const first = "$rdi";
    const char* const second = "$rsi";
    std::string condition = "(";
#endif
    for (const long call : waiting_calls)
        condition += fmt::format("{} == {} || ", number, call);
    // A thread that was stopped before goes on in restart_syscall(), with its arguments as they were: those
    // of poll() or nanosleep(), or of a futex with a time limit, which has an address and a word that means
    // FUTEX_WAIT or FUTEX_WAIT_BITSET. What may be a futex is passed over.
    constexpr unsigned flags = FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME;
    constexpr unsigned lowest_address = 4096;  // of anything in a process
    return condition + fmt::format(
                           "({0} == {1} && ((unsigned long){2} < {3} || (((unsigned int){4} & {5}) != {6} && "
                           "((unsigned int){4} & {5}) != {7}))))",
                           number, SYS_restart_syscall, first, lowest_address, second, ~flags, FUTEX_WAIT,
                           FUTEX_WAIT_BITSET);
}

enum class Answer {
    unseen = -2,  ///< the debugger could look at no thread
    none = -1,    ///< no thread was asked
    refused = 0,
    waits = 1,
};

/// The number in "$1 = 7" of the last value that the debugger printed.
Answer last_answer(std::string_view output) {
    const auto equals = output.rfind(" = ");
    if (equals == std::string_view::npos) return Answer::refused;
    const long value = std::strtol(std::string(output.substr(equals + 3)).c_str(), nullptr, 0);
    for (const Answer answer : {Answer::unseen, Answer::none, Answer::waits})
        if (value == static_cast<long>(answer)) return answer;
    return Answer::refused;
}

/// What the debugger is to do: of the threads of the process the first that only waits loads the agent.
LaunchPlan debugger_plan(const fs::path& debugger, pid_t process, const fs::path& agent,
                         const fs::path& cupti) {
    LaunchPlan plan;
    plan.program = debugger;
    // Nothing that a file of the process asks for is run, loaded or fetched. What it has in memory is read,
    // as by any debugger, which therefore has no more rights than the process (refuse_other_owner()). Symbols
    // of the libraries that are called are enough: those of PyTorch take seconds, and the process stands
    // still.
    plan.arguments = {"gdb", "-nx", "-batch"};
    for (const char* const setting :
         {"set auto-load off", "set sysroot /", "set auto-solib-add off",
          "set debug-file-directory /nonexistent", "set print thread-events off"}) {
        plan.arguments.emplace_back("-iex");
        plan.arguments.emplace_back(setting);
    }
    plan.arguments.insert(plan.arguments.end(), {"-p", std::to_string(process)});
    const std::string ask = fmt::format(
        "thread apply all -q print $answer < {0} && ($answer = {1}) == {1} && {2} && ($answer = {0}) == {0} && "
        // Modules that have not used NVTX yet will bring their ranges.
        "(int)setenv(\"NVTX_INJECTION64_PATH\", {3}, 0) == 0 && ($agent = (void*)dlopen({3}, {4})) != 0 && "
        "($listen = (int(*)(const char*))dlsym($agent, \"RoofwalkAgentListen\")) != 0 && "
        "($answer = (*$listen)({5}))",
        static_cast<int>(Answer::refused), static_cast<int>(Answer::none), is_waiting(),
        as_c_string(agent.string()), RTLD_NOW, as_c_string(cupti.string()));
    for (const std::string& command :
         {std::string("set unwindonsignal on"), std::string("sharedlibrary libc\\."),
          std::string("sharedlibrary libdl\\."),
          fmt::format("set $answer = {}", static_cast<int>(Answer::unseen)),
          std::string("set $agent = (void*)0"), std::string("set $listen = (int(*)(const char*))0"), ask,
          std::string("print $answer"), std::string("detach")}) {
        plan.arguments.emplace_back("-ex");
        plan.arguments.push_back(command);
    }
    plan.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C", "DEBUGINFOD_URLS="};
    return plan;
}

/// Runs the debugger once. When it does not come back it is interrupted first, upon which it takes the thread
/// out of the call; ended in the midst of one it would leave the process with it. A dlopen() that is cut off
/// so keeps the lock of the loader.
Result<Answer> ask_threads(const LaunchPlan& plan, const GpuProcess& process) {
    auto debugger = ChildProcess::start(plan, ChildProcess::Streams::piped);
    if (!debugger) return tl::unexpected(debugger.error());
    std::string output;
    const auto on_text = [&](ChildStream stream, std::string_view text) {
        if (stream == ChildStream::output) output += text;
    };
    if (debugger->wait(silence_limit, on_text)) return last_answer(output);
    debugger->pass_on(SIGINT);
    static_cast<void>(debugger->wait(interrupt_limit, on_text));
    debugger->stop(interrupt_limit, on_text);
    kill(process.process, SIGCONT);
    return tl::unexpected(failed(process, "The debugger did not come back within 30 s and was ended",
                                 "The process may hang when it next loads a library; look after it."));
}

}  // namespace

InjectionTools read_injection_tools(const std::string& path, const fs::path& root) {
    InjectionTools tools;
    tools.debugger = program_on(path, "gdb");
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
    const LaunchPlan plan = debugger_plan(*tools.debugger, process.process, agent, cupti);
    const auto end = std::chrono::steady_clock::now() + search_limit;
    Result<Answer> answer = ask_threads(plan, process);
    while (answer == Answer::none && std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        answer = ask_threads(plan, process);
    }
    if (!answer) return tl::unexpected(std::move(answer).error());
    if (*answer == Answer::waits) return {};
    if (*answer == Answer::unseen)
        return tl::unexpected(failed(process, "The debugger could look at no thread of the process",
                                     "`gdb -p` with its number says why, unless it has ended."));
    const std::string restart =
        "Start the program again under `roofwalk-cli profile`, or with the variables that "
        "`roofwalk-cli check` prints: then an agent waits in it from the start.";
    return tl::unexpected(
        *answer == Answer::none
            ? failed(process,
                     "For 5 s no thread of the process only waited, so that none could load the agent",
                     restart)
            : failed(process, "The process did not take the agent", restart));
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

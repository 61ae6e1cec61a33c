// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/agent_injection.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>
#include <thread>
#include <utility>

#include "core/base/descriptor.h"
#include "core/base/text.h"
#include "profiler/recording/child_process.h"
#include "profiler/recording/machine.h"
#include "profiler/recording/prepare_session.h"

namespace roofwalk {

namespace {

namespace fs = std::filesystem;

constexpr unsigned cap_sys_ptrace = 19;
constexpr std::chrono::milliseconds search_limit{5'000};

constexpr const char* start_again =
    "Start the program again under `roofwalk-cli profile`, or with the variables that `roofwalk-cli check` "
    "prints: then an agent waits in it from the start.";

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
    begun = 1,  ///< a thread of the process loads the agent
};

/// Words in memory of the process, by which its new thread loads the agent.
enum OrderWord : std::size_t {
    agent_word,
    load_word,
    name_word,
    find_word,
    cupti_word,
    outcome_word,
    thread_word,
    order_words
};

enum class Outcome : std::uint64_t { under_way = 1, refused = 2, waits = 3 };

}  // namespace

/// void* (*)(std::uint64_t* order), at whatever address it is copied to:
///     handle = order[load](order[agent], RTLD_NOW);
///     listen = handle == 0 ? 0 : order[find](handle, order[name]);
///     order[outcome] = 2 + (listen == 0 ? 0 : listen(order[cupti]));
extern "C" {
extern const std::byte roofwalk_loading_code[];
extern const std::byte roofwalk_loading_code_end[];
}

static_assert(agent_word == 0 && load_word == 1 && name_word == 2 && find_word == 3 && cupti_word == 4 &&
              outcome_word == 5 && RTLD_NOW == 2 && static_cast<int>(Outcome::refused) == 2);
asm(R"(
    .pushsection .rodata
    .balign 8
    .hidden roofwalk_loading_code
    .hidden roofwalk_loading_code_end
    .global roofwalk_loading_code
    .global roofwalk_loading_code_end
roofwalk_loading_code:
)"
#ifdef __aarch64__
    R"(
    stp x29, x30, [sp, #-32]!
    str x19, [sp, #16]
    mov x19, x0
    ldr x0, [x19]
    mov w1, #2
    ldr x8, [x19, #8]
    blr x8
    cbz x0, 1f
    ldr x1, [x19, #16]
    ldr x8, [x19, #24]
    blr x8
    cbz x0, 1f
    mov x8, x0
    ldr x0, [x19, #32]
    blr x8
1:  add w0, w0, #2
    str x0, [x19, #40]
    mov x0, #0
    ldr x19, [sp, #16]
    ldp x29, x30, [sp], #32
    ret
)"
#else
    R"(
    push %rbx
    mov %rdi, %rbx
    mov (%rbx), %rdi
    mov $2, %esi
    call *8(%rbx)
    test %rax, %rax
    je 1f
    mov %rax, %rdi
    mov 16(%rbx), %rsi
    call *24(%rbx)
    test %rax, %rax
    je 1f
    mov 32(%rbx), %rdi
    call *%rax
1:  add $2, %eax
    mov %rax, 40(%rbx)
    xor %eax, %eax
    pop %rbx
    ret
)"
#endif
    R"(
    .balign 8
roofwalk_loading_code_end:
    .popsection
)");

namespace {

/// For a debugger: these bytes, in whole words, from `address` on.
std::string write_words(std::string_view address, std::string_view bytes) {
    std::string expression;
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + at, std::min(sizeof(word), bytes.size() - at));
        expression += fmt::format("*(unsigned long*)({} + {}) = {:#x}, ", address, at, word);
    }
    return expression;
}

/// For a debugger: room in the process, of which `name` is the address from then on.
std::string take_memory(std::string_view name, std::size_t size, int protection) {
    return fmt::format("({} = (char*)mmap((void*)0, (unsigned long){}, {}, {}, -1, (long)0)) != (char*)-1",
                       name, size, protection, MAP_PRIVATE | MAP_ANONYMOUS);
}

/// For a debugger: a new thread of the process loads the agent; the calls take no longer than a moment, so
/// that the debugger never waits for what the agent's file or its beginning takes.
std::string begin_loading(const fs::path& agent_file, const fs::path& cupti_file) {
    const std::string_view code(reinterpret_cast<const char*>(roofwalk_loading_code),
                                static_cast<std::size_t>(roofwalk_loading_code_end - roofwalk_loading_code));
    std::string texts;
    std::array<std::size_t, order_words> places{};
    for (const auto& [word, text] :
         {std::pair(agent_word, agent_file.string()), std::pair(cupti_word, cupti_file.string()),
          std::pair(name_word, std::string("RoofwalkAgentListen"))}) {
        places.at(word) = order_words * sizeof(std::uint64_t) + texts.size();
        texts += text + '\0';
    }
    const auto at = [](OrderWord word) {
        return fmt::format("*(unsigned long*)($order + {})", word * sizeof(std::uint64_t));
    };
    std::string expression =
        take_memory("$code", code.size(), PROT_READ | PROT_EXEC) + " && " +
        take_memory("$order", order_words * sizeof(std::uint64_t) + texts.size() + sizeof(std::uint64_t),
                    PROT_READ | PROT_WRITE) +
        " && (" + write_words("$code", code) +
        write_words(fmt::format("$order + {}", order_words * sizeof(std::uint64_t)), texts);
    for (const OrderWord word : {agent_word, name_word, cupti_word})
        expression += fmt::format("{} = (unsigned long)$order + {}, ", at(word), places.at(word));
    return expression +
           fmt::format(
               "{} = (unsigned long)&dlopen, {} = (unsigned long)&dlsym, {} = {}, "
               "(int)pthread_create((unsigned long*)({} + 8 * {}), (void*)0, $code, $order) == 0) && "
               "(int)pthread_detach({}) == 0",
               at(load_word), at(find_word), at(outcome_word), static_cast<int>(Outcome::under_way), "$order",
               static_cast<std::size_t>(thread_word), at(thread_word));
}

// What the debugger writes, in this order.
constexpr std::string_view calls_undone = "calls can be undone\n";
constexpr std::string_view calls_begin = "calls begin\n";
constexpr std::string_view answer_begin = "answer ";

/// For a debugger with Python: a call that was interrupted is taken back, and its thread is where it was
/// before. Without, one that returns after the debugger has gone ends the process.
constexpr const char* take_calls_back =
    R"(python exec("if int(gdb.parse_and_eval('$answer')) == 0:\n for t in gdb.selected_inferior().threads():\n  t.switch()\n  f = gdb.newest_frame()\n  while f:\n   o = f.older()\n   if o and o.type() == gdb.DUMMY_FRAME:\n    f.select(); gdb.execute('return'); break\n   f = o"))";

/// What the debugger is to do: of the threads of the process the first that only waits begins a thread that
/// loads the agent.
LaunchPlan debugger_plan(const fs::path& debugger, pid_t process, const fs::path& agent_file,
                         const fs::path& cupti_file) {
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
        "(int)setenv(\"NVTX_INJECTION64_PATH\", {3}, 0) == 0 && {4} && ($answer = {5})",
        static_cast<int>(Answer::refused), static_cast<int>(Answer::none), is_waiting(),
        as_c_string(agent_file.string()), begin_loading(agent_file, cupti_file),
        static_cast<int>(Answer::begun));
    for (const std::string& command :
         {std::string("set unwindonsignal on"), std::string("sharedlibrary libc\\."),
          std::string("sharedlibrary libdl\\."), std::string("sharedlibrary libpthread"),
          fmt::format("set $answer = {}", static_cast<int>(Answer::unseen)),
          std::string("set $code = (char*)0"), std::string("set $order = (char*)0"),
          std::string(R"(python gdb.execute("echo calls can be undone\\n"))"),
          std::string("echo calls begin\\n"), ask, std::string(take_calls_back),
          std::string("printf \"answer %d %lu\\n\", $answer, (unsigned long)$order"),
          std::string("detach")}) {
        plan.arguments.emplace_back("-ex");
        plan.arguments.push_back(command);
    }
    plan.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C", "DEBUGINFOD_URLS="};
    return plan;
}

/// What the debugger found, and where the order of the thread that loads the agent stands in the process.
struct Finding {
    Answer answer = Answer::refused;
    std::uint64_t order = 0;
    std::string complaint;  ///< of the debugger, in one line; empty where it had none
};

/// The last line that is no warning: it ended what was asked.
std::string complaint_in(const std::string& errors) {
    constexpr std::size_t most_bytes = 200;
    std::string complaint;
    std::istringstream lines(errors);
    for (std::string line; std::getline(lines, line);)
        if (!trimmed(line).empty() && !contains(line, "warning:")) complaint = trimmed(line);
    return one_line(clean_utf8(std::string_view(complaint).substr(0, most_bytes)));
}

/// What to do, after what the debugger itself said.
std::string hint_after(const std::string& complaint, std::string_view hint) {
    return complaint.empty() ? std::string(hint)
                             : fmt::format("The debugger said \"{}\". {}", complaint, hint);
}

/// Of "answer -1 0".
Finding finding_in(std::string_view output) {
    Finding finding;
    const auto at = output.rfind(answer_begin);
    if (at == std::string_view::npos) return finding;
    const std::string words(output.substr(at + answer_begin.size()));
    char* rest = nullptr;
    const long value = std::strtol(words.c_str(), &rest, 10);
    for (const Answer each : {Answer::unseen, Answer::none, Answer::begun})
        if (value == static_cast<long>(each)) finding.answer = each;
    finding.order = std::strtoull(rest, nullptr, 10);
    return finding;
}

std::string words_for(std::chrono::milliseconds limit) {
    return fmt::format("{:.3g} s", std::chrono::duration<double>(limit).count());
}

/// Whether a thread of the process may be in the midst of a call of the debugger, by what that has written:
/// who ended the debugger then would leave the process a thread that returns to nowhere.
bool is_calling(std::string_view output) {
    return contains(output, calls_begin) && !contains(output, answer_begin);
}

/// Whether the process, which nobody held before, runs on without a debugger, if it is there at all. A
/// debugger that was `ended` as it attached leaves the stop that it has asked for, which may come a little
/// later.
Result<void> see_it_run(const GpuProcess& process, bool ended) {
    constexpr int most_looks = 200;
    int good = 0;
    std::optional<GpuProcess> there;
    for (int look = 0; look < most_looks && good < (ended ? 10 : 1); ++look) {
        there = read_gpu_process(process.process);
        if (!there) return {};
        good = there->traced_by == 0 && !there->stopped ? good + 1 : 0;
        if (ended && there->traced_by == 0) kill(process.process, SIGCONT);
        if (ended || good == 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    if (good > 0) return {};
    if (there->traced_by == 0)
        return tl::unexpected(failed(process, "The process is stopped after a debugger was in it",
                                     fmt::format("Let it go on: `kill -CONT {}`.", process.process)));
    return tl::unexpected(
        failed(process, fmt::format("A debugger (process {}) still holds the process", there->traced_by),
               "It lets go of the process by itself; do not end it before."));
}

/// Runs the debugger once. One that does not come back is ended, and the kernel lets go of the process; in
/// the midst of a call it is interrupted, takes the call back and lets go. One that cannot is left alone: it
/// lets go by itself when the lock that it waits for is free. It goes on too where we are ended.
Result<Finding> ask_threads(const LaunchPlan& plan, const GpuProcess& process,
                            const InjectionLimits& limits) {
    auto debugger = ChildProcess::start(plan, ChildProcess::Streams::surviving);
    if (!debugger) return tl::unexpected(debugger.error());
    std::string output;
    std::string errors;
    const auto on_text = [&](ChildStream stream, std::string_view text) {
        (stream == ChildStream::output ? output : errors) += text;
    };
    auto end = debugger->wait(limits.debugger, on_text);
    const bool in_time = end.has_value();
    // It is held while what it has written is looked at, so that it begins nothing meanwhile.
    for (const bool first : {true, false}) {
        if (end) break;
        debugger->pass_on(SIGSTOP);
        end = debugger->wait(std::chrono::milliseconds(20), on_text);
        const bool calling = is_calling(output);
        debugger->pass_on(calling ? SIGCONT : SIGKILL);
        // A call takes a moment, so that one that is still under way waits for something.
        if (!first && calling && contains(output, calls_undone)) debugger->pass_on(SIGINT);
        if (!end) end = debugger->wait(limits.grace, on_text);
    }
    if (!end)
        return tl::unexpected(failed(process,
                                     fmt::format("The debugger (process {}) has not come back within {}",
                                                 std::move(*debugger).leave(), words_for(limits.debugger)),
                                     "It lets go of the process by itself; do not end it before."));
    if (auto runs = see_it_run(process, !in_time || end->signal); !runs) return tl::unexpected(runs.error());
    Finding finding = finding_in(output);
    finding.complaint = complaint_in(errors);
    if (in_time || finding.answer == Answer::begun) return finding;
    return tl::unexpected(
        failed(process,
               fmt::format("The debugger had not come back within {}, and was made to let go: "
                           "the process runs on",
                           words_for(limits.debugger)),
               start_again));
}

/// Absent where the process has ended.
std::optional<Outcome> outcome_of(pid_t process, std::uint64_t order) {
    const Descriptor memory(open(fmt::format("/proc/{}/mem", process).c_str(), O_RDONLY | O_CLOEXEC));
    std::uint64_t word = 0;
    const auto place = static_cast<off_t>(order + outcome_word * sizeof(word));
    if (!memory.open() || pread(memory.number(), &word, sizeof(word), place) != sizeof(word))
        return std::nullopt;
    for (const Outcome each : {Outcome::under_way, Outcome::waits})
        if (word == static_cast<std::uint64_t>(each)) return each;
    return Outcome::refused;
}

Result<void> wait_for_agent(const GpuProcess& process, std::uint64_t order, std::chrono::milliseconds limit) {
    const auto end = std::chrono::steady_clock::now() + limit;
    std::optional<Outcome> found = outcome_of(process.process, order);
    while (found == Outcome::under_way && std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        found = outcome_of(process.process, order);
    }
    if (!found) return tl::unexpected(failed(process, "The process ended while it loaded the agent", ""));
    if (*found == Outcome::waits) return {};
    if (*found == Outcome::refused)
        return tl::unexpected(failed(process, "The process did not take the agent", start_again));
    return tl::unexpected(failed(
        process, "The process has not loaded the agent within " + words_for(limit),
        "It runs on, and a thread of it goes on loading: attach again when `roofwalk-cli attach --list` "
        "tells that an agent waits in it."));
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
    if (process.stopped)
        reasons.push_back(fmt::format("It is stopped: let it go on, with `kill -CONT {}`.", process.process));
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

Result<void> inject_agent(const GpuProcess& process, const InjectionTools& tools, const fs::path& agent_file,
                          const fs::path& cupti_file, const InjectionLimits& limits) {
    if (auto missing = refuse_missing_agent(agent_file); !missing) return missing;
    const LaunchPlan plan = debugger_plan(*tools.debugger, process.process, agent_file, cupti_file);
    const auto end = std::chrono::steady_clock::now() + search_limit;
    Result<Finding> found = ask_threads(plan, process, limits);
    while (found && found->answer == Answer::none && std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        found = ask_threads(plan, process, limits);
    }
    if (!found) return tl::unexpected(std::move(found).error());
    switch (found->answer) {
        case Answer::begun:
            return wait_for_agent(process, found->order, limits.loading);
        case Answer::unseen:
            return tl::unexpected(failed(process, "The debugger could look at no thread of the process",
                                         hint_after(found->complaint, "It may have ended meanwhile.")));
        case Answer::none:
            return tl::unexpected(failed(
                process, "For 5 s no thread of the process only waited, so that none could load the agent",
                start_again));
        case Answer::refused:
            break;
    }
    return tl::unexpected(failed(process, "The debugger could not have the process load the agent",
                                 hint_after(found->complaint, start_again)));
}

Result<void> make_agent_wait(pid_t number, const InjectionTools& tools, const fs::path& agent,
                             const fs::path& cupti) {
    if (auto refused = refuse_other_owner(number); !refused) return refused;
    const auto process = read_gpu_process(number);
    if (!process)
        return unexpected(ErrorCode::not_profiled, "There is no such process",
                          fmt::format("process {}", number), "It may have ended meanwhile.");
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
        return unexpected(ErrorCode::not_profiled, "No agent can be loaded into running processes here", "",
                          fmt::format("{}", fmt::join(reasons, " ")));
    if (auto missing = refuse_missing_agent(agent); !missing) return missing;
    return ChildProcess::start({"/bin/sleep", {"sleep", "60"}, {}, {}}, ChildProcess::Streams::piped)
        .and_then([&](const ChildProcess& sleeper) {
            ours.process = sleeper.pid();
            return inject_agent(ours, tools, agent, cupti);
        });
}

}  // namespace roofwalk

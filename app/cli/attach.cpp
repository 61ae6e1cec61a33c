// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "app/cli/console.h"
#include "app/cli/end_signals.h"
#include "app/cli/output.h"
#include "app/cli/record.h"
#include "app/cli/shared_options.h"
#include "app/cli/verb.h"
#include "core/base/text.h"
#include "profiler/recording/agent_injection.h"
#include "profiler/recording/processes.h"
#include "profiler/recording/recording_files.h"

namespace roofwalk::cli {

namespace {

/// A process that tells without end fills half of the memory of the machine at most.
void bound_memory() {
    const auto half =
        static_cast<rlim_t>(sysconf(_SC_PHYS_PAGES)) / 2 * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
    rlimit most{};
    if (getrlimit(RLIMIT_DATA, &most) != 0 || most.rlim_cur <= half) return;
    most.rlim_cur = most.rlim_max = half;
    static_cast<void>(setrlimit(RLIMIT_DATA, &most));
}

bool read_nothing() {
    const roofwalk::Descriptor nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
    return nothing.open() && dup2(nothing.number(), STDIN_FILENO) >= 0;
}

/// In the child of `parent`. Its session is its own: it has no terminal that it could type into.
int with_rights_of(const ProcessOwner& owner, pid_t parent, int output, const RecordOptions& options,
                   const std::function<int(const RecordOptions&)>& record) try {
    setsid();
    bound_memory();
    // What is typed for root is not for that user.
    if (!options.until_input_ends && !read_nothing()) return exit_unreadable;
    if (output >= 0 && dup2(output, STDOUT_FILENO) < 0) return exit_unreadable;
    if (const auto became = become_owner(owner); !became) {
        say_error(became.error());
        return exit_no_profiling;
    }
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    // It may have ended before that was asked for.
    if (getppid() != parent) return exit_no_profiling;
    return record(options);
} catch (const std::exception& failure) {
    say_error({ErrorCode::not_profiled, fmt::format("The recording broke off: {}", failure.what()), "", ""});
    return exit_unreadable;
}

/// Ends the child, to which its user can send signals as root can: one that is stopped goes on, and one that
/// is stopped again and again is killed.
class OwnerChild {
  public:
    OwnerChild(pid_t child, EndSignals& signals) : child_(child), signals_(signals) {}

    [[nodiscard]] pid_t child() const { return child_; }
    [[nodiscard]] bool killed() const { return killed_; }

    /// Hands signals on; to be called in every turn of what waits for the child.
    void serve() {
        if (const int signal = signals_.take(); signal != 0) ask(signal);
        if (asked_ && Clock::now() - *asked_ > grace) kill_now();
    }

    void ask(int signal) {
        if (asked_) return kill_now();
        asked_ = Clock::now();
        kill(child_, signal);
        kill(child_, SIGCONT);
    }

  private:
    using Clock = std::chrono::steady_clock;
    /// More than a session takes to end in order.
    static constexpr std::chrono::seconds grace{10};

    void kill_now() {
        kill(child_, SIGKILL);
        killed_ = true;
    }

    pid_t child_;
    EndSignals& signals_;
    std::optional<Clock::time_point> asked_;
    bool killed_ = false;
};

/// Whether it waits for wait_for().
bool has_ended(pid_t child) {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == child;
}

/// Keeps what the child writes until it has ended. False when not all was kept.
bool keep_lines(roofwalk::Descriptor lines, pid_t process, OwnerChild& end, RecordingFiles& files) {
    bool kept = true;
    std::array<char, 65536> part{};
    for (;;) {
        pollfd watched{lines.number(), POLLIN, 0};
        constexpr int turn_ms = 100;
        const bool ended = has_ended(end.child());
        poll(&watched, 1, turn_ms);
        end.serve();
        // A program that it started may hold the other end.
        if (end.killed() || (ended && watched.revents == 0)) return kept;
        if (watched.revents == 0) continue;
        const ssize_t count = read(lines.number(), part.data(), part.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return kept;
        if (!kept) continue;
        const std::string_view piece(part.data(), static_cast<std::size_t>(count));
        if (const auto written = files.write_piece(process, piece); !written) {
            say_error(written.error());
            end.ask(SIGTERM);
            kept = false;
        }
    }
}

/// A failure that no log of the child can hold.
int fail_as_owner(const Error& error, const RecordOptions& options) {
    return refuse_recording(error, begin_log(request_of(options)));
}

/// The exit code of the child, when it has ended.
int wait_for(OwnerChild& end, const RecordOptions& options) {
    for (;;) {
        int status = 0;
        const pid_t ended = waitpid(end.child(), &status, WNOHANG);
        if (ended == end.child() && WIFEXITED(status)) return WEXITSTATUS(status);
        if (ended == end.child() && WIFSIGNALED(status))
            return fail_as_owner({ErrorCode::not_profiled,
                                  fmt::format("The recording was killed by signal {} ({})", WTERMSIG(status),
                                              strsignal(WTERMSIG(status))),
                                  "", ""},
                                 options);
        if (ended < 0 && errno != EINTR) return exit_no_profiling;
        end.serve();
        constexpr int turn_ms = 20;
        poll(nullptr, 0, turn_ms);
    }
}

/// Of root: runs `record`, which records `process`, in a child that has the rights of the owner of that
/// process and no more. Root itself keeps the file of the recording and reads nothing of it; where the file
/// is to stand in a folder that others than root can change, the child writes it, with the rights of the
/// owner. The exit code is that of `record`.
int record_as(const ProcessOwner& owner, pid_t process, const RecordOptions& options,
              const std::function<int(const RecordOptions&)>& record) {
    auto files = RecordingFiles::make_in_own_folder(request_of(options).output, process);
    if (!files) return fail_as_owner(files.error(), options);
    RecordOptions as_owner = options;
    std::array<int, 2> ends{-1, -1};
    if (*files) {
        as_owner.request.output = "-";
        if (pipe2(ends.data(), O_CLOEXEC) != 0)
            return fail_as_owner({ErrorCode::file_not_readable, "No pipe can be made", "", ""}, options);
    }
    roofwalk::Descriptor read_end(ends[0]);
    roofwalk::Descriptor write_end(ends[1]);
    EndSignals signals;
    std::fflush(nullptr);
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0) return fail_as_owner({ErrorCode::not_profiled, "No process can be made", "", ""}, options);
    if (child == 0) {
        read_end.reset();
        const int status = with_rights_of(owner, parent, write_end.number(), as_owner, record);
        std::fflush(nullptr);
        _exit(status);
    }
    write_end.reset();
    OwnerChild end(child, signals);
    const bool kept = !*files || keep_lines(std::move(read_end), process, end, **files);
    const int status = wait_for(end, options);
    if (*files)
        for (const std::string& file : (*files)->files())
            say_recorded_in(file);
    return kept ? status : static_cast<int>(exit_unreadable);
}

std::string command_words(const GpuProcess& process) {
    if (process.command.empty()) return process.name;
    return joined(process.command, " ");
}

std::string_view state_of(const GpuProcess& process) {
    if (process.agent_waits) return "agent waits";
    if (process.agent_loaded) return "agent busy";
    return process.readable ? "no agent" : "not readable";
}

int list() {
    std::string text;
    for (const GpuProcess& process : gpu_processes())
        text += fmt::format("{:>8}  {:<12}  {}\n", process.process, state_of(process),
                            printable(command_words(process)));
    if (text.empty()) say("No process of this machine that can be seen here has CUDA loaded or a GPU open.");
    return write_words("-", text) ? exit_done : exit_unreadable;
}

/// `person` is who asks, whatever the rights that we have by now.
void say_restart(const GpuProcess& process, uid_t person) {
    const std::string command = restart_command(process);
    if (command.empty()) return;
    say(process.user == person
            ? std::string("Start it again under the recorder:")
            : fmt::format("Start it again under the recorder, as its user (uid {}):", process.user));
    say("  " + command);
}

int refuse(const RecordOptions& options, const std::optional<GpuProcess>& process, uid_t person) {
    const ProfileRequest request = request_of(options);
    const RecordingLog log = begin_log(request);
    if (!process)
        return refuse_recording({ErrorCode::not_profiled, "There is no such process",
                                 fmt::format("process {}", *request.attach_to),
                                 "`roofwalk-cli attach --list` lists those that use a GPU."},
                                log);
    std::vector<std::string> hints = why_not_attached(*process, geteuid());
    if (why_not_injected(*process, injection_tools_here(), geteuid()).empty())
        hints.emplace_back(
            "With --inject the agent can be loaded into it as it runs, by a thread of it that waits.");
    const int status = refuse_recording(
        {ErrorCode::not_profiled, "This process cannot be attached to",
         fmt::format("process {}, {}", *request.attach_to, process->name), joined(hints, " ")},
        log);
    say_restart(*process, person);
    return status;
}

/// Loads the agent into a process where none waits. The exit code of a refusal; absent when it waits now.
std::optional<int> inject(const GpuProcess& process, const RecordOptions& options, uid_t person) {
    // What cannot be recorded here is refused before the process is touched.
    const ProfileRequest request = request_of(options);
    const RecordingLog log = begin_log(request);
    const auto parts = prepare_session(request, options.choices, "", log);
    if (!parts) return refuse_recording(parts.error(), log);
    const auto waits = make_agent_wait(process.process, injection_tools_here(), parts->agent, parts->cupti);
    if (waits) return std::nullopt;
    const int status = refuse_recording(waits.error(), log);
    say_restart(process, person);
    return status;
}

/// Loads the agent into a process of our own, which comes to no harm.
int try_on_our_own(const RecordOptions& options) {
    const std::filesystem::path agent =
        options.choices.agent.empty() ? installed_agent() : std::filesystem::absolute(options.choices.agent);
    if (const auto tried = try_injection(injection_tools_here(), agent, options.choices.cupti); !tried) {
        say_error(tried.error());
        return exit_no_profiling;
    }
    say("An agent was loaded into a running process of our own, and waits in it: --inject may work here.");
    return exit_done;
}

int attach_as_we_are(const RecordOptions& options, bool may_inject, uid_t person) {
    const auto number = static_cast<pid_t>(*options.request.attach_to);
    const auto process = read_gpu_process(number);
    if (process && process->agent_waits) return record(options);
    if (!process || !may_inject) return refuse(options, process, person);
    if (const auto refused = inject(*process, options, person)) return *refused;
    RecordOptions injected = options;
    injected.request.inject = true;
    return record(injected);
}

int attach(const RecordOptions& options, bool may_inject) {
    const auto number = static_cast<pid_t>(*options.request.attach_to);
    const auto owner = read_owner(number);
    if (geteuid() != 0 || !owner || (owner->one_user && owner->user == 0))
        return attach_as_we_are(options, may_inject, geteuid());
    // What the process tells is read with its own rights, whatever it tells.
    return record_as(*owner, number, options, [may_inject](const RecordOptions& as_owner) {
        return attach_as_we_are(as_owner, may_inject, 0);
    });
}

}  // namespace

void add_attach(CLI::App& app, int& status) {
    CLI::App* verb = app.add_subcommand("attach", "Record the kernels of a program that runs");
    const auto options = std::make_shared<RecordOptions>();
    const auto lists = std::make_shared<bool>(false);
    add_record_options(*verb, *options);
    CLI::Option* number =
        verb->add_option("PID", options->request.attach_to, "process in which an agent waits")
            ->check(whole_number(1, std::numeric_limits<pid_t>::max()))
            ->type_name("");
    verb->add_flag("--list", *lists, "list the processes that use a GPU, and whether an agent waits in them")
        ->excludes(number);
    const auto injects = std::make_shared<bool>(false);
    verb->add_flag("--inject", *injects, "where no agent waits, load one into the running process with gdb");
    const auto tries = std::make_shared<bool>(false);
    verb->add_flag("--try-inject", *tries,
                   "try on a process of our own whether --inject can work on this machine")
        ->excludes(number);
    verb->callback([options, lists, injects, tries, &status] {
        if (!*lists && !*tries && !options->request.attach_to) throw CLI::RequiredError("PID or --list");
        if (*tries)
            status = try_on_our_own(*options);
        else
            status = *lists ? list() : attach(*options, *injects);
    });
}

}  // namespace roofwalk::cli

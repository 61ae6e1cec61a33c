// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "profiler/wire/agent_address.h"

namespace roofwalk {

namespace fs = std::filesystem;

std::optional<std::string_view> value_in(const std::vector<std::string>& environment, std::string_view name) {
    for (const std::string_view entry : environment)
        if (entry.size() > name.size() && entry.starts_with(name) && entry[name.size()] == '=')
            return entry.substr(name.size() + 1);
    return std::nullopt;
}

bool can_run(const fs::path& file) {
    std::error_code ignored;
    return fs::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0;
}

std::optional<fs::path> program_on(std::string_view path, std::string_view name, const fs::path& directory) {
    while (!path.empty()) {
        const auto end = std::min(path.find(':'), path.size());
        fs::path candidate = directory / fs::path(path.substr(0, end)) / name;
        if (candidate.is_absolute() && can_run(candidate)) return candidate;
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return std::nullopt;
}

namespace {

void set(std::vector<std::string>& environment, std::string_view name, std::string_view value) {
    std::erase_if(environment, [&](const std::string& entry) {
        return entry.size() > name.size() && entry.starts_with(name) && entry[name.size()] == '=';
    });
    environment.push_back(fmt::format("{}={}", name, value));
}

Result<fs::path> find_program(const std::string& name, const fs::path& directory,
                              const std::vector<std::string>& environment) {
    if (name.find('/') == std::string::npos) {
        if (auto found = program_on(value_in(environment, "PATH").value_or(""), name, directory))
            return *std::move(found);
        return unexpected(ErrorCode::file_not_found, "There is no program of this name on PATH", name,
                          can_run(directory / name) ? fmt::format("There is one here: write ./{}.", name)
                                                    : std::string("Give its path, as in ./app."));
    }
    fs::path file = directory / name;
    std::error_code ignored;
    if (can_run(file)) return file;
    if (!fs::exists(file, ignored))
        return unexpected(ErrorCode::file_not_found, "The program does not exist", file.string(),
                          "A path is taken from the folder that the program is to run in.");
    if (fs::is_directory(file, ignored))
        return unexpected(ErrorCode::file_not_readable, "The program is a folder", file.string(),
                          "Name the program in it.");
    return unexpected(
        ErrorCode::file_not_readable, "The program may not be run", file.string(),
        "Make it executable with chmod +x, or start it through its interpreter, as in `python3 FILE`.");
}

/// Such a program is started without the variables that load an agent.
bool runs_as_somebody_else(const fs::path& program) {
    struct stat status {};
    if (stat(program.c_str(), &status) != 0) return false;
    return ((status.st_mode & S_ISUID) != 0 && status.st_uid != geteuid()) ||
           ((status.st_mode & S_ISGID) != 0 && status.st_gid != getegid());
}

Result<void> set_agent(std::vector<std::string>& environment, const AgentPaths& agent) {
    std::error_code ignored;
    if (!agent.library.is_absolute() || !fs::is_regular_file(agent.library, ignored))
        return unexpected(ErrorCode::file_not_found, "The agent that records kernels is not installed",
                          agent.library.string(), "Install roofwalk-cli whole.");
    for (const char* name : {"CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH"}) {
        const auto before = value_in(environment, name).value_or("");
        if (!before.empty() && before != agent.library.string())
            return unexpected(
                ErrorCode::bad_argument, fmt::format("Another profiler is to be loaded: {} is set", name),
                std::string(before), fmt::format("Unset {}, or leave that profiler out.", name));
        set(environment, name, agent.library.string());
    }
    set(environment, wire::agent_socket_variable, agent.socket.string());
    if (!agent.cupti.empty()) set(environment, wire::agent_cupti_variable, agent.cupti.string());
    return {};
}

struct ChildPipe {
    Descriptor read_end;
    Descriptor write_end;
};

/// The same file under a number that is none of the standard streams, which may be free; not open on failure.
Descriptor beyond_standard(Descriptor any) {
    if (!any.open() || any.number() > STDERR_FILENO) return any;
    return Descriptor(fcntl(any.number(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

Result<ChildPipe> make_pipe() {
    std::array<int, 2> ends{-1, -1};
    const bool made = pipe2(ends.data(), O_CLOEXEC) == 0;
    ChildPipe ours{beyond_standard(Descriptor(ends[0])), beyond_standard(Descriptor(ends[1]))};
    if (!made || !ours.read_end.open() || !ours.write_end.open())
        return unexpected(ErrorCode::file_not_readable,
                          fmt::format("No pipe can be made: {}", std::strerror(errno)), "",
                          "Too many files may be open: see `ulimit -n`.");
    return ours;
}

pid_t wait_for_end_of(pid_t pid) {
    pid_t ended = -1;
    do {
        ended = waitpid(pid, nullptr, 0);
    } while (ended < 0 && errno == EINTR);
    return ended;
}

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (const std::string& text : texts)
        pointers.push_back(const_cast<char*>(text.c_str()));  // execve() takes them so and changes nothing
    pointers.push_back(nullptr);
    return pointers;
}

/// Starts who reads and drops what the program writes once we are gone, by whose pipes it would be ended
/// otherwise, and gives what tells that we are: not open where there is no shell, and the program goes
/// without. No fork of ours does it, which would hold what we have in memory.
Descriptor start_drain(const std::array<ChildPipe, 2>& pipes) {
    constexpr int first = 3;
    constexpr int beyond_these = 10;
    auto life = make_pipe();
    if (!life) return {};
    std::vector<Descriptor> theirs;
    theirs.emplace_back(fcntl(life->read_end.number(), F_DUPFD_CLOEXEC, beyond_these));
    for (const ChildPipe& pipe : pipes) {
        // Opened anew: ours does not wait.
        const std::string ours = fmt::format("/proc/self/fd/{}", pipe.read_end.number());
        const Descriptor waiting(open(ours.c_str(), O_RDONLY | O_CLOEXEC));
        theirs.emplace_back(fcntl(waiting.number(), F_DUPFD_CLOEXEC, beyond_these));
    }
    if (!std::ranges::all_of(theirs, &Descriptor::open)) return {};
    const std::vector<std::string> arguments{
        "sh", "-c", "{ read -r line <&3; cat <&4 & exec cat <&5; } >/dev/null 2>&1 &"};
    const std::vector<std::string> environment{"PATH=/usr/bin:/bin"};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (std::size_t at = 0; at < theirs.size(); ++at)
        posix_spawn_file_actions_adddup2(&actions, theirs[at].number(), first + static_cast<int>(at));
    posix_spawnattr_t apart;
    posix_spawnattr_init(&apart);
    posix_spawnattr_setflags(&apart, POSIX_SPAWN_SETSID);
    pid_t shell = -1;
    const int failed = posix_spawn(&shell, "/bin/sh", &actions, &apart, pointers_to(arguments).data(),
                                   pointers_to(environment).data());
    posix_spawnattr_destroy(&apart);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) return {};
    wait_for_end_of(shell);
    return std::move(life->write_end);
}

/// Looks at the end of a child and leaves it to be reaped; its pid is 0 while it runs, absent when it is no
/// child of ours or is reaped.
std::optional<siginfo_t> end_of(pid_t pid) {
    siginfo_t info{};
    int done = -1;
    do {
        done = waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT);
    } while (done != 0 && errno == EINTR);
    if (done != 0) return std::nullopt;
    return info;
}

/// All that the child needs, made before it is there: between fork() and exec() nothing may be allocated.
struct Start {
    const char* program;
    char* const* arguments;
    char* const* environment;
    const char* directory;
    int input;  // -1, as the next two: as ours
    int output;
    int error;
    int report;
};

/// No handler of ours may run in the child, whose signals are all blocked until here.
void take_signals_as_at_start() {
    for (int number = 1; number < NSIG; ++number) {
        struct sigaction action {};
        if (sigaction(number, nullptr, &action) != 0) continue;
        const bool ignored_by_us = number == SIGPIPE || number == SIGXFSZ || number == SIGCHLD;
        if (action.sa_handler == SIG_IGN && !ignored_by_us) continue;
        action = {};
        action.sa_handler = SIG_DFL;
        sigaction(number, &action, nullptr);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void become(const Start& start) {
    if (start.output >= 0) setsid();
    take_signals_as_at_start();
    bool ready = true;
    if (start.output >= 0)
        ready = dup2(start.input, STDIN_FILENO) >= 0 && dup2(start.output, STDOUT_FILENO) >= 0 &&
                dup2(start.error, STDERR_FILENO) >= 0;
    if (ready && start.directory[0] != '\0') ready = chdir(start.directory) == 0;
    if (ready) execve(start.program, start.arguments, start.environment);
    const int why = errno;
    [[maybe_unused]] const auto told = write(start.report, &why, sizeof(why));
    _exit(127);
}

/// fork() with all signals blocked on both sides; ours come back in the parent.
pid_t fork_with_signals_blocked() {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t pid = fork();
    if (pid == 0) return pid;
    const int why = errno;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    errno = why;
    return pid;
}

}  // namespace

std::vector<std::string> environment_here() {
    std::vector<std::string> entries;
    for (char* const* entry = environ; entry != nullptr && *entry != nullptr; ++entry)
        entries.emplace_back(*entry);
    return entries;
}

Result<LaunchPlan> plan_program(const ProgramStart& request, const std::vector<std::string>& inherited) {
    if (request.command.empty() || request.command.front().empty())
        return unexpected(ErrorCode::bad_argument, "No program is given", "",
                          "Write it behind --, as in `-- ./app 100`.");
    std::error_code failed;
    const fs::path directory =
        request.directory.empty() ? fs::current_path(failed) : fs::absolute(request.directory, failed);
    if (failed || !fs::is_directory(directory, failed))
        return unexpected(ErrorCode::file_not_found, "The folder to run in does not exist",
                          directory.string(), "");

    LaunchPlan plan{{}, request.command, directory, inherited};
    for (const auto& [name, value] : request.environment) {
        if (name.empty() || name.find_first_of(std::string_view("=\0", 2)) != std::string::npos)
            return unexpected(ErrorCode::bad_argument, "This is no name of a variable", name,
                              "Write NAME=value.");
        set(plan.environment, name, value);
    }
    auto program = find_program(request.command.front(), directory, plan.environment);
    if (!program) return tl::unexpected(program.error());
    plan.program = *std::move(program);
    return plan;
}

Result<LaunchPlan> plan_launch(const ProgramStart& request, const AgentPaths& agent,
                               const std::vector<std::string>& inherited) {
    auto planned = plan_program(request, inherited);
    if (!planned) return planned;
    LaunchPlan plan = *std::move(planned);
    if (runs_as_somebody_else(plan.program))
        return unexpected(ErrorCode::bad_argument,
                          "The program runs as another user, so that no agent can be loaded into it",
                          plan.program.string(), "Profile a copy of it that you own.");
    if (const auto done = set_agent(plan.environment, agent); !done) return tl::unexpected(done.error());
    return plan;
}

std::string words_for(const ChildEnd& end) {
    if (end.signal) return fmt::format("was killed by signal {} ({})", *end.signal, strsignal(*end.signal));
    if (end.exit_code) return fmt::format("ended with exit code {}", *end.exit_code);
    return "ended, and nobody can tell how";
}

Result<ChildProcess> ChildProcess::start(const LaunchPlan& plan, Streams streams) {
    auto report = make_pipe();
    if (!report) return tl::unexpected(report.error());
    const auto failed = [&](int why) {
        return unexpected(ErrorCode::file_not_readable,
                          fmt::format("The program cannot be started: {}", std::strerror(why)),
                          plan.program.string());
    };
    const bool apart = streams != Streams::inherited;
    std::array<ChildPipe, 2> pipes;
    ChildPipe input;
    if (apart) {
        for (ChildPipe& each : pipes) {
            auto made = make_pipe();
            if (!made) return tl::unexpected(made.error());
            each = *std::move(made);
            fcntl(each.read_end.number(), F_SETFL, O_NONBLOCK);
        }
    }
    if (streams == Streams::held) {
        auto made = make_pipe();
        if (!made) return tl::unexpected(made.error());
        input = *std::move(made);
    } else if (apart) {
        input.read_end = beyond_standard(Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC)));
        if (!input.read_end.open()) return failed(errno);
    }
    Descriptor life = streams == Streams::surviving ? start_drain(pipes) : Descriptor();
    const auto arguments = pointers_to(plan.arguments);
    const auto environment = pointers_to(plan.environment);
    const std::string directory = plan.directory.string();
    const Start start{plan.program.c_str(),        arguments.data(),          environment.data(),
                      directory.c_str(),           input.read_end.number(),   pipes[0].write_end.number(),
                      pipes[1].write_end.number(), report->write_end.number()};
    const pid_t pid = fork_with_signals_blocked();
    if (pid == 0) become(start);
    if (pid < 0) return failed(errno);
    report->write_end.reset();
    int why = 0;
    ssize_t told = 0;
    do {
        told = read(report->read_end.number(), &why, sizeof(why));
    } while (told < 0 && errno == EINTR);
    if (told > 0) {
        wait_for_end_of(pid);
        return failed(why);
    }
    ChildProcess child;
    child.pid_ = pid;
    child.own_group_ = apart;
    child.input_ = std::move(input.write_end);
    child.life_ = std::move(life);
    child.process_ = beyond_standard(Descriptor(static_cast<int>(syscall(SYS_pidfd_open, pid, 0))));
    for (std::size_t i = 0; i < pipes.size(); ++i)
        child.streams_[i] = std::move(pipes[i].read_end);
    return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      own_group_(other.own_group_),
      reaped_(other.reaped_),
      process_(std::move(other.process_)),
      streams_(std::move(other.streams_)),
      input_(std::move(other.input_)),
      life_(std::move(other.life_)),
      end_(other.end_) {}

ChildProcess::~ChildProcess() {
    send(SIGKILL);
    reap();
}

pid_t ChildProcess::leave() && {
    return std::exchange(pid_, -1);
}

bool ChildProcess::holds_pid() const {
    return pid_ > 0 && !reaped_ && end_of(pid_).has_value();
}

void ChildProcess::send(int signal) const {
    if (holds_pid()) kill(own_group_ ? -pid_ : pid_, signal);
}

void ChildProcess::pass_on(int signal) const {
    if (!end_) send(signal);
}

std::optional<int> ChildProcess::stopped() const {
    if (end_ || !holds_pid()) return std::nullopt;
    siginfo_t info{};
    if (waitid(P_PID, static_cast<id_t>(pid_), &info, WSTOPPED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0)
        return std::nullopt;
    return info.si_status;
}

std::vector<int> ChildProcess::watched() const {
    std::vector<int> descriptors;
    for (const Descriptor* each : {&process_, &streams_[0], &streams_[1]})
        if (each->open()) descriptors.push_back(each->number());
    return descriptors;
}

void ChildProcess::look_for_end() {
    if (end_) return;
    const auto info = end_of(pid_);
    if (!info) {
        reaped_ = true;
        end_ = ChildEnd{};
    } else if (info->si_pid == pid_) {
        end_ = info->si_code == CLD_EXITED ? ChildEnd{info->si_status, std::nullopt}
                                           : ChildEnd{std::nullopt, info->si_status};
    }
}

void ChildProcess::reap() {
    if (pid_ <= 0 || reaped_) return;
    wait_for_end_of(pid_);
    reaped_ = true;
}

void ChildProcess::read_some(const OnChildText& on_text) {
    // More than a pipe holds, so that nothing is left behind at the end; bounded, so that a program that
    // never stops writing does not keep us from our deadline.
    constexpr int most_parts = 32;
    std::array<char, 65536> text{};
    for (std::size_t i = 0; i < streams_.size(); ++i) {
        for (int part = 0; part < most_parts && streams_[i].open(); ++part) {
            const auto count = read(streams_[i].number(), text.data(), text.size());
            if (count > 0) {
                if (on_text)
                    on_text(i == 0 ? ChildStream::output : ChildStream::error,
                            std::string_view(text.data(), static_cast<std::size_t>(count)));
            } else if (count == 0 || errno != EINTR) {
                if (count == 0 || errno != EAGAIN) streams_[i].reset();
                break;
            }
        }
    }
}

void ChildProcess::watch(std::chrono::milliseconds limit, const OnChildText& on_text) {
    std::array<pollfd, 3> watched{pollfd{process_.number(), POLLIN, 0},
                                  pollfd{streams_[0].number(), POLLIN, 0},
                                  pollfd{streams_[1].number(), POLLIN, 0}};
    // Where the kernel has no descriptors for processes, the end is asked for now and then.
    constexpr std::chrono::milliseconds now_and_then{20};
    const auto pause = process_.open() ? limit : std::min(limit, now_and_then);
    poll(watched.data(), watched.size(), static_cast<int>(std::min<std::int64_t>(pause.count(), 60'000)));
    // First the end and then the text: what the program wrote before it ended is there by then.
    look_for_end();
    read_some(on_text);
}

std::optional<ChildEnd> ChildProcess::wait(std::chrono::milliseconds limit, const OnChildText& on_text) {
    if (pid_ <= 0) return end_.value_or(ChildEnd{});
    watch_until_end(limit, on_text);
    if (end_) reap();
    return end_;
}

void ChildProcess::watch_until_end(std::chrono::milliseconds limit, const OnChildText& on_text) {
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + limit;
    while (!end_) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
        watch(std::max(left, std::chrono::milliseconds(0)), on_text);
        if (left.count() <= 0) return;
    }
}

ChildEnd ChildProcess::stop(std::chrono::milliseconds grace, const OnChildText& on_text) {
    if (pid_ <= 0 || end_) return end_.value_or(ChildEnd{});
    send(SIGTERM);
    send(SIGCONT);
    watch_until_end(grace, on_text);
    // Not reaped yet, so that the group cannot be that of another program.
    send(SIGKILL);
    while (!end_)
        watch(std::chrono::milliseconds(1000), on_text);
    reap();
    return *end_;
}

}  // namespace roofwalk

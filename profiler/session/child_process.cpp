// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/session/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>
#include <vector>

namespace roofwalk {

namespace {

struct Pipe {
    Descriptor read_end;
    Descriptor write_end;
};

Result<Pipe> make_pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        return tl::unexpected(Error{ErrorCode::file_not_readable,
                                    fmt::format("No pipe can be made: {}", std::strerror(errno)), "", ""});
    return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (const std::string& text : texts)
        pointers.push_back(const_cast<char*>(text.c_str()));  // execve() takes them so and changes nothing
    pointers.push_back(nullptr);
    return pointers;
}

/// All that the child needs, made before it is there: between fork() and exec() nothing may be allocated.
struct Start {
    const char* program;
    char* const* arguments;
    char* const* environment;
    const char* directory;
    int output;  // -1: as ours
    int error;
    int report;
};

[[noreturn]] void become(const Start& start) {
    setpgid(0, 0);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    signal(SIGPIPE, SIG_DFL);
    bool ready = true;
    if (start.output >= 0) {
        const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
        ready = nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(start.output, STDOUT_FILENO) >= 0 &&
                dup2(start.error, STDERR_FILENO) >= 0;
    }
    if (ready && start.directory[0] != '\0') ready = chdir(start.directory) == 0;
    if (ready) execve(start.program, start.arguments, start.environment);
    const int why = errno;
    [[maybe_unused]] const auto told = write(start.report, &why, sizeof(why));
    _exit(127);
}

}  // namespace

Descriptor::Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    if (this != &other) {
        reset();
        number_ = std::exchange(other.number_, -1);
    }
    return *this;
}

void Descriptor::reset() {
    if (open()) close(number_);
    number_ = -1;
}

Result<ChildProcess> ChildProcess::start(const LaunchPlan& plan, Streams streams) {
    auto report = make_pipe();
    if (!report) return tl::unexpected(report.error());
    std::array<Pipe, 2> pipes;
    if (streams == Streams::piped) {
        for (Pipe& each : pipes) {
            auto made = make_pipe();
            if (!made) return tl::unexpected(made.error());
            each = *std::move(made);
            fcntl(each.read_end.number(), F_SETFL, O_NONBLOCK);
        }
    }
    const auto arguments = pointers_to(plan.arguments);
    const auto environment = pointers_to(plan.environment);
    const std::string directory = plan.directory.string();
    const Start start{plan.program.c_str(),        arguments.data(),
                      environment.data(),          directory.c_str(),
                      pipes[0].write_end.number(), pipes[1].write_end.number(),
                      report->write_end.number()};
    const pid_t pid = fork();
    if (pid == 0) become(start);
    const auto failed = [&](int why) {
        return tl::unexpected(Error{ErrorCode::file_not_readable,
                                    fmt::format("The program cannot be started: {}", std::strerror(why)),
                                    plan.program.string(), ""});
    };
    if (pid < 0) return failed(errno);
    setpgid(pid, pid);
    report->write_end.reset();
    int why = 0;
    ssize_t told = 0;
    do {
        told = read(report->read_end.number(), &why, sizeof(why));
    } while (told < 0 && errno == EINTR);
    if (told > 0) {
        waitpid(pid, nullptr, 0);
        return failed(why);
    }
    ChildProcess child;
    child.pid_ = pid;
    child.process_ = Descriptor(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
    for (std::size_t i = 0; i < pipes.size(); ++i)
        child.streams_[i] = std::move(pipes[i].read_end);
    return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      process_(std::move(other.process_)),
      streams_(std::move(other.streams_)),
      end_(other.end_) {}

ChildProcess::~ChildProcess() {
    if (pid_ < 0 || end_) return;
    pass_on(SIGKILL);
    waitpid(pid_, nullptr, 0);
}

void ChildProcess::pass_on(int signal) const {
    if (pid_ > 0 && !end_) kill(-pid_, signal);
}

void ChildProcess::reap_if_ended() {
    int status = 0;
    if (end_ || waitpid(pid_, &status, WNOHANG) != pid_) return;
    if (WIFSIGNALED(status))
        end_ = ChildEnd{std::nullopt, WTERMSIG(status)};
    else
        end_ = ChildEnd{WEXITSTATUS(status), std::nullopt};
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
    reap_if_ended();
    read_some(on_text);
}

std::optional<ChildEnd> ChildProcess::wait(std::chrono::milliseconds limit, const OnChildText& on_text) {
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + limit;
    while (!end_) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
        watch(std::max(left, std::chrono::milliseconds(0)), on_text);
        if (!end_ && left.count() <= 0) return std::nullopt;
    }
    return end_;
}

ChildEnd ChildProcess::stop(std::chrono::milliseconds grace, const OnChildText& on_text) {
    pass_on(SIGTERM);
    pass_on(SIGCONT);
    const auto ended = wait(grace, on_text);
    kill(-pid_, SIGKILL);  // the program, or children that outlived it
    if (ended) return *ended;
    while (!end_)
        watch(std::chrono::milliseconds(1000), on_text);
    return *end_;
}

}  // namespace roofwalk

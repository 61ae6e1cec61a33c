// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/record_as.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <optional>
#include <string_view>
#include <utility>

#include "app/cli/console.h"
#include "app/cli/end_signals.h"
#include "app/cli/exit_code.h"
#include "app/cli/record.h"
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

/// The exit code of the child, when it has ended.
int wait_for(OwnerChild& end) {
    for (;;) {
        int status = 0;
        const pid_t ended = waitpid(end.child(), &status, WNOHANG);
        if (ended == end.child() && WIFEXITED(status)) return WEXITSTATUS(status);
        if (ended == end.child() && WIFSIGNALED(status)) {
            say_error({ErrorCode::not_profiled,
                       fmt::format("The recording was killed by signal {} ({})", WTERMSIG(status),
                                   strsignal(WTERMSIG(status))),
                       "", ""});
            return exit_no_profiling;
        }
        if (ended < 0 && errno != EINTR) return exit_no_profiling;
        end.serve();
        constexpr int turn_ms = 20;
        poll(nullptr, 0, turn_ms);
    }
}

}  // namespace

int record_as(const ProcessOwner& owner, pid_t process, const RecordOptions& options,
              const std::function<int(const RecordOptions&)>& record) {
    const auto refused = [](const Error& error) { return fail(error); };
    auto files = RecordingFiles::make_in_own_folder(request_of(options).output, process);
    if (!files) return refused(files.error());
    RecordOptions as_owner = options;
    std::array<int, 2> ends{-1, -1};
    if (*files) {
        as_owner.request.output = "-";
        if (pipe2(ends.data(), O_CLOEXEC) != 0)
            return refused({ErrorCode::file_not_readable, "No pipe can be made", "", ""});
    }
    roofwalk::Descriptor read_end(ends[0]);
    roofwalk::Descriptor write_end(ends[1]);
    EndSignals signals;
    std::fflush(nullptr);
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0) return refused({ErrorCode::not_profiled, "No process can be made", "", ""});
    if (child == 0) {
        read_end.reset();
        const int status = with_rights_of(owner, parent, write_end.number(), as_owner, record);
        std::fflush(nullptr);
        _exit(status);
    }
    write_end.reset();
    OwnerChild end(child, signals);
    const bool kept = !*files || keep_lines(std::move(read_end), process, end, **files);
    const int status = wait_for(end);
    if (*files)
        for (const std::string& file : (*files)->files())
            say_recorded_in(file);
    return kept ? status : static_cast<int>(exit_unreadable);
}

}  // namespace roofwalk::cli

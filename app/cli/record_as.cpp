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

/// In the child. Its session is its own: it has no terminal that it could type into.
int with_rights_of(const ProcessOwner& owner, int output, const RecordOptions& options,
                   const std::function<int(const RecordOptions&)>& record) try {
    setsid();
    bound_memory();
    if (output >= 0 && dup2(output, STDOUT_FILENO) < 0) return exit_unreadable;
    if (const auto became = become_owner(owner); !became) {
        say_error(became.error());
        return exit_no_profiling;
    }
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    return record(options);
} catch (const std::exception& failure) {
    say_error({ErrorCode::not_profiled, fmt::format("The recording broke off: {}", failure.what()), "", ""});
    return exit_unreadable;
}

/// Keeps what the child writes, and hands signals on to it, until it has ended. False when not all was kept.
bool keep_lines(roofwalk::Descriptor lines, pid_t child, pid_t process, EndSignals& signals,
                RecordingFiles& files) {
    bool kept = true;
    std::array<char, 65536> part{};
    for (;;) {
        pollfd watched{lines.number(), POLLIN, 0};
        constexpr int turn_ms = 100;
        poll(&watched, 1, turn_ms);
        if (const int signal = signals.take(); signal != 0) kill(child, signal);
        if (watched.revents == 0) continue;
        const ssize_t count = read(lines.number(), part.data(), part.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return kept;
        if (!kept) continue;
        const std::string_view text(part.data(), static_cast<std::size_t>(count));
        if (const auto written = files.write(0, process, text); !written) {
            say_error(written.error());
            kill(child, SIGTERM);
            kept = false;
        }
    }
}

/// Hands signals on to the child until it has ended. Its exit code.
int wait_for(pid_t child, EndSignals& signals) {
    for (;;) {
        int status = 0;
        const pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child && WIFEXITED(status)) return WEXITSTATUS(status);
        if (ended == child && WIFSIGNALED(status)) {
            say_error({ErrorCode::not_profiled,
                       fmt::format("The recording was killed by signal {} ({})", WTERMSIG(status),
                                   strsignal(WTERMSIG(status))),
                       "", ""});
            return exit_no_profiling;
        }
        if (ended < 0 && errno != EINTR) return exit_no_profiling;
        if (const int signal = signals.take(); signal != 0) kill(child, signal);
        constexpr int turn_ms = 20;
        poll(nullptr, 0, turn_ms);
    }
}

}  // namespace

int record_as(const ProcessOwner& owner, pid_t process, const RecordOptions& options,
              const std::function<int(const RecordOptions&)>& record) {
    const auto refused = [](const Error& error) {
        say_error(error);
        return exit_code_of(error.code);
    };
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
    const pid_t child = fork();
    if (child < 0) return refused({ErrorCode::not_profiled, "No process can be made", "", ""});
    if (child == 0) {
        read_end.reset();
        const int status = with_rights_of(owner, write_end.number(), as_owner, record);
        std::fflush(nullptr);
        _exit(status);
    }
    write_end.reset();
    const bool kept = !*files || keep_lines(std::move(read_end), child, process, signals, **files);
    const int status = wait_for(child, signals);
    if (*files)
        for (const std::string& file : (*files)->files())
            say_recorded_in(file);
    return kept ? status : static_cast<int>(exit_unreadable);
}

}  // namespace roofwalk::cli

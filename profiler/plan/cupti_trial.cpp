// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/plan/cupti_trial.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <optional>
#include <string_view>

#include "core/base/descriptor.h"
#include "profiler/wire/cupti_folders.h"

namespace roofwalk {

namespace {

constexpr char answer_follows = 'a';
constexpr char refusal_follows = 'r';
constexpr const char* unreadable = "What CUPTI answers cannot be read";

using Clock = std::chrono::steady_clock;

Error not_working(std::string what, const std::filesystem::path& library) {
    return {
        ErrorCode::unsupported_version, std::move(what), library.string(),
        "CUPTI of CUDA 13.2 and later plans only where a driver is loaded: name that of CUDA 13.0 or 13.1 with "
        "--cupti."};
}

Error driver_too_old(const std::filesystem::path& library, int driver_cuda) {
    return {
        ErrorCode::unsupported_version,
        fmt::format("CUPTI 13 needs driver 580 or later, and this one serves CUDA {}.{}", driver_cuda / 1000,
                    driver_cuda % 1000 / 10),
        library.string(),
        "Install the CUPTI of CUDA 12.9 (`pip install nvidia-cuda-cupti-cu12`) or driver 580, or record with "
        "Nsight Compute (`roofwalk-cli profile --ncu`)."};
}

Error not_tried(std::string_view what, const std::filesystem::path& library) {
    return {ErrorCode::not_profiled, fmt::format("CUPTI cannot be tried: {}: {}", what, std::strerror(errno)),
            library.string(), "Too many files or processes may be open: see `ulimit -a`."};
}

Result<CuptiAnswer> answer_of(const std::filesystem::path& library,
                              const std::function<Result<CuptiAnswer>(const CuptiHost&)>& question) {
    const auto host = CuptiHost::load(library);
    return host ? question(*host) : tl::unexpected(host.error());
}

/// The kind of an answer, then its texts, each with a zero byte behind it; of a refusal its code, what
/// happened and what to do.
std::string message_of(const Result<CuptiAnswer>& answer) {
    std::string message(1, answer ? answer_follows : refusal_follows);
    const auto append = [&](const std::string& text) { (message += text) += '\0'; };
    if (answer) {
        std::ranges::for_each(*answer, append);
    } else {
        append(std::to_string(static_cast<int>(answer.error().code)));
        append(answer.error().what);
        append(answer.error().hint);
    }
    return message;
}

std::vector<std::string> texts_in(std::string_view message) {
    std::vector<std::string> texts;
    for (auto end = message.find('\0'); end != std::string_view::npos; end = message.find('\0')) {
        texts.emplace_back(message.substr(0, end));
        message.remove_prefix(end + 1);
    }
    return texts;
}

/// In a child of fork(): nothing but `work`, with no file but the pipe, and no trace of its death. It ends by
/// itself soon after `limit`, whoever waits for it.
[[noreturn]] void run_child(int pipe, std::chrono::milliseconds limit,
                            const std::function<std::string()>& work) noexcept {
    for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGTERM, SIGINT, SIGALRM})
        std::signal(signal, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    alarm(static_cast<unsigned>(std::chrono::ceil<std::chrono::seconds>(limit).count()) + 1);
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    // Not in the place of a file that somebody may still write to, as the loader does for LD_DEBUG.
    const int ours = fcntl(pipe, F_DUPFD, STDERR_FILENO + 1);
    if (ours < 0) _exit(1);
    if (const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC); nowhere >= 0)
        for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
            dup2(nowhere, stream);
#ifdef SYS_close_range
    if (ours > STDERR_FILENO + 1) syscall(SYS_close_range, STDERR_FILENO + 1, ours - 1, 0);
    syscall(SYS_close_range, ours + 1, ~0U, 0);
#endif
    const std::string text = work();
    for (std::string_view rest = text; !rest.empty();) {
        const auto written = write(ours, rest.data(), rest.size());
        if (written <= 0) _exit(1);
        rest.remove_prefix(static_cast<std::size_t>(written));
    }
    _exit(0);
}

/// All that comes until the end; absent where it does not end by `end`, or is stopped.
std::optional<std::string> read_all(int pipe, Clock::time_point end, const std::stop_token& stop) {
    constexpr std::chrono::milliseconds step{20};
    std::string text;
    std::array<char, 4096> room{};
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
        if (left.count() <= 0 || stop.stop_requested()) return std::nullopt;
        pollfd watched{pipe, POLLIN, 0};
        const int ready = poll(&watched, 1, static_cast<int>(std::min(left, step).count()));
        if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
        if (ready < 0) return std::nullopt;
        const auto taken = read(pipe, room.data(), room.size());
        if (taken <= 0) return text;
        text.append(room.data(), static_cast<std::size_t>(taken));
    }
}

std::string words_for_end(int status) {
    if (!WIFSIGNALED(status)) return "CUPTI ends the process that asks it";
    return fmt::format("CUPTI ends the process that asks it by signal {} ({})", WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
}

Result<CuptiAnswer> answer_in(std::string_view message, const std::filesystem::path& library) {
    CuptiAnswer texts = texts_in(message.substr(1));
    if (message.front() == answer_follows) return texts;
    if (message.front() != refusal_follows || texts.size() != 3)
        return tl::unexpected(not_working(unreadable, library));
    Error error = not_working(std::move(texts[1]), library);
    error.code = static_cast<ErrorCode>(std::atoi(texts[0].c_str()));
    if (!texts[2].empty()) error.hint = std::move(texts[2]);
    return tl::unexpected(std::move(error));
}

}  // namespace

Result<CuptiAnswer> ask_cupti(const std::filesystem::path& library,
                              const std::function<Result<CuptiAnswer>(const CuptiHost&)>& question,
                              std::chrono::milliseconds limit, const std::stop_token& stop) {
    if (void* const loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_NOLOAD)) {
        dlclose(loaded);
        return answer_of(library, question);
    }
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return tl::unexpected(not_tried("no pipe can be made", library));
    const Descriptor reading(ends[0]);
    Descriptor writing(ends[1]);
    const auto end = Clock::now() + limit;
    const pid_t child = fork();
    if (child == 0) run_child(ends[1], limit, [&] { return message_of(answer_of(library, question)); });
    if (child < 0) return tl::unexpected(not_tried("no process can be started", library));
    writing.reset();
    const std::optional<std::string> message = read_all(ends[0], end, stop);
    if (!message) kill(child, SIGKILL);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!message && stop.stop_requested())
        return tl::unexpected(
            Error{ErrorCode::cancelled, "CUPTI was not tried to the end", library.string(), ""});
    if (!message)
        return tl::unexpected(not_working(fmt::format("CUPTI does not answer within {:.3g} s",
                                                      std::chrono::duration<double>(limit).count()),
                                          library));
    if (message->empty() || status != 0) return tl::unexpected(not_working(words_for_end(status), library));
    return answer_in(*message, library);
}

bool needs_newer_driver(const std::filesystem::path& library, std::optional<int> driver_cuda) {
    if (!driver_cuda) return false;
    const auto release =
        std::ranges::find(wire::cupti_releases, library.filename(), &wire::CuptiRelease::file);
    return release != wire::cupti_releases.end() && *driver_cuda < release->least_driver;
}

CuptiChoice choose_cupti(const std::vector<std::filesystem::path>& libraries, const CuptiSearch& search) {
    CuptiChoice choice;
    const auto end = Clock::now() + search.limit;
    for (const std::filesystem::path& library : libraries) {
        if (search.stop.stop_requested()) break;
        if (needs_newer_driver(library, search.driver_cuda)) {
            choice.passed_over.push_back(driver_too_old(library, *search.driver_cuda));
            continue;
        }
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
        auto told = ask_cupti(
            library,
            [](const CuptiHost& host) {
                return host.chips().map([&](CuptiAnswer chips) {
                    chips.insert(chips.begin(), std::to_string(host.version()));
                    return chips;
                });
            },
            left / 2, search.stop);
        if (told && told->empty()) told = tl::unexpected(not_working(unreadable, library));
        if (!told) {
            choice.passed_over.push_back(told.error());
            continue;
        }
        choice.library = library;
        choice.version = static_cast<std::uint32_t>(std::strtoul(told->front().c_str(), nullptr, 10));
        choice.chips.assign(std::next(told->begin()), told->end());
        break;
    }
    return choice;
}

Error why_no_cupti(const CuptiChoice& choice) {
    if (!choice.passed_over.empty()) return choice.passed_over.front();
    return {ErrorCode::file_not_found, "libcupti.so.13 or 12 with libnvperf_host.so was not found", "",
            "Install the CUDA toolkit 12.6 or later, set CUDA_HOME to its folder, or name the library with "
            "--cupti."};
}

std::string words_for_cupti(std::uint32_t version) {
    constexpr std::uint32_t of_release_13 = 130000;
    switch (version) {
        case 24:
            return "12.6";
        case 26:
            return "12.8";
        case 27:
        case 28:
            return "12.9";
        default:
            if (version < of_release_13) return fmt::format("before 13, API {}", version);
    }
    return fmt::format("{}.{}", version / 10000, version / 100 % 100);
}

}  // namespace roofwalk

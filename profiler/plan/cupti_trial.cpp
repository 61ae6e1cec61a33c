// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/plan/cupti_trial.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <sstream>
#include <string_view>

#include "core/base/descriptor.h"

namespace roofwalk {

namespace {

constexpr std::chrono::seconds patience{30};  // CUPTI takes a fifth of a second where nothing else runs
constexpr char answer_follows = 'a';
constexpr char refusal_follows = 'r';

Error not_working(std::string what, const std::filesystem::path& library) {
    return {
        ErrorCode::unsupported_version, std::move(what), library.string(),
        "CUPTI of CUDA 13.2 and later plans only where a driver is loaded: name that of CUDA 13.0 or 13.1 with "
        "--cupti."};
}

Result<std::string> answer_of(const std::filesystem::path& library,
                              const std::function<Result<std::string>(const CuptiHost&)>& question) {
    const auto host = CuptiHost::load(library);
    return host ? question(*host) : tl::unexpected(host.error());
}

/// The kind of an answer, then its text; of a refusal what happened and what to do.
std::string message_of(const Result<std::string>& answer) {
    if (answer) return answer_follows + *answer;
    return refusal_follows + answer.error().what + '\0' + answer.error().hint;
}

/// In a child of fork(): nothing but `work`, and no trace of its death.
[[noreturn]] void run_child(int pipe, const std::function<std::string()>& work) {
    for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGTERM, SIGINT})
        std::signal(signal, SIG_DFL);
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    if (const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC); nowhere >= 0)
        for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
            dup2(nowhere, stream);
    const std::string text = work();
    for (std::string_view rest = text; !rest.empty();) {
        const auto written = write(pipe, rest.data(), rest.size());
        if (written <= 0) _exit(1);
        rest.remove_prefix(static_cast<std::size_t>(written));
    }
    _exit(0);
}

/// All that comes until the end; absent where patience ends before.
std::optional<std::string> read_all(int pipe) {
    std::string text;
    std::array<char, 4096> room{};
    const auto end = std::chrono::steady_clock::now() + patience;
    for (;;) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
        pollfd watched{pipe, POLLIN, 0};
        const int ready = left.count() > 0 ? poll(&watched, 1, static_cast<int>(left.count())) : 0;
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) return std::nullopt;
        const auto taken = read(pipe, room.data(), room.size());
        if (taken <= 0) return text;
        text.append(room.data(), static_cast<std::size_t>(taken));
    }
}

std::string words_for_end(int status, bool late) {
    if (late) return fmt::format("CUPTI does not answer within {} s", patience.count());
    if (!WIFSIGNALED(status)) return "CUPTI ends the process that asks it";
    return fmt::format("CUPTI ends the process that asks it by signal {} ({})", WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
}

}  // namespace

Result<std::string> ask_cupti(const std::filesystem::path& library,
                              const std::function<Result<std::string>(const CuptiHost&)>& question) {
    if (void* const loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_NOLOAD)) {
        dlclose(loaded);
        return answer_of(library, question);
    }
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        return tl::unexpected(not_working("CUPTI cannot be tried: no pipe is left", library));
    const Descriptor reading(ends[0]);
    Descriptor writing(ends[1]);
    const pid_t child = fork();
    if (child == 0) run_child(ends[1], [&] { return message_of(answer_of(library, question)); });
    writing.reset();
    if (child < 0)
        return tl::unexpected(not_working("CUPTI cannot be tried: no process can be started", library));
    const std::optional<std::string> text = read_all(ends[0]);
    if (!text) kill(child, SIGKILL);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!text || text->empty()) return tl::unexpected(not_working(words_for_end(status, !text), library));
    if (text->front() == answer_follows) return text->substr(1);
    const std::size_t end = text->find('\0');
    Error error = not_working(text->substr(1, end - 1), library);
    if (end + 1 < text->size()) error.hint = text->substr(end + 1);
    return tl::unexpected(std::move(error));
}

CuptiChoice choose_cupti(const std::vector<std::filesystem::path>& libraries) {
    CuptiChoice choice;
    for (const std::filesystem::path& library : libraries) {
        const auto told = ask_cupti(library, [](const CuptiHost& host) {
            return host.chips().map([&](const std::vector<std::string>& chips) {
                return fmt::format("{} {}", host.version(), fmt::join(chips, " "));
            });
        });
        if (!told) {
            choice.passed_over.push_back(told.error());
            continue;
        }
        choice.library = library;
        std::istringstream words(*told);
        words >> choice.version;
        for (std::string chip; words >> chip;)
            choice.chips.push_back(chip);
        break;
    }
    return choice;
}

Error why_no_cupti(const CuptiChoice& choice) {
    if (!choice.passed_over.empty()) return choice.passed_over.front();
    return {ErrorCode::file_not_found, "libcupti.so.13 with libnvperf_host.so was not found", "",
            "Install the CUDA toolkit 13.0 or later, set CUDA_HOME to its folder, or name the library with "
            "--cupti."};
}

std::string words_for_cupti(std::uint32_t version) {
    constexpr std::uint32_t of_release_13 = 130000;
    if (version < of_release_13) return fmt::format("before 13, API {}", version);
    return fmt::format("{}.{}", version / 10000, version / 100 % 100);
}

}  // namespace roofwalk

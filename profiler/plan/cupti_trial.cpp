// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/plan/cupti_trial.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>

#include "profiler/plan/metric_plan.h"
#include "profiler/wire/cupti_folders.h"

namespace roofwalk {

namespace {

constexpr const char* answer_follows = "answer";
constexpr const char* refusal_follows = "refusal";
constexpr const char* unreadable = "What CUPTI answers cannot be read";

using Clock = std::chrono::steady_clock;

constexpr const char* take_another = "Name that of another CUDA toolkit with --cupti.";
constexpr const char* take_one_without_driver =
    "CUPTI of CUDA 13.2 and later plans only where a driver is loaded: name that of CUDA 13.0 or 13.1 with "
    "--cupti.";

Error not_working(std::string what, const std::filesystem::path& library, const std::string& remedy) {
    return {ErrorCode::unsupported_version, std::move(what), library.string(), remedy};
}

Error driver_too_old(const std::filesystem::path& library, int driver_cuda) {
    return {
        ErrorCode::unsupported_version,
        fmt::format("CUPTI 13 needs driver 580 or later, and this one serves CUDA {}.{}", driver_cuda / 1000,
                    driver_cuda % 1000 / 10),
        library.string(),
        "Install the CUPTI of CUDA 12.9 (`pip install nvidia-cuda-cupti-cu12`) or driver 580, or record with "
        "Nsight Compute."};
}

Error not_tried(std::string_view what, const std::filesystem::path& library) {
    return {ErrorCode::not_profiled, fmt::format("CUPTI cannot be tried: {}: {}", what, std::strerror(errno)),
            library.string(), "Too many files or processes may be open: see `ulimit -a`."};
}

void append_size(std::string& text, std::size_t size) {
    text.append(reinterpret_cast<const char*>(&size), sizeof(size));
}

/// The number at the front of `text`, and whether as many bytes are behind it.
std::optional<std::string_view> text_at_front(std::string_view text) {
    std::size_t size = 0;
    if (text.size() < sizeof(size)) return std::nullopt;
    std::memcpy(&size, text.data(), sizeof(size));
    text.remove_prefix(sizeof(size));
    return size <= text.size() ? std::optional(text.substr(0, size)) : std::nullopt;
}

/// The size of all, then each text with its size before it.
std::string packed(const CuptiAnswer& texts) {
    std::string body;
    for (const std::string& text : texts) {
        append_size(body, text.size());
        body += text;
    }
    std::string message;
    append_size(message, body.size());
    return message + body;
}

CuptiAnswer unpacked(std::string_view body) {
    CuptiAnswer texts;
    while (const auto text = text_at_front(body)) {
        texts.emplace_back(*text);
        body.remove_prefix(sizeof(std::size_t) + text->size());
    }
    return texts;
}

/// The kind of an answer, then its texts; of a refusal its code, what happened, where and what to do.
CuptiAnswer message_of(Result<CuptiAnswer> answer) {
    if (answer) {
        answer->insert(answer->begin(), answer_follows);
        return *std::move(answer);
    }
    const Error& error = answer.error();
    return {refusal_follows, std::to_string(static_cast<int>(error.code)), error.what, error.where,
            error.hint};
}

/// What the other end says, up to its end; absent where it has gone, or says nothing until `end` or `stop`.
/// `saying` is told it meanwhile.
std::optional<std::string> exchange(int socket, std::string_view saying, Clock::time_point end,
                                    const std::stop_token& stop, bool& gone) {
    constexpr std::chrono::milliseconds step{20};
    const auto failed = [] { return errno != EAGAIN && errno != EINTR; };
    std::string text;
    std::array<char, 65536> room{};
    for (;;) {
        if (const auto whole = text_at_front(text)) return std::string(*whole);
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
        if (left.count() <= 0 || stop.stop_requested()) return std::nullopt;
        pollfd watched{socket, static_cast<short>(saying.empty() ? POLLIN : POLLIN | POLLOUT), 0};
        if (poll(&watched, 1, static_cast<int>(std::min(left, step).count())) <= 0) continue;
        if ((watched.revents & POLLOUT) != 0) {
            const auto sent = send(socket, saying.data(), saying.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
            gone = sent < 0 && failed();
            if (sent > 0) saying.remove_prefix(static_cast<std::size_t>(sent));
        }
        if ((watched.revents & ~POLLOUT) != 0) {
            const auto taken = recv(socket, room.data(), room.size(), MSG_DONTWAIT);
            gone = gone || taken == 0 || (taken < 0 && failed());
            if (taken > 0) text.append(room.data(), static_cast<std::size_t>(taken));
        }
        if (gone) return std::nullopt;
    }
}

/// In a child of fork(): nothing but answers, with no file but the socket, and no trace of its death. It ends
/// with who asks, and by itself soon after `limit` in one answer. What ends a recording leaves it.
[[noreturn]] void run_child(int socket, std::chrono::milliseconds limit,
                            const std::function<CuptiAnswer(const CuptiAnswer&)>& answer) noexcept {
    for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGALRM})
        std::signal(signal, SIG_DFL);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGPIPE})
        std::signal(signal, SIG_IGN);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    // Not in the place of a file that somebody may still write to, as the loader does for LD_DEBUG.
    const int ours = fcntl(socket, F_DUPFD, STDERR_FILENO + 1);
    if (ours < 0) _exit(1);
    if (const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC); nowhere >= 0)
        for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
            dup2(nowhere, stream);
#ifdef SYS_close_range
    if (ours > STDERR_FILENO + 1) syscall(SYS_close_range, STDERR_FILENO + 1, ours - 1, 0);
    syscall(SYS_close_range, ours + 1, ~0U, 0);
#endif
    std::string said;
    for (;;) {
        std::array<char, 65536> room{};
        while (!text_at_front(said)) {
            const auto taken = read(ours, room.data(), room.size());
            if (taken == 0 || (taken < 0 && errno != EINTR)) _exit(0);
            if (taken > 0) said.append(room.data(), static_cast<std::size_t>(taken));
        }
        alarm(static_cast<unsigned>(std::chrono::ceil<std::chrono::seconds>(limit).count()) + 1);
        const std::string text = packed(answer(unpacked(*text_at_front(said))));
        said.clear();
        for (std::string_view rest = text; !rest.empty();) {
            const auto written = write(ours, rest.data(), rest.size());
            if (written <= 0) _exit(1);
            rest.remove_prefix(static_cast<std::size_t>(written));
        }
        alarm(0);
    }
}

std::string words_for_end(int status) {
    if (!WIFSIGNALED(status)) return "CUPTI ends the process that asks it";
    return fmt::format("CUPTI ends the process that asks it by signal {} ({})", WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
}

/// As for a device later, so that one that ends there is not chosen; a chip that it refuses may be one that
/// is not here.
void plan_for_one(const CuptiHost& host, const std::vector<std::string>& chips) {
    for (const std::string& name : chips)
        if (const Chip* chip = find_chip(name)) {
            std::ignore = host.config_image(name, metric_plans(*chip).front().metrics)
                              .and_then([&](const ConfigImage& image) { return host.pass_count(image); });
            return;
        }
}

Result<CuptiAnswer> answer_in(CuptiAnswer texts, const std::filesystem::path& library,
                              const std::string& remedy) {
    if (!texts.empty() && texts.front() == answer_follows) {
        texts.erase(texts.begin());
        return texts;
    }
    if (texts.size() != 5) return tl::unexpected(not_working(unreadable, library, remedy));
    Error error = not_working(std::move(texts[2]), library, remedy);
    error.code = static_cast<ErrorCode>(std::atoi(texts[1].c_str()));
    if (!texts[3].empty()) error.where = std::move(texts[3]);
    if (!texts[4].empty()) error.hint = std::move(texts[4]);
    return tl::unexpected(std::move(error));
}

}  // namespace

CuptiProcess::CuptiProcess(std::filesystem::path library, Service service, std::chrono::milliseconds limit,
                           std::string remedy)
    : library_(std::move(library)),
      service_(std::move(service)),
      limit_(limit),
      remedy_(remedy.empty() ? take_another : std::move(remedy)) {}

CuptiProcess::~CuptiProcess() {
    std::ignore = end(true);
}

Result<void> CuptiProcess::start() {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return tl::unexpected(not_tried("no socket can be made", library_));
    Descriptor ours(ends[0]);
    const Descriptor theirs(ends[1]);
    child_ = fork();
    if (child_ == 0) {
        std::optional<Result<std::unique_ptr<CuptiHost>>> host;
        run_child(ends[1], limit_, [&](const CuptiAnswer& asked) {
            if (!host) host.emplace(CuptiHost::load(library_));
            return message_of(*host ? service_(***host, asked) : tl::unexpected(host->error()));
        });
    }
    if (child_ < 0) return tl::unexpected(not_tried("no process can be started", library_));
    socket_ = std::move(ours);
    return {};
}

int CuptiProcess::end(bool at_once) {
    int status = 0;
    if (child_ <= 0) return status;
    if (at_once) kill(child_, SIGKILL);
    while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    child_ = -1;
    socket_.reset();
    return status;
}

Result<CuptiAnswer> CuptiProcess::ask(const CuptiAnswer& question, const std::stop_token& stop) {
    if (gone_) return tl::unexpected(*gone_);
    if (child_ < 0)
        if (auto started = start(); !started) return tl::unexpected(started.error());
    bool gone = false;
    const auto message = exchange(socket_.number(), packed(question), Clock::now() + limit_, stop, gone);
    if (message) return answer_in(unpacked(*message), library_, remedy_);
    const int status = end(!gone);
    if (gone)
        gone_ = not_working(words_for_end(status), library_, remedy_);
    else if (stop.stop_requested())
        gone_ = Error{ErrorCode::cancelled, "CUPTI was not tried to the end", library_.string(), ""};
    else
        gone_ = not_working(fmt::format("CUPTI does not answer within {:.3g} s",
                                        std::chrono::duration<double>(limit_).count()),
                            library_, remedy_);
    return tl::unexpected(*gone_);
}

Result<CuptiAnswer> ask_cupti(const std::filesystem::path& library,
                              const std::function<Result<CuptiAnswer>(const CuptiHost&)>& question,
                              std::chrono::milliseconds limit, const std::stop_token& stop,
                              std::string remedy) {
    return CuptiProcess(
               library, [&](const CuptiHost& host, const CuptiAnswer&) { return question(host); }, limit,
               std::move(remedy))
        .ask({}, stop);
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
    const char* remedy = search.driver_cuda ? take_another : take_one_without_driver;
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
                    plan_for_one(host, chips);
                    chips.insert(chips.begin(), std::to_string(host.version()));
                    return chips;
                });
            },
            left / 2, search.stop, remedy);
        if (told && told->empty()) told = tl::unexpected(not_working(unreadable, library, remedy));
        if (!told) {
            choice.passed_over.push_back(std::move(told).error());
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

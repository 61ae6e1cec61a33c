// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/recording_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <mutex>
#include <utility>
#include <vector>

#include "core/base/file_writer.h"
#include "core/base/text.h"
#include "profiler/recording/machine.h"

namespace roofwalk {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_logs = 20;
/// A program may have no end of problems.
constexpr std::size_t most_log_bytes = std::size_t{4} << 20U;
constexpr std::string_view log_name_begins = "recording-";

class FileSink final : public spdlog::sinks::base_sink<std::mutex> {
  public:
    explicit FileSink(Descriptor file) : file_(std::move(file)) {}

  private:
    void sink_it_(const spdlog::details::log_msg& message) override {
        if (written_ >= most_log_bytes) return;
        spdlog::memory_buf_t line;
        formatter_->format(message, line);
        written_ += line.size();
        static_cast<void>(write_all(file_.number(), {line.data(), line.size()}));
    }
    void flush_() override {}

    Descriptor file_;
    std::size_t written_ = 0;
};

/// Those that are there, the newest last: their names begin with the time.
std::vector<fs::path> logs_in(const fs::path& folder) {
    std::vector<fs::path> logs;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
        if (entry.path().extension() == ".log" &&
            entry.path().filename().string().starts_with(log_name_begins))
            logs.push_back(entry.path());
    std::ranges::sort(logs);
    return logs;
}

void keep_last_few(const fs::path& folder) {
    const auto logs = logs_in(folder);
    std::error_code ignored;
    for (std::size_t at = 0; at + most_logs <= logs.size(); ++at)
        fs::remove(logs[at], ignored);
}

/// Not in a folder where others could put something else under the name: root may have the home of somebody.
Descriptor make_file(const fs::path& folder, const std::string& name) {
    std::error_code ignored;
    fs::create_directories(folder.parent_path(), ignored);
    constexpr mode_t folder_of_its_owner = 0700;
    mkdir(folder.c_str(), folder_of_its_owner);
    const Descriptor place(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    struct stat status {};
    if (!place.open() || fstat(place.number(), &status) != 0 || status.st_uid != geteuid() ||
        (status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return {};
    keep_last_few(folder);
    return Descriptor(openat(place.number(), name.c_str(),
                             O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_APPEND | O_CLOEXEC,
                             mode_for_its_owner));
}

std::string new_log_name() {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    tm utc{};
    gmtime_r(&now.tv_sec, &utc);
    return fmt::format("{}{:04}{:02}{:02}T{:02}{:02}{:02}.{:06}Z-{}.log", log_name_begins, utc.tm_year + 1900,
                       utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec, now.tv_nsec / 1000,
                       getpid());
}

/// What is done, without what may be secret: the arguments of a program, and the values of variables.
std::vector<std::string> lines_for(const ProfileRequest& request) {
    std::vector<std::string> lines;
    const ProgramStart& launch = request.launch;
    if (request.attach_to) {
        lines.push_back(fmt::format("attach to process {}{}", *request.attach_to,
                                    request.inject ? ", into which an agent is loaded" : ""));
    } else {
        const std::string program = launch.command.empty() ? std::string("none") : launch.command.front();
        lines.push_back(fmt::format("program {} with {} arguments", program,
                                    launch.command.empty() ? 0 : launch.command.size() - 1));
    }
    if (!launch.through.empty()) lines.push_back("through " + launch.through.front());
    if (!launch.directory.empty()) lines.push_back("in " + launch.directory.string());
    for (const auto& [name, value] : launch.environment)
        lines.push_back("sets the variable " + name);
    const LaunchFilter& filter = request.measuring.filter;
    lines.push_back(fmt::format(
        "measures {}{}{}, replay {}; {} patterns of kernels, {} to leave alone, {} of NVTX ranges; skip {}, count {}",
        request.measuring.counters ? "counters" : "time alone",
        request.measuring.every_launch ? " of every launch" : "",
        request.with_ncu ? " with Nsight Compute" : "", name_of(request.measuring.replay),
        filter.kernels.size(), filter.except.size(), filter.nvtx_ranges.size(), filter.skip,
        filter.count ? std::to_string(*filter.count) : "all"));
    lines.push_back("output " + (request.output.empty() ? std::string("none") : request.output));
    return lines;
}

}  // namespace

struct RecordingLog::State {
    explicit State(std::vector<spdlog::sink_ptr> sinks) : logger("recording", sinks.begin(), sinks.end()) {}

    spdlog::logger logger;
    fs::path path;
    std::string sentence;
    std::vector<Error> problems;
    bool over = false;
};

std::optional<fs::path> recording_log_folder() {
    const auto state = xdg_folder("XDG_STATE_HOME", ".local/state");
    return state ? std::optional(*state / "roofwalk" / "logs") : std::nullopt;
}

std::optional<fs::path> last_recording_log() {
    const auto folder = recording_log_folder();
    if (!folder) return std::nullopt;
    const auto logs = logs_in(*folder);
    return logs.empty() ? std::nullopt : std::optional(logs.back());
}

RecordingLog RecordingLog::begin(std::string_view tool, const ProfileRequest& request) {
    std::vector<spdlog::sink_ptr> sinks = spdlog::default_logger()->sinks();
    const auto folder = recording_log_folder();
    fs::path path;
    if (folder) {
        path = *folder / new_log_name();
        if (Descriptor file = make_file(*folder, path.filename().string()); file.open()) {
            auto sink = std::make_shared<FileSink>(std::move(file));
            sink->set_formatter(std::make_unique<spdlog::pattern_formatter>("%Y-%m-%dT%H:%M:%S.%eZ %l %v",
                                                                            spdlog::pattern_time_type::utc));
            sinks.push_back(std::move(sink));
        } else {
            path.clear();
        }
    }
    RecordingLog log;
    log.state_ = std::make_shared<State>(std::move(sinks));
    log.state_->path = std::move(path);
    log.state_->logger.set_level(spdlog::level::debug);
    utsname system{};
    uname(&system);
    log.info(fmt::format("{} on {} {} {}, glibc {}", tool, system.sysname, system.release, system.machine,
                         gnu_get_libc_version()));
    for (const std::string& line : lines_for(request))
        log.info(line);
    return log;
}

void RecordingLog::info(std::string_view line) const {
    if (state_) state_->logger.info("{}", printable(line));
}

void RecordingLog::error(const Error& error) const {
    if (state_) state_->logger.error("{}: {}", name_of(error.code), printable(to_line(error)));
}

void RecordingLog::follow(const RecordingStatus& status) const {
    if (!state_) return;
    for (const Error& problem : status.problems) {
        if (std::ranges::find(state_->problems, problem) != state_->problems.end()) continue;
        state_->problems.push_back(problem);
        state_->logger.warn("{}: {}", name_of(problem.code), printable(to_line(problem)));
    }
    std::string sentence = status.sentence + (status.hint.empty() ? "" : " " + status.hint);
    if (std::exchange(state_->sentence, sentence) != sentence) {
        const bool failed = status.phase == RecordingPhase::failed;
        state_->logger.log(failed ? spdlog::level::err : spdlog::level::info, "{}", printable(sentence));
    }
    if (!status.over() || std::exchange(state_->over, true)) return;
    info(fmt::format(
        "{} processes, {} files, {:.1f} s; launches: {} seen, {} measured, {} sampled out, {} "
        "filtered, {} dropped",
        status.processes, status.files.size(), status.elapsed.value(), status.counts.seen,
        status.counts.recorded, status.counts.sampled_out, status.counts.filtered, status.counts.dropped));
}

fs::path RecordingLog::path() const {
    return state_ ? state_->path : fs::path();
}

std::string RecordingLog::name_for_person() const {
    const fs::path file = path();
    return file.empty() ? std::string() : "The log of this recording is " + file.string() + ".";
}

Error RecordingLog::failed(Error ending) const {
    error(ending);
    if (const std::string name = name_for_person(); !name.empty())
        ending.hint += (ending.hint.empty() ? "" : " ") + name;
    return ending;
}

}  // namespace roofwalk

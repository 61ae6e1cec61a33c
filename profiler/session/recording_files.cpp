// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/session/recording_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "core/export/recording_lines.h"
#include "core/model/recording_parts.h"

namespace roofwalk {

namespace {

namespace fs = std::filesystem;

std::string host_name() {
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
}

tl::unexpected<Error> bad_pattern(std::string what, std::string_view pattern, std::string hint) {
    return tl::unexpected(
        Error{ErrorCode::bad_argument, std::move(what), std::string(pattern), std::move(hint)});
}

tl::unexpected<Error> cannot_write(const std::string& file, int number) {
    return tl::unexpected(Error{
        ErrorCode::write_failed,
        "The recording cannot be written: " + std::error_code(number, std::generic_category()).message(),
        file, "Choose another place with -o."});
}

/// Whether nothing is lost by it but an earlier recording: a typing error must not cost a source file.
bool may_be_replaced(const std::string& name) {
    std::error_code none;
    if (!fs::is_regular_file(name, none) || fs::file_size(name, none) == 0) return true;
    std::string start(recording_beginning.size(), '\0');
    std::ifstream file(name, std::ios::binary);
    file.read(start.data(), static_cast<std::streamsize>(start.size()));
    // A crash may have cut the first line.
    return file.gcount() > 0 &&
           recording_beginning.starts_with(start.substr(0, static_cast<std::size_t>(file.gcount())));
}

Result<void> write_all(Descriptor& file, const std::string& name, std::string_view lines) {
    while (file.open() && !lines.empty()) {
        const ssize_t written = ::write(file.number(), lines.data(), lines.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) {
            const int why = errno;
            file.reset();
            return cannot_write(name, why);
        }
        lines.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

/// "run.jsonl" as "run.4711.jsonl", or as "run.4711-2.jsonl".
std::string with_process(const std::string& file, pid_t process, int times) {
    fs::path path(file);
    const std::string suffix = path.extension();
    path.replace_extension();
    return times < 2 ? fmt::format("{}.{}{}", path.string(), process, suffix)
                     : fmt::format("{}.{}-{}{}", path.string(), process, times, suffix);
}

}  // namespace

Result<std::string> expand_output_pattern(std::string_view pattern, std::string_view host, pid_t process) {
    std::string name;
    for (std::size_t at = 0; at < pattern.size(); ++at) {
        if (pattern[at] != '%') {
            name += pattern[at];
            continue;
        }
        const std::string_view rest = pattern.substr(at + 1);
        if (rest.starts_with('%')) {
            name += '%';
        } else if (rest.starts_with('h')) {
            name += host;
        } else if (rest.starts_with('p')) {
            name += std::to_string(process);
        } else if (rest.starts_with("q{") && rest.find('}') != std::string_view::npos) {
            const std::string variable(rest.substr(2, rest.find('}') - 2));
            const char* value = std::getenv(variable.c_str());
            if (value == nullptr)
                return bad_pattern(fmt::format("The variable {} is not set", variable), pattern,
                                   "It names the file of the recording.");
            name += value;
            at += rest.find('}');
        } else {
            return bad_pattern("This name of a file holds a % that stands for nothing", pattern,
                               "Known are %h (host), %p (process), %q{NAME} (variable) and %% (a per cent "
                               "sign).");
        }
        ++at;
    }
    return name;
}

Result<RecordingFiles> RecordingFiles::make(std::string pattern) {
    if (!pattern.empty() && pattern != "-") {
        const auto name = expand_output_pattern(pattern, host_name(), 1);
        if (!name) return tl::unexpected(name.error());
        const fs::path folder = fs::absolute(*name).parent_path();
        std::error_code ignored;
        if (!fs::is_directory(folder, ignored)) return cannot_write(*name, ENOENT);
        if (fs::is_directory(*name, ignored)) return cannot_write(*name, EISDIR);
        if (access(folder.c_str(), W_OK) != 0) return cannot_write(*name, errno);
        if (!may_be_replaced(*name))
            return tl::unexpected(Error{ErrorCode::write_failed,
                                        "This file is not seen to be a recording, and one would replace it",
                                        *name, "Choose another name with -o, or remove the file."});
    }
    return RecordingFiles(std::move(pattern));
}

Result<void> RecordingFiles::open_for(std::size_t number, pid_t process) {
    Descriptor& file = open_[number];
    auto name = expand_output_pattern(pattern_, host_name(), process);
    if (!name) return tl::unexpected(name.error());
    const std::string wanted = *name;
    for (int times = 1;; ++times) {
        const bool ours = std::ranges::find(files_, *name) != files_.end();
        if (!ours && may_be_replaced(*name)) {
            file = Descriptor(open(name->c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
            if (!file.open()) return cannot_write(*name, errno);
            struct stat kind = {};
            const bool holds_lines = fstat(file.number(), &kind) == 0 && S_ISREG(kind.st_mode);
            // Of another rank that records under the same name; a file system without locks lets it pass.
            const bool taken =
                holds_lines && flock(file.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
            if (!taken && holds_lines && ftruncate(file.number(), 0) != 0) {
                const int why = errno;
                file.reset();
                return cannot_write(*name, why);
            }
            if (!taken) break;
            file.reset();
        }
        name = with_process(wanted, process, times);
    }
    files_.push_back(*std::move(name));
    return {};
}

Result<void> RecordingFiles::write(std::size_t number, pid_t process, std::string_view lines) {
    if (pattern_.empty()) return {};
    if (pattern_ == "-") return write_part(number, lines);
    if (!open_.contains(number))
        if (auto opened = open_for(number, process); !opened) return opened;
    return write_all(open_[number], files_.empty() ? pattern_ : files_.back(), lines);
}

Result<void> RecordingFiles::write_part(std::size_t number, std::string_view lines) {
    const std::string name = "standard output";
    if (open_.empty()) open_[0] = Descriptor(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    const bool is_new = open_.try_emplace(number).second;
    if (number < most_recording_parts) return write_all(open_[0], name, lines_of_part(number, lines));
    if (!is_new) return {};
    return tl::unexpected(
        Error{ErrorCode::write_failed,
              fmt::format("It holds the recordings of {} processes at most", most_recording_parts), name,
              "Write files with -o NAME-%p.jsonl."});
}

}  // namespace roofwalk

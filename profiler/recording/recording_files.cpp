// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/recording_files.h"

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
#include <vector>

#include "core/base/file_writer.h"
#include "core/model/recording_parts.h"
#include "core/report/recording_lines.h"

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

Result<void> add_lines(Descriptor& file, const std::string& name, std::string_view lines) {
    if (!file.open()) return {};
    const int code = write_all(file.number(), lines);
    if (code == 0) return {};
    file.reset();
    return cannot_write(name, code);
}

/// Locks what is there, so that no other rank that records under the same name replaces it meanwhile: 0 or
/// errno, EWOULDBLOCK where another rank records there. Nothing is open where nothing is there. A file system
/// without locks lets it pass.
int lock_earlier(const std::string& name, Descriptor& earlier) {
    struct stat opened = {};
    struct stat named = {};
    do {
        earlier = Descriptor(open(name.c_str(), O_WRONLY | O_CLOEXEC));
        if (!earlier.open()) return errno == ENOENT ? 0 : errno;
        if (flock(earlier.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return EWOULDBLOCK;
    } while (fstat(earlier.number(), &opened) == 0 && stat(name.c_str(), &named) == 0 &&
             (opened.st_dev != named.st_dev || opened.st_ino != named.st_ino));
    return 0;
}

/// Begins a file with its first lines; an earlier recording stays until these are written. 0 or errno,
/// EWOULDBLOCK where another rank records under this name.
int begin_file(const std::string& name, std::string_view lines, Descriptor& file) {
    if (is_written_into(name)) {
        file = Descriptor(open(name.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
        return file.open() ? write_all(file.number(), lines) : errno;
    }
    for (;;) {
        Descriptor earlier;
        FileReplacement begun;
        int code = lock_earlier(name, earlier);
        if (code == 0) code = begun.begin(name);
        if (code == 0 && begun.replaces() && !earlier.open()) code = EEXIST;
        if (code == 0) code = begun.write(lines);
        if (code == 0) code = begun.put_in_place(FileReplacement::Place::what_was_there);
        if (code == EEXIST) continue;  // another rank was quicker
        if (code != 0) return code;
        file = begun.take();
        // Who empties the file meanwhile finds the next lines at its beginning.
        return fcntl(file.number(), F_SETFL, O_APPEND) == 0 ? 0 : errno;
    }
}

/// Whether none but this user and root decides what stands there.
bool is_own(const struct stat& status) {
    const bool shared = S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX) != 0;
    const bool others_write = (status.st_mode & (S_IWGRP | S_IWOTH)) != 0 && !S_ISLNK(status.st_mode);
    return (status.st_uid == geteuid() || status.st_uid == 0) && (!others_write || shared);
}

/// The folder without links; absent where another user could put another one in its place: each part of it,
/// and of what its links point to, is looked at in its turn.
std::optional<fs::path> own_folder(const fs::path& folder) {
    constexpr int most_links = 40;
    std::vector<fs::path> parts;  // the next one last
    const auto push = [&](const fs::path& path) {
        std::vector<fs::path> more(path.begin(), path.end());
        parts.insert(parts.end(), more.rbegin(), more.rend());
    };
    push(fs::absolute(folder));
    fs::path resolved = "/";
    for (int links = 0; !parts.empty();) {
        const fs::path part = parts.back();
        parts.pop_back();
        const fs::path next = part == ".." ? resolved.parent_path() : resolved / part;
        struct stat status = {};
        if (lstat(next.c_str(), &status) != 0 || !is_own(status)) return std::nullopt;
        if (S_ISLNK(status.st_mode)) {
            std::error_code failed;
            push(fs::read_symlink(next, failed));
            if (failed || ++links > most_links) return std::nullopt;
        } else if (S_ISDIR(status.st_mode)) {
            resolved = part == "." || part.empty() ? resolved : next;
        } else {
            return std::nullopt;
        }
    }
    return resolved;
}

/// As begin_file(), where others may put links into the folder: it is written into what has the name by itself,
/// and is this user's. EPERM: it is not.
int begin_own_file(const std::string& name, std::string_view lines, Descriptor& file) {
    constexpr int as_found = O_NOFOLLOW | O_NONBLOCK;
    file = Descriptor(open(name.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | as_found, 0666));
    struct stat status = {};
    if (!file.open() || fstat(file.number(), &status) != 0) return errno;
    const bool holds_lines = S_ISREG(status.st_mode);
    if (status.st_uid != geteuid() || (holds_lines && status.st_nlink != 1)) return EPERM;
    if (holds_lines && flock(file.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return EWOULDBLOCK;
    if (holds_lines && ftruncate(file.number(), 0) != 0) return errno;
    return write_all(file.number(), lines);
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

Result<std::optional<RecordingFiles>> RecordingFiles::make_in_own_folder(std::string pattern, pid_t process) {
    if (pattern == "-") return std::optional(RecordingFiles(std::move(pattern)));
    const auto name = expand_output_pattern(pattern, host_name(), process);
    if (!name) return tl::unexpected(name.error());
    const auto folder = own_folder(fs::absolute(*name).parent_path());
    if (!folder) return std::nullopt;
    // A per cent sign of the name stands for itself from here on.
    std::string file = (*folder / fs::path(*name).filename()).string();
    for (std::size_t at = file.find('%'); at != std::string::npos; at = file.find('%', at + 2))
        file.insert(at, 1, '%');
    auto made = make(std::move(file));
    if (!made) return tl::unexpected(made.error());
    made->own_only_ = true;
    return std::optional(*std::move(made));
}

Result<void> RecordingFiles::begin(std::size_t number, pid_t process, std::string_view lines) {
    Descriptor& file = open_[number];
    auto name = expand_output_pattern(pattern_, host_name(), process);
    if (!name) return tl::unexpected(name.error());
    const std::string wanted = *name;
    for (int times = 1;; ++times) {
        const bool ours = std::ranges::find(files_, *name) != files_.end();
        const auto begin_as = own_only_ ? begin_own_file : begin_file;
        const int code = !ours && may_be_replaced(*name) ? begin_as(*name, lines, file) : EWOULDBLOCK;
        if (code == 0) break;
        file.reset();
        if (code != EWOULDBLOCK) return cannot_write(*name, code);
        name = with_process(wanted, process, times);
    }
    files_.push_back(*std::move(name));
    return {};
}

Result<void> RecordingFiles::write(std::size_t number, pid_t process, std::string_view lines) {
    if (pattern_.empty()) return {};
    if (pattern_ == "-") return write_part(number, lines);
    if (!open_.contains(number)) return begin(number, process, lines);
    return add_lines(open_[number], files_.empty() ? pattern_ : files_.back(), lines);
}

Result<void> RecordingFiles::write_part(std::size_t number, std::string_view lines) {
    const std::string name = "standard output";
    if (open_.empty()) open_[0] = Descriptor(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    const bool is_new = open_.try_emplace(number).second;
    if (number < most_recording_parts) return add_lines(open_[0], name, lines_of_part(number, lines));
    if (!is_new) return {};
    return tl::unexpected(
        Error{ErrorCode::write_failed,
              fmt::format("It holds the recordings of {} processes at most", most_recording_parts), name,
              "Write files with -o NAME-%p.jsonl."});
}

}  // namespace roofwalk

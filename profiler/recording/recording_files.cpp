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
#include <system_error>

#include "core/model/recording_parts.h"
#include "core/report/recording_lines.h"

namespace roofwalk {

namespace {

namespace fs = std::filesystem;

using Links = FileReplacement::Links;

constexpr std::size_t longest_piece = std::size_t{16} << 20U;  ///< of write_piece() [byte]

/// To open what has a name, whatever it is, without waiting for anybody.
int as_found(Links links) {
    return O_NONBLOCK | (links == Links::refuse ? O_NOFOLLOW : 0);
}

std::string host_name() {
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
}

tl::unexpected<Error> bad_pattern(std::string what, std::string_view pattern, std::string hint) {
    return unexpected(ErrorCode::bad_argument, std::move(what), std::string(pattern), std::move(hint));
}

tl::unexpected<Error> not_written(const std::string& file, int number) {
    return tl::unexpected(write_error("The recording could not be written", file, number));
}

/// Whether nothing is lost by it but an earlier recording: a typing error must not cost a source file. What
/// is no file, or a link that is not followed, is left to the writing.
bool may_be_replaced(const std::string& name, Links links) {
    struct stat status = {};
    const int no_follow = links == Links::refuse ? AT_SYMLINK_NOFOLLOW : 0;
    if (fstatat(AT_FDCWD, name.c_str(), &status, no_follow) != 0 || !S_ISREG(status.st_mode)) return true;
    // Another user may have put a pipe there meanwhile.
    const Descriptor file(open(name.c_str(), O_RDONLY | O_CLOEXEC | as_found(links)));
    if (!file.open() || fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
    if (status.st_size == 0) return true;
    std::array<char, recording_beginning.size()> start{};
    const ssize_t size = read(file.number(), start.data(), start.size());
    // A crash may have cut the first line.
    return size > 0 && recording_beginning.starts_with({start.data(), static_cast<std::size_t>(size)});
}

Result<void> add_lines(Descriptor& file, const std::string& name, std::string_view lines) {
    if (!file.open()) return {};
    const int code = write_all(file.number(), lines);
    if (code == 0) return {};
    file.reset();
    return not_written(name, code);
}

/// Locks what is there, so that no other rank that records under the same name replaces it meanwhile: 0 or
/// errno, EWOULDBLOCK where another rank records there. Nothing is open where nothing is there. A file system
/// without locks lets it pass.
int lock_earlier(const std::string& name, Links links, Descriptor& earlier) {
    struct stat opened = {};
    struct stat named = {};
    do {
        earlier = Descriptor(open(name.c_str(), O_WRONLY | O_CLOEXEC | as_found(links)));
        if (!earlier.open()) return errno == ENOENT ? 0 : errno;
        if (flock(earlier.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return EWOULDBLOCK;
    } while (fstat(earlier.number(), &opened) == 0 && stat(name.c_str(), &named) == 0 &&
             (opened.st_dev != named.st_dev || opened.st_ino != named.st_ino));
    return 0;
}

/// Whether there is a device or a pipe, which is written into.
bool is_there_to_write_into(const std::string& name, Links links) {
    if (links == Links::follow) return is_written_into(name);
    struct stat status = {};
    return lstat(name.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode) &&
           !S_ISDIR(status.st_mode);
}

/// Begins to write into a device or a pipe; where links are refused, one of this user alone, with a reader.
/// 0 or errno.
int begin_to_write_into(const std::string& name, Links links, std::string_view lines, Descriptor& file) {
    const int how = links == Links::refuse ? as_found(links) : 0;
    file = Descriptor(open(name.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY | how));
    struct stat status = {};
    if (!file.open() || fstat(file.number(), &status) != 0) return errno;
    if (links == Links::refuse && (status.st_uid != geteuid() || S_ISREG(status.st_mode))) return EPERM;
    // A reader that is slow is waited for.
    if (fcntl(file.number(), F_SETFL, O_APPEND) != 0) return errno;
    return write_all(file.number(), lines);
}

/// Begins a file with its first lines; an earlier recording stays until these are written. 0 or errno,
/// EWOULDBLOCK where another rank records under this name.
int begin_file(const std::string& name, Links links, std::string_view lines, Descriptor& file) {
    if (is_there_to_write_into(name, links)) return begin_to_write_into(name, links, lines, file);
    for (;;) {
        Descriptor earlier;
        FileReplacement begun;
        int code = lock_earlier(name, links, earlier);
        if (code == 0) code = begun.begin(name, links);
        if (code == 0 && begun.replaces() && !earlier.open()) code = EEXIST;
        if (code == 0) code = begun.write(lines);
        if (code == 0) code = begun.put_in_place(FileReplacement::Replaceable::what_was_there);
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

Result<RecordingFiles> RecordingFiles::make(std::string pattern, Links links) {
    if (!pattern.empty() && pattern != "-") {
        const auto name = expand_output_pattern(pattern, host_name(), 1);
        if (!name) return tl::unexpected(name.error());
        const fs::path folder = fs::absolute(*name).parent_path();
        std::error_code ignored;
        if (!fs::is_directory(folder, ignored)) return not_written(*name, ENOENT);
        if (fs::is_directory(links == Links::follow ? fs::status(*name, ignored)
                                                    : fs::symlink_status(*name, ignored)))
            return not_written(*name, EISDIR);
        if (access(folder.c_str(), W_OK) != 0) return not_written(*name, errno);
        if (!may_be_replaced(*name, links))
            return unexpected(ErrorCode::write_failed,
                              "This file is not seen to be a recording, and one would replace it", *name,
                              "Choose another name with -o, or remove the file.");
    }
    return RecordingFiles(std::move(pattern), links);
}

Result<std::optional<RecordingFiles>> RecordingFiles::make_in_own_folder(std::string pattern, pid_t process) {
    if (pattern == "-") return std::optional(RecordingFiles(std::move(pattern), Links::refuse));
    const auto name = expand_output_pattern(pattern, host_name(), process);
    if (!name) return tl::unexpected(name.error());
    const auto folder = own_folder(fs::absolute(*name).parent_path());
    if (!folder) return std::nullopt;
    // A per cent sign of the name stands for itself from here on.
    std::string file = (*folder / fs::path(*name).filename()).string();
    for (std::size_t at = file.find('%'); at != std::string::npos; at = file.find('%', at + 2))
        file.insert(at, 1, '%');
    auto made = make(std::move(file), Links::refuse);
    if (!made) return tl::unexpected(made.error());
    return std::optional(*std::move(made));
}

Result<void> RecordingFiles::begin(std::size_t number, pid_t process, std::string_view lines) {
    Descriptor& file = open_[number];
    auto name = expand_output_pattern(pattern_, host_name(), process);
    if (!name) return tl::unexpected(name.error());
    const std::string wanted = *name;
    for (int times = 1;; ++times) {
        const bool ours = std::ranges::find(files_, *name) != files_.end();
        const int code =
            !ours && may_be_replaced(*name, links_) ? begin_file(*name, links_, lines, file) : EWOULDBLOCK;
        if (code == 0) break;
        file.reset();
        if (code != EWOULDBLOCK) return not_written(*name, code);
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

Result<void> RecordingFiles::write_piece(pid_t process, std::string_view piece) {
    const std::size_t end = piece.rfind('\n');
    const std::size_t whole = end == std::string_view::npos ? 0 : unfinished_.size() + end + 1;
    unfinished_ += piece;
    if (unfinished_.size() - whole > longest_piece) {
        unfinished_ = {};
        return unexpected(ErrorCode::too_large, "A line of the recording is too long", pattern_);
    }
    if (whole == 0) return {};
    const std::string lines = unfinished_.substr(0, whole);
    unfinished_.erase(0, whole);
    return write(0, process, lines);
}

Result<void> RecordingFiles::write_part(std::size_t number, std::string_view lines) {
    const std::string name = "standard output";
    if (open_.empty()) open_[0] = Descriptor(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    const bool is_new = open_.try_emplace(number).second;
    if (number < most_recording_parts) return add_lines(open_[0], name, lines_of_part(number, lines));
    if (!is_new) return {};
    return unexpected(ErrorCode::write_failed,
                      fmt::format("It holds the recordings of {} processes at most", most_recording_parts),
                      name, "Write files with -o NAME-%p.jsonl.");
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/descriptor.h"
#include "core/base/error.h"

/// The one way in which Roofwalk writes files.
namespace roofwalk {

constexpr mode_t usual_mode = 0666;          ///< who else may read it is the business of the umask
constexpr mode_t mode_for_its_owner = 0600;  ///< what nobody else may read

/// Writes a part of a content; false when no more can be written.
using WritePart = std::function<bool(std::string_view part)>;
/// Writes a content part by part; false when there is none: then nothing is replaced.
using Content = std::function<bool(const WritePart& write)>;

/// Writes a whole file or leaves what was there: written beside it, synced, its size checked, then put in its
/// place, with the mode of what it replaces. A symbolic link stays one: the file that it leads to is
/// replaced; one of another user in a folder where all may make names is not followed (EACCES), as the kernel
/// does not with fs.protected_symlinks. A device, a pipe, or an open descriptor (/dev/stdout) is written
/// into, and a reader that closes its end of a pipe early is no error there. A file that may not be written
/// to is not replaced. `failure` begins the sentence that says why it was not written ("The file could not be
/// written: No space left on device"). `mode_of_new` is for a file that replaces none, less what the umask
/// takes, and from the start.
[[nodiscard]] Result<void> write_file(const std::filesystem::path& path, std::string_view content,
                                      std::string_view failure = "The file could not be written",
                                      mode_t mode_of_new = usual_mode);
[[nodiscard]] Result<void> write_file(const std::filesystem::path& path, const Content& content,
                                      std::string_view failure, mode_t mode_of_new = usual_mode);

/// Refuses (bad_argument) to replace one of the files that were read, by device and inode: what it holds
/// would be lost. What cannot be replaced, such as a pipe, is none of them.
[[nodiscard]] Result<void> refuse_to_replace(const std::filesystem::path& path,
                                             std::span<const std::filesystem::path> files_read);

/// Whether a name stands for a device, a pipe or an open descriptor (/dev/stdout), which nothing can replace.
[[nodiscard]] bool is_written_into(const std::filesystem::path& path);

/// Writes into what is open already, such as standard output. `name` is said in an error. A reader that
/// closes its end of a pipe early is no error.
[[nodiscard]] Result<void> write_into(int descriptor, const Content& content, const std::string& name,
                                      std::string_view failure);

/// Writes all of it, also where the system takes it in parts: 0 or errno.
[[nodiscard]] int write_all(int descriptor, std::string_view content);

/// Why a file could not be written, by errno, and what can be done, for which `path` is looked at. `failure`
/// begins the sentence.
[[nodiscard]] Error write_error(std::string_view failure, const std::filesystem::path& path, int number);

/// A regular file that takes the place of another, or of none, once it is whole. Until then it has no name,
/// so that nothing is left of it when the program is killed, or, where the file system knows no such files, a
/// hidden one that the next writer of the same file removes. Nothing in it is an Error: functions return 0 or
/// an errno.
class FileReplacement {
  public:
    /// Whether a file may be replaced that was not there when the writing began: EEXIST otherwise.
    enum class Replaceable : std::uint8_t { whatever_is_there, what_was_there };
    /// Whether a symbolic link leads to the file, or others may put what they like into the folder: then what
    /// has the name must be no link (ELOOP), and this user's, without a second name (EPERM).
    enum class Links : std::uint8_t { follow, refuse };

    FileReplacement() = default;
    FileReplacement(const FileReplacement&) = delete;
    FileReplacement& operator=(const FileReplacement&) = delete;
    ~FileReplacement();

    /// Refuses folders, what may not be written to, and what is_written_into(). `mode_of_new` as in
    /// write_file().
    [[nodiscard]] int begin(const std::filesystem::path& path, Links links = Links::follow,
                            mode_t mode_of_new = usual_mode);
    [[nodiscard]] int write(std::string_view content);
    /// Afterwards a crash of the machine leaves the old content or the new one. The file stays open and
    /// locked (flock) as long as this object, or as what take() gives.
    [[nodiscard]] int put_in_place(Replaceable place = Replaceable::whatever_is_there);
    /// For who goes on writing after put_in_place().
    [[nodiscard]] Descriptor take() { return std::move(file_); }

    /// Whether there is something that it replaces.
    [[nodiscard]] bool replaces() const { return old_.has_value(); }
    /// Whether it has replaced it: then only the folder could not be synced when put_in_place() failed.
    [[nodiscard]] bool in_place() const { return in_place_; }

  private:
    [[nodiscard]] int look_at_old(Links links);
    [[nodiscard]] int make(mode_t mode);
    [[nodiscard]] int make_with_name(mode_t mode);
    [[nodiscard]] int give_name();
    [[nodiscard]] int keep_owner_and_mode();
    [[nodiscard]] bool keep_access_list();
    [[nodiscard]] int sync_and_check();
    [[nodiscard]] int rename_to(Replaceable place);

    Descriptor folder_;
    Descriptor file_;
    std::string name_;                ///< in the folder
    std::string temporary_;           ///< in the folder; empty while the file has no name
    std::optional<struct stat> old_;  ///< what it replaces
    std::uint64_t size_ = 0;          ///< written so far [byte]
    bool in_place_ = false;
};

}  // namespace roofwalk

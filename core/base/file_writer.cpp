// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file_writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/statfs.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <xxhash.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <climits>
#include <system_error>

namespace roofwalk {

namespace {

namespace fs = std::filesystem;

constexpr int most_links = 40;  ///< as the kernel follows
constexpr int most_temporaries =
    64;  ///< of one file: those of writers at work, and of others that were killed
constexpr mode_t group_bits = 0070;
constexpr const char* access_list = "system.posix_acl_access";

fs::path folder_of(const fs::path& file) {
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

/// The name under which a file lies in /proc as long as it is open, also when it has no other.
std::string open_name(int descriptor) {
    return fmt::format("/proc/self/fd/{}", descriptor);
}

/// Hidden, the same for each writer of a file, and short however long the name of that is.
std::string temporary_name(const std::string& name, int number) {
    return fmt::format(".roofwalk-{:016x}-{}.tmp", XXH3_64bits(name.data(), name.size()), number);
}

bool same_file(const struct stat& a, const struct stat& b) {
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// A lock that a killed writer no longer holds. A file system without locks has none that are held.
bool locked_by_another(int descriptor) {
    return flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

/// Removes what a killed writer left. What is there stays when its writer runs, or when it is another's.
void remove_left_behind(int folder, const std::string& name) {
    const Descriptor left(openat(folder, name.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat opened {};
    struct stat named {};
    if (!left.open() || locked_by_another(left.number()) || fstat(left.number(), &opened) != 0) return;
    if (!S_ISREG(opened.st_mode) || opened.st_uid != geteuid()) return;
    // Another writer may have removed it meanwhile and made its own.
    if (fstatat(folder, name.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 && same_file(opened, named))
        unlinkat(folder, name.c_str(), 0);
}

/// The descriptor that a name such as /proc/self/fd/1 stands for, opened anew where it is none of ours.
Descriptor descriptor_at(const fs::path& path) {
    const std::string name = path.filename();
    int number = -1;
    std::from_chars(name.data(), name.data() + name.size(), number);
    struct stat ours {};
    struct stat named {};
    if (number >= 0 && fstat(number, &ours) == 0 && stat(path.c_str(), &named) == 0 && same_file(ours, named))
        return Descriptor(fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    return Descriptor(open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY));
}

/// Where a name leads. One that does not lead to a file or a place for one is left to the writer to refuse.
struct WriteTarget {
    fs::path file;                ///< no link
    bool into = false;            ///< a device, a pipe, or what a program holds open: it cannot be replaced
    int failure = 0;              ///< errno
    bool strangers_link = false;  ///< the failure is that it is not followed
};

/// Whether the kernel would not follow a link with fs.protected_symlinks, which is not set everywhere: in a
/// folder where all may make names and none may take another's away, it must be of this user or of the owner
/// of the folder.
bool is_strangers_link(const fs::path& link, const struct stat& status) {
    struct stat folder {};
    if (status.st_uid == geteuid()) return false;
    if (stat(folder_of(link).c_str(), &folder) != 0) return true;
    constexpr mode_t for_all = S_ISVTX | S_IWOTH;
    return (folder.st_mode & for_all) == for_all && folder.st_uid != status.st_uid;
}

WriteTarget target_of(fs::path path) {
    for (int links = 0; links < most_links; ++links) {
        struct stat status {};
        if (lstat(path.c_str(), &status) != 0)
            return {std::move(path), false, errno == ENOENT ? 0 : errno, false};
        if (!S_ISLNK(status.st_mode)) {
            const bool into = !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
            return {std::move(path), into, 0, false};
        }
        struct statfs system {};
        if (statfs(folder_of(path).c_str(), &system) == 0 && system.f_type == PROC_SUPER_MAGIC)
            return {std::move(path), true, 0, false};
        if (is_strangers_link(path, status)) return {std::move(path), false, EACCES, true};
        std::array<char, PATH_MAX> next{};
        const ssize_t length = readlink(path.c_str(), next.data(), next.size());
        if (length < 0) return {std::move(path), false, errno, false};
        path = path.parent_path() / std::string_view(next.data(), static_cast<std::size_t>(length));
    }
    return {std::move(path), false, ELOOP, false};
}

/// Some file systems tell of a full disk only when a descriptor is closed. This one stays open: 0 or errno.
int close_a_second(int descriptor) {
    Descriptor second(fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    return second.open() ? second.close() : 0;
}

Content whole(std::string_view text) {
    return [text](const WritePart& write) { return write(text); };
}

int write_whole(FileReplacement& file, const fs::path& path, const Content& content, mode_t mode_of_new) {
    int code = file.begin(path, FileReplacement::Links::follow, mode_of_new);
    if (code != 0) return code;
    const bool is_there = content([&](std::string_view part) {
        if (code == 0) code = file.write(part);
        return code == 0;
    });
    return code == 0 && is_there ? file.put_in_place() : code;
}

std::string_view what_to_do(const fs::path& path, int number) {
    if (number == EACCES && target_of(path).strangers_link)
        return "A link of another user is not followed in a folder where everybody may make one: choose another "
               "name.";
    switch (number) {
        case ENOSPC:
        case EDQUOT:
            return "Make room there, or choose another folder.";
        case EACCES:
        case EPERM:
        case EROFS:
            return "Choose a file and a folder that you may write to.";
        case ENOENT:
            if (std::error_code ignored; fs::is_directory(folder_of(path), ignored))
                return "The folder is there, and no file can be made in it: choose another.";
            return "Make its folder first, or choose another.";
        case ENOTDIR:
            return "Make its folder first, or choose another.";
        case EISDIR:
            return "This is a folder: name a file in it.";
        case EFBIG:
            return "Raise the limit of the size of a file (ulimit -f), or choose another folder.";
        case ENAMETOOLONG:
            return "Choose a shorter name.";
        default:
            return "Choose another folder.";
    }
}

}  // namespace

int write_all(int descriptor, std::string_view content) {
    while (!content.empty()) {
        const ssize_t written = ::write(descriptor, content.data(), content.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        if (written == 0) return EIO;
        content.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

Error write_error(std::string_view failure, const fs::path& path, int number) {
    return {ErrorCode::write_failed, fmt::format("{}: {}", failure, std::generic_category().message(number)),
            path.string(), std::string(what_to_do(path, number))};
}

bool is_written_into(const fs::path& path) {
    return target_of(path).into;
}

Result<void> write_into(int descriptor, const Content& content, const std::string& name,
                        std::string_view failure) {
    int code = 0;
    content([&](std::string_view part) {
        if (code == 0) code = write_all(descriptor, part);
        return code == 0;
    });
    if (code == 0) code = close_a_second(descriptor);
    if (code == 0 || code == EPIPE) return {};
    return tl::unexpected(write_error(failure, name, code));
}

Result<void> refuse_to_replace(const fs::path& path, std::span<const fs::path> files_read) {
    struct stat target {};
    if (::stat(path.c_str(), &target) != 0 || !S_ISREG(target.st_mode)) return {};
    for (const fs::path& file : files_read) {
        struct stat read {};
        if (::stat(file.c_str(), &read) == 0 && same_file(target, read))
            return unexpected(ErrorCode::bad_argument,
                              "Nothing was written: the file is one of those that were read", path.string(),
                              "Choose another name.");
    }
    return {};
}

Result<void> write_file(const fs::path& path, std::string_view content, std::string_view failure,
                        mode_t mode_of_new) {
    return write_file(path, whole(content), failure, mode_of_new);
}

Result<void> write_file(const fs::path& path, const Content& content, std::string_view failure,
                        mode_t mode_of_new) {
    const WriteTarget target = target_of(path);
    if (target.into) {
        const Descriptor into = descriptor_at(target.file);
        if (!into.open()) return tl::unexpected(write_error(failure, path, errno));
        return write_into(into.number(), content, path.string(), failure);
    }
    FileReplacement file;
    const int code = write_whole(file, path, content, mode_of_new);
    if (code == 0) return {};
    Error error = write_error(failure, path, code);
    if (!file.in_place() && file.replaces()) error.hint = "The file is as it was before. " + error.hint;
    return tl::unexpected(std::move(error));
}

FileReplacement::~FileReplacement() {
    if (!temporary_.empty()) unlinkat(folder_.number(), temporary_.c_str(), 0);
}

int FileReplacement::begin(const fs::path& path, Links links, mode_t mode_of_new) {
    const WriteTarget target = links == Links::follow ? target_of(path) : WriteTarget{path};
    if (target.failure != 0) return target.failure;
    if (target.into) return EINVAL;
    name_ = target.file.filename();
    if (name_.empty() || name_ == "." || name_ == "..") return EISDIR;
    folder_ = Descriptor(open(folder_of(target.file).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!folder_.open()) return errno;
    if (const int code = look_at_old(links); code != 0) return code;
    return make(old_ ? mode_for_its_owner : mode_of_new);
}

int FileReplacement::look_at_old(Links links) {
    struct stat status {};
    if (fstatat(folder_.number(), name_.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT ? 0 : errno;
    if (S_ISDIR(status.st_mode)) return EISDIR;
    if (links == Links::refuse && S_ISLNK(status.st_mode)) return ELOOP;
    if (!S_ISREG(status.st_mode)) return EINVAL;
    if (links == Links::refuse && (status.st_uid != geteuid() || status.st_nlink != 1)) return EPERM;
    // Who protects a file against writing does not want it replaced either.
    if (faccessat(folder_.number(), name_.c_str(), W_OK, AT_EACCESS) != 0) return errno;
    old_ = status;
    return 0;
}

int FileReplacement::make(mode_t mode) {
    file_ = Descriptor(openat(folder_.number(), ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, mode));
    if (!file_.open()) {
        const bool unknown = errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL || errno == ENOENT;
        return unknown ? make_with_name(mode) : errno;
    }
    if (access(open_name(file_.number()).c_str(), F_OK) != 0) return make_with_name(mode);
    // So that nobody takes it for one that was left behind, once it has a name.
    return locked_by_another(file_.number()) ? EBUSY : 0;
}

int FileReplacement::make_with_name(mode_t mode) {
    for (int number = 0; number < most_temporaries; ++number) {
        std::string name = temporary_name(name_, number);
        remove_left_behind(folder_.number(), name);
        file_ = Descriptor(openat(folder_.number(), name.c_str(),
                                  O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
        if (!file_.open() && errno != EEXIST) return errno;
        struct stat made {};
        // Another writer may have taken it for left behind before it was locked.
        if (!file_.open() || locked_by_another(file_.number()) || fstat(file_.number(), &made) != 0 ||
            made.st_nlink == 0)
            continue;
        temporary_ = std::move(name);
        return 0;
    }
    return EBUSY;
}

int FileReplacement::write(std::string_view content) {
    size_ += content.size();
    return write_all(file_.number(), content);
}

int FileReplacement::give_name() {
    for (int number = 0; temporary_.empty() && number < most_temporaries; ++number) {
        std::string name = temporary_name(name_, number);
        remove_left_behind(folder_.number(), name);
        if (linkat(AT_FDCWD, open_name(file_.number()).c_str(), folder_.number(), name.c_str(),
                   AT_SYMLINK_FOLLOW) == 0)
            temporary_ = std::move(name);
        else if (errno != EEXIST)
            return errno;
    }
    return temporary_.empty() ? EBUSY : 0;
}

/// False where it is not known whether there was a list, or the new file has another one than the old.
bool FileReplacement::keep_access_list() {
    std::array<char, XATTR_SIZE_MAX> list{};
    const std::string old_name = open_name(folder_.number()) + '/' + name_;
    const ssize_t size = lgetxattr(old_name.c_str(), access_list, list.data(), list.size());
    const auto has_none = [] { return errno == ENODATA || errno == EOPNOTSUPP; };
    if (size > 0)
        return fsetxattr(file_.number(), access_list, list.data(), static_cast<std::size_t>(size), 0) == 0;
    if (size == 0 || !has_none()) return false;
    // The folder may have handed one down.
    return fremovexattr(file_.number(), access_list) == 0 || has_none();
}

int FileReplacement::keep_owner_and_mode() {
    if (!old_) return 0;
    mode_t mode = old_->st_mode & (S_IRWXU | S_IRWXG | S_IRWXO);
    // Who may not give files away stays their owner; what a group was allowed, another one is not.
    if (fchown(file_.number(), old_->st_uid, old_->st_gid) != 0 &&
        fchown(file_.number(), static_cast<uid_t>(-1), old_->st_gid) != 0)
        mode &= ~group_bits;
    // With a list, the bits of the group are the most that it allows, and without it, those of the group.
    if (!keep_access_list()) mode &= ~group_bits;
    return fchmod(file_.number(), mode) == 0 ? 0 : errno;
}

int FileReplacement::sync_and_check() {
    if (fsync(file_.number()) != 0 && errno != EINVAL) return errno;
    struct stat status {};
    if (fstat(file_.number(), &status) != 0) return errno;
    if (static_cast<std::uint64_t>(status.st_size) != size_) return EIO;
    return close_a_second(file_.number());
}

int FileReplacement::rename_to(Replaceable place) {
    const unsigned flags = place == Replaceable::what_was_there && !old_ ? RENAME_NOREPLACE : 0;
    const auto rename_with = [&](unsigned with) {
        return renameat2(folder_.number(), temporary_.c_str(), folder_.number(), name_.c_str(), with) == 0;
    };
    // Not every file system knows the flag.
    if (!rename_with(flags) && !(flags != 0 && errno == EINVAL && rename_with(0))) return errno;
    temporary_.clear();
    in_place_ = true;
    const Descriptor folder(openat(folder_.number(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder.open()) return 0;  // one that may be written to, and not read
    return fsync(folder.number()) == 0 || errno == EINVAL ? 0 : errno;
}

int FileReplacement::put_in_place(Replaceable place) {
    int code = keep_owner_and_mode();
    if (code == 0) code = sync_and_check();
    if (code == 0) code = give_name();
    if (code == 0) code = rename_to(place);
    return code;
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "core/text.h"

namespace roofwalk::cli {

namespace {

namespace fs = std::filesystem;

Error write_error(const std::string& target, int code) {
    const std::string name = target == "-" ? "standard output" : target;
    return {ErrorCode::write_failed, "The output could not be written", name,
            std::error_code(code, std::generic_category()).message() + "."};
}

/// Closes a descriptor on every way out.
class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (fd_ >= 0) close(fd_);
    }
    [[nodiscard]] int get() const { return fd_; }
    /// 0, or the errno of a late write error that only closing brings to light.
    [[nodiscard]] int finish() {
        const int status = close(fd_);
        fd_ = -1;
        return status == 0 ? 0 : errno;
    }

  private:
    int fd_;
};

/// 0 or errno.
int write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = write(fd, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

Result<void> result(const std::string& target, int code) {
    if (code == 0 || code == EPIPE) return {};
    return tl::unexpected(write_error(target, code));
}

/// The mode a new file gets here: what the umask leaves of rw-rw-rw-, or what the replaced file had.
mode_t mode_for(const fs::path& file) {
    struct stat existing {};
    if (stat(file.c_str(), &existing) == 0) return existing.st_mode & 07777;
    const mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

int replace_file(const fs::path& file, std::string_view text) {
    std::string temporary = file.string() + ".XXXXXX";
    Descriptor out(mkstemp(temporary.data()));
    if (out.get() < 0) return errno;
    int code = write_all(out.get(), text);
    if (code == 0 && fchmod(out.get(), mode_for(file)) != 0) code = errno;
    if (code == 0) code = out.finish();
    if (code == 0 && rename(temporary.c_str(), file.c_str()) != 0) code = errno;
    if (code != 0) unlink(temporary.c_str());
    return code;
}

/// A pipe or a device must be written into, not replaced.
int write_into(const fs::path& file, std::string_view text) {
    Descriptor out(open(file.c_str(), O_WRONLY | O_CLOEXEC));
    if (out.get() < 0) return errno;
    return write_all(out.get(), text);
}

}  // namespace

Result<void> write_output(const std::string& target, std::string_view text) {
    if (target == "-") return result(target, write_all(STDOUT_FILENO, text));
    std::error_code ignored;
    fs::path file = target;
    // A symbolic link keeps pointing where it points: its target is replaced.
    if (fs::is_symlink(file, ignored)) file = fs::weakly_canonical(file, ignored);
    const fs::file_status status = fs::status(file, ignored);
    if (fs::exists(status) && !fs::is_regular_file(status)) return result(target, write_into(file, text));
    return result(target, replace_file(file, text));
}

Result<void> write_words(const std::string& target, std::string_view text) {
    return write_output(target, printable_lines(text));
}

}  // namespace roofwalk::cli

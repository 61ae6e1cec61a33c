// SPDX-License-Identifier: Apache-2.0
#include "profiler/benchmarks/device_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace roofwalk::ceilings {

namespace {

constexpr mode_t everybody = 0666;

/// In folders that all may write to, the kernel refuses O_CREAT for a file of another user, so that one that
/// is there is opened without.
int open_or_make(const char* file) {
    const int there = open(file, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (there >= 0 || errno != ENOENT) return there;
    const int made = open(file, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_CREAT | O_EXCL, everybody);
    if (made < 0 && errno == EEXIST) return open(file, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (made >= 0) fchmod(made, everybody);
    return made;
}

std::string read_holder(int descriptor) {
    std::array<char, 16> digits{};
    const ssize_t count = pread(descriptor, digits.data(), digits.size(), 0);
    std::string holder;
    for (ssize_t i = 0; i < count; ++i) {
        const char letter = digits[static_cast<std::size_t>(i)];
        if (letter < '0' || letter > '9') break;
        holder += letter;
    }
    return holder;
}

}  // namespace

DeviceLock::DeviceLock(const std::filesystem::path& folder, std::string_view uuid)
    : file_(folder / ("roofwalk-ceilings-" + std::string(uuid) + ".lock")),
      descriptor_(open_or_make(file_.c_str())) {
    if (descriptor_ < 0) return;
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK) return;
        state_ = State::busy;
        holder_ = read_holder(descriptor_);
        return;
    }
    state_ = State::held;
    holder_ = std::to_string(getpid());
    const std::string line = holder_ + "\n";
    // Who holds it is a courtesy to the next one: the lock is held without it.
    if (ftruncate(descriptor_, 0) == 0 && pwrite(descriptor_, line.data(), line.size(), 0) < 0)
        holder_.clear();
}

DeviceLock::~DeviceLock() {
    if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace roofwalk::ceilings

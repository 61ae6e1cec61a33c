// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace roofwalk::agent {

/// A descriptor in a process that belongs to somebody else: a program may close every descriptor it does not
/// know, and then open a file of its own under this number. Closed by close() alone.
class OwnDescriptor {
  public:
    OwnDescriptor() = default;

    /// Nothing is open where `number` is none.
    explicit OwnDescriptor(int number) {
        struct stat status {};
        if (number < 0 || fstat(number, &status) != 0) return;
        number_ = number;
        device_ = status.st_dev;
        inode_ = status.st_ino;
    }

    /// Takes over a new descriptor, and moves it out of the way of those that the program will open.
    [[nodiscard]] static OwnDescriptor out_of_the_way(int number) {
        constexpr int lowest = 200;  // programs count on the low ones
        if (number < 0) return {};
        const int moved = fcntl(number, F_DUPFD_CLOEXEC, lowest);
        if (moved < 0) return OwnDescriptor(number);
        ::close(number);
        return OwnDescriptor(moved);
    }

    [[nodiscard]] int number() const { return number_; }
    [[nodiscard]] bool is_open() const { return number_ >= 0; }

    /// Whether the number still means what was opened. Sockets and pipes can be told from all others.
    [[nodiscard]] bool is_ours() const {
        struct stat status {};
        return number_ >= 0 && fstat(number_, &status) == 0 && status.st_dev == device_ &&
               status.st_ino == inode_;
    }

    /// Leaves a number alone that is the program's by now.
    void close() {
        if (is_ours()) ::close(number_);
        forget();
    }
    void forget() { number_ = -1; }

  private:
    int number_ = -1;
    dev_t device_ = 0;
    ino_t inode_ = 0;
};

}  // namespace roofwalk::agent

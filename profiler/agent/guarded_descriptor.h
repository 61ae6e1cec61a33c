// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <mutex>

namespace roofwalk::agent {

/// A descriptor in a process that belongs to somebody else: a program may close every descriptor it does not
/// know, and then open a file of its own under this number. Closed by close() alone.
class GuardedDescriptor {
  public:
    GuardedDescriptor() = default;

    /// Nothing is open where `number` is none.
    explicit GuardedDescriptor(int number) {
        struct stat status {};
        if (number < 0 || fstat(number, &status) != 0) return;
        number_ = number;
        device_ = status.st_dev;
        inode_ = status.st_ino;
    }

    /// Takes over a new descriptor, and moves it out of the way of those that the program will open.
    [[nodiscard]] static GuardedDescriptor out_of_the_way(int number) {
        constexpr int lowest = 200;  // programs count on the low ones
        if (number < 0) return {};
        const int moved = fcntl(number, F_DUPFD_CLOEXEC, lowest);
        if (moved < 0) return GuardedDescriptor(number);
        ::close(number);
        return GuardedDescriptor(moved);
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

/// Wakes the thread that watches descriptor() from any other. A pair of sockets: where the program has closed
/// one of them, that brings it no signal, and no file of its own is written to.
class Waker {
  public:
    Waker() = default;
    Waker(const Waker&) = delete;
    Waker& operator=(const Waker&) = delete;

    /// Opens it where it is not open, or not ours any more. For the thread that watches.
    bool keep_open();
    [[nodiscard]] int descriptor() const { return watched_.number(); }
    /// Forgets who woke it before. For the thread that watches.
    void clear() const;

    /// Waits for nothing; the thread that watches may miss it while it opens the descriptor.
    void wake();

    /// In a child that came by fork().
    void close();

  private:
    std::mutex mutex_;
    GuardedDescriptor watched_;
    GuardedDescriptor other_;
};

}  // namespace roofwalk::agent

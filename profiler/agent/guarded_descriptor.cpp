// SPDX-License-Identifier: Apache-2.0
#include "profiler/agent/guarded_descriptor.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>

namespace roofwalk::agent {

bool Waker::keep_open() {
    const std::lock_guard lock(mutex_);
    if (watched_.is_ours() && other_.is_ours()) return true;
    close();
    std::array<int, 2> made{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, made.data()) != 0) return false;
    watched_ = GuardedDescriptor::out_of_the_way(made[0]);
    other_ = GuardedDescriptor::out_of_the_way(made[1]);
    return true;
}

void Waker::clear() const {
    std::array<char, 256> ignored;
    if (watched_.is_ours())
        while (recv(watched_.number(), ignored.data(), ignored.size(), MSG_DONTWAIT) > 0) {
        }
}

void Waker::wake() {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    // Whoever has it wakes the thread, or is it.
    if (!lock.owns_lock()) return;
    const int errno_before = errno;
    if (other_.is_ours()) static_cast<void>(send(other_.number(), "", 1, MSG_NOSIGNAL | MSG_DONTWAIT));
    errno = errno_before;
}

void Waker::close() {
    watched_.close();
    other_.close();
}

}  // namespace roofwalk::agent

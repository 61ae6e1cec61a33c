// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/socket.h>

#include <cerrno>
#include <cstddef>
#include <span>

namespace roofwalk::wire {

struct Sent {
    std::size_t bytes = 0;
    int error = 0;  ///< errno of what stopped it; 0 when all was taken, EAGAIN when the other side is full
};

/// Gives bytes to a socket without ever waiting for its other side. Raises no signal when that side is gone,
/// goes on after one that interrupts it, and leaves errno as it was: the process belongs to somebody else.
/// After part of a frame only the rest of that frame may follow.
[[nodiscard]] inline Sent send_bytes(int socket, std::span<const std::byte> bytes) noexcept {
    const int errno_before = errno;
    Sent sent;
    while (sent.bytes < bytes.size() && sent.error == 0) {
        const auto rest = bytes.subspan(sent.bytes);
        const auto taken = ::send(socket, rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (taken >= 0)
            sent.bytes += static_cast<std::size_t>(taken);
        else if (errno != EINTR)
            sent.error = errno;
    }
    errno = errno_before;
    return sent;
}

}  // namespace roofwalk::wire

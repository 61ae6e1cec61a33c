// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <span>

namespace roofwalk::wire {

/// Room for one descriptor beside the bytes of a message.
union DescriptorRoom {
    cmsghdr aligned;
    std::byte bytes[CMSG_SPACE(sizeof(int))];
};

[[nodiscard]] inline msghdr message_of(iovec& bytes, DescriptorRoom& room) noexcept {
    msghdr message{};
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    message.msg_control = &room;
    message.msg_controllen = sizeof(room.bytes);
    return message;
}

/// As sendmsg().
[[nodiscard]] inline ssize_t send_with_descriptor(int socket, std::span<const std::byte> bytes,
                                                  int descriptor) noexcept {
    iovec part{const_cast<std::byte*>(bytes.data()), bytes.size()};
    DescriptorRoom room{};
    msghdr message = message_of(part, room);
    cmsghdr* const beside = CMSG_FIRSTHDR(&message);
    beside->cmsg_level = SOL_SOCKET;
    beside->cmsg_type = SCM_RIGHTS;
    beside->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(beside), &descriptor, sizeof(int));
    return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/// As recv() that does not wait; `descriptor` becomes one that came alone with the bytes, which is the
/// caller's then.
[[nodiscard]] inline ssize_t receive_bytes(int socket, std::span<std::byte> bytes, int& descriptor) noexcept {
    iovec part{bytes.data(), bytes.size()};
    DescriptorRoom room{};
    msghdr message = message_of(part, room);
    const ssize_t taken = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (taken < 0) return taken;
    const cmsghdr* const beside = CMSG_FIRSTHDR(&message);
    if (beside == nullptr || beside->cmsg_level != SOL_SOCKET || beside->cmsg_type != SCM_RIGHTS)
        return taken;
    // Padding leaves room for more than one.
    const std::size_t count = (beside->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
        int each = -1;
        std::memcpy(&each, CMSG_DATA(beside) + i * sizeof(int), sizeof(int));
        if (count == 1)
            descriptor = each;
        else
            close(each);
    }
    return taken;
}

struct SendResult {
    std::size_t bytes = 0;
    int error = 0;  ///< errno of what stopped it; 0 when all was taken, EAGAIN when the other side is full
};

/// Gives bytes to a socket without ever waiting for its other side. Raises no signal when that side is gone,
/// goes on after one that interrupts it, and leaves errno as it was: the process belongs to somebody else.
/// After part of a frame only the rest of that frame may follow. The other side gets `descriptor`, where it
/// is one, with the first of the bytes.
[[nodiscard]] inline SendResult send_bytes(int socket, std::span<const std::byte> bytes,
                                           int descriptor = -1) noexcept {
    const int errno_before = errno;
    SendResult sent;
    while (sent.bytes < bytes.size() && sent.error == 0) {
        const auto rest = bytes.subspan(sent.bytes);
        const auto taken = descriptor < 0 || sent.bytes > 0
                               ? ::send(socket, rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT)
                               : send_with_descriptor(socket, rest, descriptor);
        if (taken >= 0)
            sent.bytes += static_cast<std::size_t>(taken);
        else if (errno != EINTR)
            sent.error = errno;
    }
    errno = errno_before;
    return sent;
}

}  // namespace roofwalk::wire

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <charconv>
#include <cstddef>
#include <cstring>
#include <string_view>

/// How an agent finds its collector: by variables of the program that it is in, else it waits at an address.
namespace roofwalk::wire {

/// Path of the collector's socket. Where it is not set, or nobody is there, the agent waits for a collector
/// at agent_address().
inline constexpr const char* agent_socket_variable = "ROOFWALK_AGENT_SOCKET";
inline constexpr const char* agent_cupti_variable =
    "ROOFWALK_AGENT_CUPTI";  ///< path of the libcupti to load; unset: looked for

struct SocketAddress {
    sockaddr_un address{};
    socklen_t size = 0;
};

/// The abstract socket "roofwalk-agent-PID": no file is left behind, and only processes of the same network
/// namespace see it. Both sides check that the other one is of the same user.
[[nodiscard]] inline SocketAddress agent_address(pid_t process) noexcept {
    constexpr std::string_view prefix = "roofwalk-agent-";
    SocketAddress at;
    at.address.sun_family = AF_UNIX;
    char* const name = at.address.sun_path + 1;
    std::memcpy(name, prefix.data(), prefix.size());
    char* const end =
        std::to_chars(name + prefix.size(), at.address.sun_path + sizeof(at.address.sun_path), process).ptr;
    at.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) +
                                     static_cast<std::size_t>(end - at.address.sun_path));
    return at;
}

}  // namespace roofwalk::wire

// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Variables that tell an agent in a program what to do.
namespace roofwalk::wire {

inline constexpr const char* agent_socket_variable =
    "ROOFWALK_AGENT_SOCKET";  ///< path of the collector's socket
inline constexpr const char* agent_listen_variable =
    "ROOFWALK_AGENT_LISTEN";  ///< set to anything: wait for a collector at agent_address()
inline constexpr const char* agent_cupti_variable =
    "ROOFWALK_AGENT_CUPTI";  ///< path of the libcupti to load; unset: looked for

}  // namespace roofwalk::wire

// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Variables that tell an agent in a program what to do.
namespace roofwalk::wire {

/// Path of the collector's socket. Where it is not set, or nobody is there, the agent waits for a collector
/// at agent_address().
inline constexpr const char* agent_socket_variable = "ROOFWALK_AGENT_SOCKET";
inline constexpr const char* agent_cupti_variable =
    "ROOFWALK_AGENT_CUPTI";  ///< path of the libcupti to load; unset: looked for

}  // namespace roofwalk::wire

// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Variables that tell an agent in a program what to do. Lists have one entry a line.
namespace roofwalk::wire {

inline constexpr const char* agent_socket_variable =
    "ROOFWALK_AGENT_SOCKET";  ///< path of the collector's socket
inline constexpr const char* agent_listen_variable =
    "ROOFWALK_AGENT_LISTEN";  ///< set to anything: wait for a collector at agent_address()
inline constexpr const char* agent_cupti_variable =
    "ROOFWALK_AGENT_CUPTI";  ///< path of the libcupti to load; unset: looked for
inline constexpr const char* agent_kernels_variable =
    "ROOFWALK_AGENT_KERNELS";  ///< patterns of names to record
inline constexpr const char* agent_except_variable =
    "ROOFWALK_AGENT_EXCEPT";  ///< patterns of names to leave alone
inline constexpr const char* agent_nvtx_variable = "ROOFWALK_AGENT_NVTX";  ///< ranges to record inside of
inline constexpr const char* agent_skip_variable = "ROOFWALK_AGENT_SKIP";  ///< launches to leave alone first
inline constexpr const char* agent_count_variable = "ROOFWALK_AGENT_COUNT";  ///< launches to record then

}  // namespace roofwalk::wire

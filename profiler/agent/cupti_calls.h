// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "profiler/agent/kernel_call.h"

namespace roofwalk::agent {

/// What a call of the driver launches: `id` is that of the call, `callback_data` what CUPTI says of it.
[[nodiscard]] LaunchCall launch_in_call(std::uint32_t id, const void* callback_data);

/// The kernel that a call puts into the node of a graph; absent when it is no such call.
[[nodiscard]] std::optional<KernelCall> node_in_call(std::uint32_t id, const void* callback_data);

/// The graph that a call makes or changes a node to run; null when it is no such call.
[[nodiscard]] void* graph_in_call(std::uint32_t id, const void* callback_data);

}  // namespace roofwalk::agent

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "profiler/wire/record.h"

namespace roofwalk::agent {

/// A kernel as a program asks the driver to run it.
struct KernelCall {
    std::string name;  ///< as the driver calls it; empty when that is not known
    void* function = nullptr;
    wire::Extent grid;
    wire::Extent block;
    std::uint32_t dynamic_shared = 0;  ///< per block [byte]
};

/// A call of the driver that runs one kernel, or those of a graph.
struct LaunchCall {
    void* context = nullptr;
    std::uint32_t context_id = 0;
    std::uint32_t correlation = 0;  ///< the number that records of activity refer to
    void* stream = nullptr;
    bool stream_of_thread = false;  ///< no stream means the default stream of the thread
    void* graph_exec = nullptr;     ///< null: one kernel
    KernelCall kernel;
};

}  // namespace roofwalk::agent

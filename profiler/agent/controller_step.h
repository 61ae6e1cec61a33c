// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "profiler/agent/controller.h"

namespace roofwalk::agent {

struct Controller::Step {
    enum class Deed {
        nothing,
        tell,     ///< a record with neither counters nor time
        count,    ///< a record with counters
        time,     ///< KernelTimes will tell
        give_up,  ///< no device gives counters: this launch and those after it are timed
    };

    struct Kernel {
        std::uint64_t id = 0;
        KernelCall call;
        void* node = nullptr;  ///< of a graph
        bool wanted = true;
    };

    Deed deed = Deed::nothing;
    std::vector<Kernel> kernels;
    std::vector<std::string> nvtx;
    std::uint64_t start_ns = 0;
    std::uint32_t device = 0;
    std::uint32_t context_id = 0;
    Shape shape;  ///< that the sampler knows it by
    std::shared_ptr<const CounterSet> set;
    RangeProfiler* profiler = nullptr;                      ///< that counts now; the thread has the turn
    wire::LaunchStatus status = wire::LaunchStatus::timed;  ///< of a record without counters
};

}  // namespace roofwalk::agent

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "profiler/recording/machine.h"
#include "profiler/recording/nvidia_software.h"

namespace roofwalk {

enum class Readiness {
    ready,
    limited,  ///< works, with a restriction that the text names
    missing,  ///< kernels cannot be profiled before this is mended
};

/// "ready"
[[nodiscard]] std::string_view word_for(Readiness readiness);

/// What was found of one thing that profiling needs.
struct CapabilityFinding {
    std::string subject;  ///< "driver", "counters"
    Readiness readiness = Readiness::ready;
    std::string what;  ///< one sentence
    std::string hint;  ///< what a person can do; empty when nothing needs doing
};

/// Driver, GPUs, permission to read counters, Nsight Compute, CUPTI, and situations that change what can be
/// measured.
[[nodiscard]] std::vector<CapabilityFinding> check_capabilities(const Machine& machine,
                                                                const NvidiaSoftware& software);

}  // namespace roofwalk

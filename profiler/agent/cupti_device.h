// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profiler/agent/cupti_library.h"

namespace roofwalk::agent {

/// What CUPTI says of a device and its counters.
struct CounterSupport {
    std::string chip;  ///< "GH100"; empty when CUPTI does not know it
    std::vector<std::byte> availability;
    std::optional<CuptiFailure> failure;  ///< why there are no counters
};

/// `context` is one of the device.
[[nodiscard]] CounterSupport counter_support(const CuptiLibrary& library, std::uint32_t device,
                                             void* context);

}  // namespace roofwalk::agent

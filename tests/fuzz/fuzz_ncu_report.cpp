// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "core/import/ncu/ncu_report.h"

/// Whatever the bytes are, the reader ends, and what it returns refers to itself only.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto profile = roofwalk::read_ncu_report(std::as_bytes(std::span(data, size)), "fuzz.ncu-rep");
    if (!profile) return 0;
    for (const roofwalk::Launch& launch : profile->launches) {
        if (static_cast<std::size_t>(launch.kernel) >= profile->kernels.size()) std::abort();
        if (static_cast<std::size_t>(launch.device) >= profile->devices.size()) std::abort();
        if (static_cast<std::size_t>(launch.nvtx) >= profile->nvtx_stacks.size()) std::abort();
    }
    return 0;
}

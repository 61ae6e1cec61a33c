// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/launch.h"

namespace roofwalk::ncu {

/// One result entry, taken apart but not interpreted. Views point into the file and may hold any bytes.
struct ResultEntry {
    std::string_view mangled_name;
    std::string_view function_name;
    std::string_view demangled_name;
    Dim3 grid;
    Dim3 block;
    std::uint32_t thread = 0;
    std::uint32_t context = 0;
    std::uint32_t stream = 0;
    std::optional<bool> clocks_locked;
    std::string_view nvtx;
    std::vector<std::string_view> metrics;
    std::vector<std::string_view> sections;
};

/// Reads a result entry; rules and the rest are skipped. Throws protozero::exception.
[[nodiscard]] ResultEntry decode_result(std::string_view message);

/// The push/pop ranges open on one thread at the launch, outermost first, as clean UTF-8. Throws
/// protozero::exception.
[[nodiscard]] std::vector<std::string> decode_nvtx_stack(std::string_view state, std::uint32_t thread);

}  // namespace roofwalk::ncu

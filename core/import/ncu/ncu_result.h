// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/launch.h"

namespace roofwalk::ncu {

using WorkSize = std::array<std::uint64_t, 3>;

/// One result entry of any kind, taken apart but not interpreted. Views point into the file and may hold any
/// bytes.
struct ResultEntry {
    std::string_view mangled_name;
    std::string_view function_name;
    std::string_view demangled_name;
    WorkSize grid{};  ///< blocks, or threads: see grid_in_blocks()
    Dim3 block;
    std::uint32_t thread = 0;
    std::uint32_t context = 0;
    std::uint32_t stream = 0;
    std::optional<bool> clocks_locked;
    std::string_view nvtx;
    std::vector<std::string_view> metrics;
    std::vector<std::string_view> sections;
};

/// What the metrics of a launch say about its size; absent where they were not stored.
struct StoredSize {
    std::optional<double> blocks;   ///< `launch__grid_size`
    std::optional<double> threads;  ///< `launch__thread_count`
};

struct BlockCount {
    Dim3 blocks;
    bool contradicted = false;  ///< neither reading of the grid is what the metrics say
};

/// The grid of a result in blocks. Nsight Compute stores it so from 2020.3 on; before, and in reports of
/// `nv-nsight-cu`, it counts threads. What the metrics say decides; `counts_threads` where they say nothing.
[[nodiscard]] BlockCount grid_in_blocks(const ResultEntry& result, const StoredSize& stored,
                                        bool counts_threads);

/// Reads a result entry; rules and the rest are skipped. Those of graphs and ranges have no name and no size.
/// Throws protozero::exception.
[[nodiscard]] ResultEntry decode_result(std::string_view message, LaunchKind kind);

/// The push/pop ranges open on one thread at the launch, outermost first, as clean UTF-8. Throws
/// protozero::exception.
[[nodiscard]] std::vector<std::string> decode_nvtx_stack(std::string_view state, std::uint32_t thread);

}  // namespace roofwalk::ncu

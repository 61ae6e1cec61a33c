// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace roofwalk::agent {

/// What NVTX hands to a tool: it gives the table of that number.
using NvtxExportTable = const void* (*)(std::uint32_t);

/// Has the module of the program that hands this over tell of its ranges. False where it cannot.
bool watch_nvtx(NvtxExportTable get_export_table);

/// Names of the NVTX ranges that the calling thread has pushed and not popped, outermost first. Those of a
/// domain are written "domain/name".
[[nodiscard]] const std::vector<std::string>& current_ranges();

/// So many ranges that were started are known at a time; a program may never end any.
inline constexpr std::size_t most_started_ranges = 4096;

/// Names of the NVTX ranges of this process that were started and have not ended, on whatever thread, in the
/// order of their starts; written as those above. Those that were open at a fork() are the parent's alone.
[[nodiscard]] std::vector<std::string> started_ranges();

/// Whether a range of this process is not among those, because there were too many when it was started.
[[nodiscard]] bool started_ranges_overflowed();

}  // namespace roofwalk::agent

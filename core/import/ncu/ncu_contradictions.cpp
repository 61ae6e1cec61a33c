// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/ncu_contradictions.h"

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/import/ncu/ncu_shared_memory.h"
#include "core/import/ncu/ncu_traffic.h"

namespace roofwalk {

namespace {

constexpr std::string_view mixed_launches_hint =
    "Counters of different launches were probably mixed, as application replay does when a program does not "
    "repeat itself. Profile again with --replay-mode kernel.";

/// DRAM bytes as a total and as read + write, when they differ by more than passes of one launch do.
std::optional<Error> dram_disagrees(const NcuValues& values) {
    constexpr double tolerance = 0.05;
    constexpr double least_bytes = 1e6;
    const auto total = values.total("dram__bytes");
    const auto read = values.total("dram__bytes_read");
    const auto write = values.total("dram__bytes_write");
    if (!total || !read || !write) return std::nullopt;
    const double parts = read->value + write->value;
    const double larger = std::max(total->value, parts);
    if (larger < least_bytes || std::abs(total->value - parts) <= tolerance * larger) return std::nullopt;
    return Error{ErrorCode::contradiction,
                 "DRAM counters disagree: the total is " + format(Bytes(total->value)) +
                     ", read + write are " + format(Bytes(parts)),
                 "", std::string(mixed_launches_hint)};
}

}  // namespace

std::vector<Error> contradictions(const NcuValues& values, const NcuTensorWork& tensor,
                                  const UncountedWork& uncounted) {
    std::vector<Error> found;
    if (shared_memory_counters_disagree(values)) {
        const double wavefronts = values.source_counter("memory_l1_wavefronts_shared").value_or(0);
        found.push_back({ErrorCode::contradiction,
                         "The instructions of this kernel made " + format_count(wavefronts) +
                             " shared-memory wavefronts, but the hardware counters saw no load or store; the "
                             "count by instruction is shown",
                         "", std::string(mixed_launches_hint)});
    }
    if (tensor.counters_disagree)
        found.push_back({ErrorCode::contradiction,
                         "This kernel executed tensor instructions, but the hardware counters saw no tensor "
                         "operation; the count by instruction is shown",
                         "", std::string(mixed_launches_hint)});
    if (auto dram = dram_disagrees(values)) found.push_back(std::move(*dram));
    if (uncounted.tensor)
        found.push_back(
            {ErrorCode::not_understood,
             "This kernel used the tensor cores, but nothing in the file tells how many operations "
             "they did",
             "",
             "Profile again with --set roofline, or with --set full of Nsight Compute 2025.1 or "
             "later."});
    if (uncounted.fp16)
        found.push_back(
            {ErrorCode::not_understood,
             "This kernel ran FP16 instructions that were not counted; its FLOPs are a lower bound", "",
             "Profile again with --set roofline."});
    return found;
}

}  // namespace roofwalk

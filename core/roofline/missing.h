// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/notice.h"
#include "core/model/profile.h"
#include "core/roofline/analysis.h"

namespace roofwalk {

/// One quantity a kernel lacks: what it is and which Nsight Compute metrics would give it.
struct MissingQuantity {
    std::string quantity;              ///< "FLOPs", "HBM traffic (HBM read+write)", "time"
    std::vector<std::string> metrics;  ///< metric names
    std::vector<Boundary> counted_at;  ///< other boundaries of a missing level that were counted
    std::string_view section = {};     ///< "section SpeedOfLight", of ncu, gives it; empty: metrics only
};

/// What a kernel lacks for the levels switched on; empty when nothing is missing.
[[nodiscard]] std::vector<MissingQuantity> missing_quantities(const Profile& profile,
                                                              const KernelPoint& point,
                                                              const Analysis& analysis);

/// "only FP32 was counted; FP64, FP16 and tensor work, if any, is missing"; empty where every pipe was
/// counted or is known to have been idle.
[[nodiscard]] std::string unchecked_words(const KernelPoint& point);

/// "counted: L2 to SMs, as the Nsight view shows"; empty where no other boundary was counted.
[[nodiscard]] std::string other_boundaries_words(const MissingQuantity& missing);

/// Each device of which no ceiling is known at all, or that is unnamed and has none of DRAM.
[[nodiscard]] std::vector<Notice> devices_without_ceilings(const Profile& profile, const Analysis& analysis,
                                                           Audience audience = Audience::commands);

/// Nsight Compute metrics that count the bytes of a boundary on a device.
[[nodiscard]] std::vector<std::string> metrics_of(Boundary boundary, const Device& device);
/// Metrics that count integer operations.
[[nodiscard]] std::vector<std::string> integer_metrics();
/// Metrics that count the arithmetic named.
[[nodiscard]] std::vector<std::string> metrics_of(const UncountedWork& work);

}  // namespace roofwalk

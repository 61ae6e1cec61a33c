// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "core/model/profile.h"

namespace roofwalk {

/// A unit of the memory path for which the profiler itself says how busy it was.
enum class MemoryUnit : std::uint8_t { l1tex, l2 };

/// "L1TEX", "L2".
[[nodiscard]] std::string_view label_of(MemoryUnit unit);
/// "l1tex__throughput.avg.pct_of_peak_sustained_elapsed": the share of its peak that the busiest part of the
/// unit reached, which need not be the part that moves bytes.
[[nodiscard]] std::string_view metric_of(MemoryUnit unit);

/// A share of the peak, 0 to 1, for each MemoryUnit; absent where the report has none.
using UnitThroughput = std::array<std::optional<double>, 2>;

struct BusyUnit {
    MemoryUnit unit = MemoryUnit::l1tex;
    double share = 0;
};

/// The busiest unit; absent when none is known.
[[nodiscard]] std::optional<BusyUnit> busiest(const UnitThroughput& throughput);

/// Reads the throughputs of launches. Looks the metrics up once for a whole profile.
class StoredThroughput {
  public:
    explicit StoredThroughput(const Profile& profile);

    /// Of a group the mean, weighted by time; absent when a measured launch lacks the metric or the time.
    [[nodiscard]] UnitThroughput of(std::span<const LaunchIndex> launches) const;

  private:
    const Profile& profile_;
    std::array<TextId, 2> metrics_;
};

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "profiler/plan/merge_launches.h"

namespace roofwalk {

/// merge_launches() for measurements that come one by one.
class LaunchMerger {
  public:
    explicit LaunchMerger(MergeTolerance tolerance) : tolerance_(tolerance) {}

    /// The launches of which more is known now: the measured one, completed by others, and earlier ones that
    /// it completes. One of plan C stands in the list only while no launch of its shape has plan A: its
    /// counters belong to those, and it has no time of its own.
    [[nodiscard]] std::vector<MergedLaunch> add(const PlanMeasurement& measurement);

    /// The last launch of the shape that has plan A; a launch that was not measured may stand with its
    /// figures.
    [[nodiscard]] std::optional<std::uint64_t> measured_alike(const LaunchShape& shape) const;

  private:
    struct OfShape {
        std::deque<PlanMeasurement> bases;  ///< plan A, the last ones
        std::vector<PlanMeasurement> completions;
    };

    [[nodiscard]] MergedLaunch completed(const PlanMeasurement& base, const OfShape& known) const;

    MergeTolerance tolerance_;
    std::map<LaunchShape, OfShape> shapes_;
};

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <span>
#include <utility>

#include "core/roofline/analysis.h"

namespace roofwalk {

using SharedCeilings = std::shared_ptr<const CeilingSet>;

/// A set of ceilings and how much it counts.
struct WeightedCeilings {
    SharedCeilings ceilings;
    double weight = 0;
};

/// One ceiling for each target: the weighted mean over the sets that have it from the source that is believed
/// first, at the measured clock before the boost clock. Equal sets are counted once, a single set is returned
/// as it is, and without any weight all count alike. Null for no sets.
[[nodiscard]] SharedCeilings blend_ceilings(std::span<const WeightedCeilings> sets);

/// Resolved ceilings of launches. Launches that share a device and a set of counters share the result.
class LaunchCeilings {
  public:
    LaunchCeilings(const Profile& profile, const AnalysisOptions& options)
        : profile_(profile), options_(options) {}

    [[nodiscard]] const SharedCeilings& of(const Launch& launch);
    /// Of a group: its launches' ceilings weighted by their time; launches that failed only count where all
    /// did.
    [[nodiscard]] SharedCeilings of(std::span<const LaunchIndex> launches);

  private:
    const Profile& profile_;
    const AnalysisOptions& options_;
    std::map<std::pair<DeviceIndex, const CeilingSet*>, SharedCeilings> resolved_;
};

}  // namespace roofwalk

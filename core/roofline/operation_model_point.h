// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "core/model/profile.h"
#include "core/roofline/group_totals.h"

namespace roofwalk {

/// Where the time of launches was taken and nothing was counted, gives the totals the work and the HBM bytes
/// that their operations need (W_alg and Q_min), as modelled ones. False, and nothing is changed, where
/// something was counted, or a launch has no time or no operation.
[[nodiscard]] bool fill_from_operation_model(GroupTotals& totals, const Profile& profile,
                                             std::span<const LaunchIndex> launches,
                                             const CeilingSet& ceilings, const AnalysisOptions& options);

}  // namespace roofwalk

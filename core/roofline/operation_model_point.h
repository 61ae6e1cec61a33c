// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "core/model/profile.h"
#include "core/roofline/group_totals.h"

namespace roofwalk {

/// What the operations of launches stand for.
struct ModelledParts {
    bool work = false;
    bool bytes = false;  ///< of HBM
};

/// Where the time of launches was taken, and no work or no bytes of HBM counted, gives the totals the work or
/// the HBM bytes that their operations need (W_alg and Q_min), as modelled ones. Nothing where a
/// launch has no time or no operation, or only some of them were counted.
[[nodiscard]] ModelledParts fill_from_operation_model(GroupTotals& totals, const Profile& profile,
                                                      std::span<const LaunchIndex> launches,
                                                      const CeilingSet& ceilings,
                                                      const AnalysisOptions& options);

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/source/measuring_offer.h"
#include "profiler/measure/ceiling_cache.h"

namespace roofwalk {

/// What this user keeps, and whether it still holds: of boards of this machine, by their driver, power limit
/// and clocks as they are now; of others by the version of the benchmarks alone.
[[nodiscard]] KeptOffer kept_ceilings();

/// Keeps a measurement where later reports find it, unless one that still holds would go for a stale one, or
/// a whole one that holds for one that was cut. Errors: write_failed.
[[nodiscard]] Result<Keeping> keep_ceilings(const MeasuredCeilings& measured);
/// `here`: the board as it is now; absent where it is not in this machine.
[[nodiscard]] Result<Keeping> keep_ceilings(const MeasuredCeilings& measured,
                                            const std::optional<CeilingCache>& cache,
                                            const std::optional<MeasuredDevice>& here);

}  // namespace roofwalk

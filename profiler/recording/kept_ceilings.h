// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "core/import/measuring_offer.h"
#include "profiler/recording/ceiling_cache.h"

namespace roofwalk {

/// Which of those that are kept somebody has a use for; empty: all.
using WantedCeilings = std::function<bool(const std::shared_ptr<const MeasuredCeilings>& kept)>;

/// What this user keeps, and whether it still holds: of boards of this machine, by their driver, power limit,
/// clocks and ECC as they are now, which takes a moment to find out; of others by the version of the
/// benchmarks alone.
[[nodiscard]] KeptOffer kept_ceilings(const WantedCeilings& wanted = {});
/// `root` holds proc/.
[[nodiscard]] KeptOffer kept_ceilings(const WantedCeilings& wanted, const std::optional<CeilingCache>& cache,
                                      const std::filesystem::path& root);

/// Keeps a measurement where later reports find it, unless one that still holds would go for a stale one, or
/// a whole one that holds for one that was cut. Errors: write_failed.
[[nodiscard]] Result<Keeping> keep_ceilings(const MeasuredCeilings& measured);
/// `here`: the board as it is now; absent where it is not in this machine.
[[nodiscard]] Result<Keeping> keep_ceilings(const MeasuredCeilings& measured,
                                            const std::optional<CeilingCache>& cache,
                                            const std::optional<MeasuredDevice>& here);

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/measure/kept_ceilings.h"

#include <algorithm>
#include <utility>

#include "profiler/measure/board_here.h"

namespace roofwalk {

KeptOffer kept_ceilings() {
    KeptOffer offer;
    const auto cache = CeilingCache::of_user();
    if (!cache) return offer;
    CeilingCache::Kept kept = cache->read();
    offer.problems = std::move(kept.problems);
    for (MeasuredCeilings& measured : kept.measured) {
        const MeasuredDevice now = board_here(measured.device.device.uuid).value_or(MeasuredDevice{});
        std::vector<std::string> stale = why_stale(measured, now);
        offer.kept.push_back(
            {std::make_shared<const MeasuredCeilings>(std::move(measured)), std::move(stale)});
    }
    return offer;
}

Result<std::string> keep_ceilings(const MeasuredCeilings& measured) {
    return keep_ceilings(measured, CeilingCache::of_user());
}

Result<std::string> keep_ceilings(const MeasuredCeilings& measured,
                                  const std::optional<CeilingCache>& cache) {
    if (!cache)
        return tl::unexpected(Error{ErrorCode::write_failed,
                                    "The measured ceilings are not kept",
                                    {},
                                    "Neither XDG_DATA_HOME nor HOME names a folder for them."});
    const CeilingCache::Kept before = cache->read();
    const bool whole_is_kept = std::ranges::any_of(before.measured, [&](const MeasuredCeilings& kept) {
        return kept.complete && kept.device.device.uuid == measured.device.device.uuid &&
               why_stale(kept, measured.device).empty();
    });
    if (!measured.complete && whole_is_kept)
        return "A whole measurement of this board is kept already: this one, which was cut, does not replace "
               "it.";
    return cache->keep(measured).map([](const std::filesystem::path& file) {
        return "Kept in " + file.string() + "; reports of this board use it from now on.";
    });
}

}  // namespace roofwalk

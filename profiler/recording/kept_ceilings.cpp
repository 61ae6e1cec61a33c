// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/kept_ceilings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "profiler/recording/boards_here.h"

namespace roofwalk {

KeptOffer kept_ceilings(const WantedCeilings& wanted) {
    return kept_ceilings(wanted, CeilingCache::of_user(), "/");
}

KeptOffer kept_ceilings(const WantedCeilings& wanted, const std::optional<CeilingCache>& cache,
                        const std::filesystem::path& root) {
    KeptOffer offer;
    if (!cache) return offer;
    CeilingCache::Kept kept = cache->read();
    offer.problems = std::move(kept.problems);
    std::set<std::string> uuids;
    for (MeasuredCeilings& measured : kept.measured) {
        auto shared = std::make_shared<const MeasuredCeilings>(std::move(measured));
        if (wanted && !wanted(shared)) continue;
        uuids.insert(shared->device.device.uuid);
        offer.kept.push_back({std::move(shared), {}});
    }
    const auto boards = boards_here(uuids, root);
    for (KeptCeilings& each : offer.kept) {
        const auto board = boards.find(each.measured->device.device.uuid);
        each.here = board != boards.end();
        each.stale = why_stale(*each.measured, each.here ? board->second : MeasuredDevice{});
        if (each.here) each.not_compared = not_compared(*each.measured, board->second);
    }
    return offer;
}

Result<Keeping> keep_ceilings(const MeasuredCeilings& measured) {
    const std::string& uuid = measured.device.device.uuid;
    const auto boards = boards_here({uuid});
    const auto here = boards.find(uuid);
    return keep_ceilings(measured, CeilingCache::of_user(),
                         here == boards.end() ? std::nullopt : std::optional(here->second));
}

Result<Keeping> keep_ceilings(const MeasuredCeilings& measured, const std::optional<CeilingCache>& cache,
                              const std::optional<MeasuredDevice>& here) {
    if (!cache)
        return tl::unexpected(Error{ErrorCode::write_failed,
                                    "The measured ceilings are not kept",
                                    {},
                                    "Neither XDG_DATA_HOME nor HOME names a folder for them."});
    const CeilingCache::Kept before = cache->read();
    const auto is_kept_and_holds = [&](const MeasuredDevice& now, bool whole) {
        return std::ranges::any_of(before.measured, [&](const MeasuredCeilings& kept) {
            return (kept.complete || !whole) && kept.device.device.uuid == measured.device.device.uuid &&
                   why_stale(kept, now).empty();
        });
    };
    const MeasuredDevice now = here.value_or(MeasuredDevice{});
    const std::string reasons = fmt::format("{}", fmt::join(why_stale(measured, now), " "));
    if (!reasons.empty() && is_kept_and_holds(now, false))
        return Keeping{
            "This measurement is stale, and does not replace the one of this board that is kept and "
            "holds. " +
                reasons,
            false};
    // Of a board that is elsewhere nothing newer is known than what was found when it was measured.
    if (!measured.complete && is_kept_and_holds(here.value_or(measured.device), true))
        return Keeping{
            "A whole measurement of this board is kept already: this one, which was cut, does not "
            "replace it.",
            false};
    return cache->keep(measured).map([&](const std::filesystem::path& file) {
        if (!reasons.empty())
            return Keeping{"Kept in " + file.string() + ", stale and not used. " + reasons, false};
        return Keeping{"Kept in " + file.string() + "; reports of this board use it from now on.", true};
    });
}

}  // namespace roofwalk

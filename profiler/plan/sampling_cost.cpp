// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/plan/sampling_cost.h"

#include <fmt/format.h>

#include <algorithm>

#include "profiler/wire/record.h"

namespace roofwalk {

namespace {

/// 0 where the chip has no such plan.
std::uint64_t passes_of_plan(const ChipPasses& passes, PlanKind kind) {
    const auto found = std::ranges::find_if(
        passes.alone, [&](const PassCount& count) { return count.plans.front() == kind; });
    return found == passes.alone.end() ? 0 : found->passes;
}

}  // namespace

SamplingCost cost_of_sampling(const ChipPasses& passes, std::uint64_t launches, bool every, Replay replay) {
    const wire::Orders orders;
    SamplingCost cost;
    cost.launches = launches;
    std::uint64_t left = launches;
    const auto measure = [&](std::uint64_t wanted, PlanKind kind) {
        const std::uint64_t each = passes_of_plan(passes, kind);
        const std::uint64_t taken = each == 0 ? 0 : std::min(wanted, left);
        left -= taken;
        cost.measured += taken;
        cost.executions += taken * each;
    };
    const PlanKind later = replay == Replay::always ? PlanKind::replay : PlanKind::memory;
    measure(1, replay == Replay::never ? PlanKind::memory : PlanKind::replay);
    if (replay == Replay::never) measure(1, PlanKind::work);
    measure(1, PlanKind::tensor);
    if (every) {
        measure(left, later);
        return cost;
    }
    measure(orders.memory_first - 1, later);
    measure(left / orders.memory_every, later);
    return cost;
}

std::string words_for(const ChipPasses& passes) {
    const std::uint64_t memory = passes_of_plan(passes, PlanKind::memory);
    std::string words = fmt::format("{} {} for time and bytes, {} for FLOP", memory,
                                    memory == 1 ? "pass" : "passes", passes_of_plan(passes, PlanKind::work));
    if (const std::uint64_t both = passes_of_plan(passes, PlanKind::replay); both > 0)
        words += fmt::format(", {} for both on one launch", both);
    const std::uint64_t tensor = passes_of_plan(passes, PlanKind::tensor);
    std::uint64_t of_warps = 0;
    for (const PlanKind plan : warp_tensor_plans)
        of_warps += passes_of_plan(passes, plan);
    if (tensor > 0) words += fmt::format(", {} for tensor types", tensor);
    if (of_warps > 0) words += fmt::format(" of warp groups, {} for those of single warps", of_warps);
    return words;
}

}  // namespace roofwalk

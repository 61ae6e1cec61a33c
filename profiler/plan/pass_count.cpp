// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/plan/pass_count.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "profiler/wire/record.h"

namespace roofwalk {

namespace {

Result<PassCount> count(const CuptiHost& host, const Chip& chip,
                        const std::vector<const MetricPlan*>& plans) {
    const std::vector<std::string> metrics = metrics_of(plans);
    const auto image = host.config_image(std::string(chip.name), metrics);
    if (!image) return tl::unexpected(image.error());
    const auto passes = host.pass_count(*image);
    if (!passes) return tl::unexpected(passes.error());
    PassCount counted{{}, metrics.size(), *passes};
    for (const MetricPlan* plan : plans)
        counted.plans.push_back(plan->kind);
    return counted;
}

/// 0 where the chip has no such plan.
std::uint64_t passes_of_plan(const ChipPasses& passes, PlanKind kind) {
    const auto found = std::ranges::find_if(
        passes.alone, [&](const PassCount& count) { return count.plans.front() == kind; });
    return found == passes.alone.end() ? 0 : found->passes;
}

}  // namespace

Result<ChipPasses> count_passes(const CuptiHost& host, const Chip& chip) {
    const std::vector<MetricPlan> plans = metric_plans(chip);
    ChipPasses passes;
    passes.replay_has_types = replay_has_types(plans);
    for (const MetricPlan& plan : plans) {
        const auto counted = count(host, chip, {&plan});
        if (!counted) return tl::unexpected(counted.error());
        passes.alone.push_back(*counted);
    }
    const auto count_together = [&](std::initializer_list<PlanKind> kinds) -> Result<void> {
        std::vector<const MetricPlan*> chosen;
        for (const MetricPlan& plan : plans)
            if (std::ranges::find(kinds, plan.kind) != kinds.end()) chosen.push_back(&plan);
        if (chosen.size() < kinds.size()) return {};
        const auto counted = count(host, chip, chosen);
        if (!counted) return tl::unexpected(counted.error());
        passes.together.push_back(*counted);
        return {};
    };
    if (const auto done = count_together({PlanKind::memory, PlanKind::tensor, PlanKind::work}); !done)
        return tl::unexpected(done.error());
    return passes;
}

SamplingCost cost_of_sampling(const ChipPasses& passes, std::uint64_t launches, bool every,
                              ReplayPolicy replay) {
    const wire::Orders orders;
    SamplingCost cost;
    cost.launches = launches;
    std::uint64_t left = launches;
    const auto measure = [&](std::uint64_t wanted, PlanKind kind) -> std::uint64_t {
        const std::uint64_t each = passes_of_plan(passes, kind);
        const std::uint64_t taken = each == 0 ? 0 : std::min(wanted, left);
        left -= taken;
        cost.measured += taken;
        cost.executions += taken * each;
        return taken;
    };
    measure(1, replay == ReplayPolicy::never ? PlanKind::memory : PlanKind::replay);
    if (replay == ReplayPolicy::never) measure(1, PlanKind::work);
    const bool has_types = replay != ReplayPolicy::never && passes.replay_has_types;
    const bool changes = !has_types && measure(1, PlanKind::tensor) > 0;
    std::uint64_t replayed = replay == ReplayPolicy::always             ? launches
                             : replay == ReplayPolicy::never || changes ? 0
                                                                        : wire::most_replayed_on;
    const auto measure_later = [&](std::uint64_t wanted) {
        const std::uint64_t taken = measure(std::min(wanted, replayed), PlanKind::replay);
        replayed -= taken;
        measure(wanted - taken, PlanKind::memory);
    };
    if (every) {
        measure_later(left);
        return cost;
    }
    measure_later(orders.memory_first - 1);
    measure_later(left / orders.memory_every);
    return cost;
}

std::string words_for(const ChipPasses& passes) {
    const std::uint64_t memory = passes_of_plan(passes, PlanKind::memory);
    std::string words = fmt::format("{} {} for time and bytes, {} for FLOP", memory,
                                    memory == 1 ? "pass" : "passes", passes_of_plan(passes, PlanKind::work));
    const std::uint64_t tensor = passes_of_plan(passes, PlanKind::tensor);
    std::uint64_t of_warps = 0;
    for (const PlanKind plan : warp_tensor_plans)
        of_warps += passes_of_plan(passes, plan);
    if (tensor > 0) words += fmt::format(", {} for tensor types", tensor);
    if (of_warps > 0) words += fmt::format(" of warp groups, {} for those of single warps", of_warps);
    if (const std::uint64_t all = passes_of_plan(passes, PlanKind::replay); all > 0)
        words += fmt::format("; {} for a launch that is replayed", all);
    return words;
}

}  // namespace roofwalk

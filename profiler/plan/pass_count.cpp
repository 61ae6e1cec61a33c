// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/plan/pass_count.h"

#include <algorithm>
#include <initializer_list>

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

}  // namespace roofwalk

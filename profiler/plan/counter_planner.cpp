// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/plan/counter_planner.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace roofwalk {

Result<ConfigImage> CuptiPlanner::image_of(const std::string& chip, const std::vector<std::string>& metrics,
                                           std::span<const std::uint8_t> availability) const {
    const ConfigKey key{host_.version(), chip, metrics, {availability.begin(), availability.end()}};
    if (cache_)
        if (auto kept = cache_->find(key)) return *std::move(kept);
    auto image = host_.config_image(chip, metrics, availability);
    // A cache that cannot be written costs time and nothing else.
    if (image && cache_) std::ignore = cache_->keep(key, *image);
    return image;
}

std::optional<Error> CuptiPlanner::drop_unknown(const std::string& chip, MetricPlan& plan) const {
    const auto unknown = host_.unknown_metrics(chip, plan.metrics);
    if (!unknown || unknown->empty() || unknown->size() == plan.metrics.size()) return std::nullopt;
    std::erase_if(plan.metrics, [&](const std::string& metric) {
        return std::ranges::find(*unknown, metric) != unknown->end();
    });
    return Error{ErrorCode::unsupported_version,
                 fmt::format("This CUPTI does not know {} of plan {}: what rests on it is not counted",
                             fmt::join(*unknown, ", "), letter_of(plan.kind)),
                 "chip " + chip, "Use the CUPTI of a newer CUDA toolkit; --cupti names it."};
}

Result<DeviceCounters> CuptiPlanner::counters_of(const std::string& chip,
                                                 std::span<const std::uint8_t> availability) {
    const Chip* known = find_chip(chip);
    if (known == nullptr)
        return tl::unexpected(Error{ErrorCode::unsupported_version,
                                    fmt::format("There are no counter plans for the chip {}", chip), "",
                                    "Its kernels are timed. A newer Roofwalk may know the chip."});
    DeviceCounters counters;
    for (MetricPlan& plan : metric_plans(*known)) {
        auto image = image_of(chip, plan.metrics, availability);
        if (!image)
            if (auto dropped = drop_unknown(chip, plan)) {
                if (plan.kind != PlanKind::replay) counters.left_out.push_back(*std::move(dropped));
                image = image_of(chip, plan.metrics, availability);
            }
        const auto passes = image.and_then([&](const ConfigImage& bytes) { return host_.pass_count(bytes); });
        if (passes)
            counters.plans.push_back({plan.kind, std::move(plan.metrics), *std::move(image), *passes});
        else if (plan.kind != PlanKind::replay)  // A and C have said it
            counters.left_out.push_back(passes.error());
    }
    if (counters.plans.empty()) return tl::unexpected(counters.left_out.front());
    return counters;
}

Result<std::map<std::string, double>> CuptiPlanner::evaluate(const std::string& chip,
                                                             std::span<const std::uint8_t> availability,
                                                             std::span<const std::uint8_t> counter_data,
                                                             std::size_t range,
                                                             std::span<const std::string> metrics) {
    return host_.evaluate(chip, availability, counter_data, range, metrics);
}

}  // namespace roofwalk

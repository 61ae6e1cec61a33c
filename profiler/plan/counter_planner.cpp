// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/plan/counter_planner.h"

#include <fmt/format.h>

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
        const auto passes = image.and_then([&](const ConfigImage& bytes) { return host_.pass_count(bytes); });
        if (passes)
            counters.plans.push_back({plan.kind, std::move(plan.metrics), *std::move(image), *passes});
        else
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/roofline/unit_throughput.h"

#include <algorithm>

namespace roofwalk {

namespace {

constexpr std::array<std::string_view, hardware_unit_count> labels{"SM", "L1TEX", "L2", "Memory"};
constexpr std::array<std::string_view, hardware_unit_count> ids{"sm", "l1tex", "l2", "memory"};
constexpr std::array<std::string_view, hardware_unit_count> metrics{
    "sm__throughput.avg.pct_of_peak_sustained_elapsed", "l1tex__throughput.avg.pct_of_peak_sustained_elapsed",
    "lts__throughput.avg.pct_of_peak_sustained_elapsed",
    "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"};

std::optional<double> mean_of(const Profile& profile, std::span<const LaunchIndex> launches, TextId metric) {
    double sum = 0;
    double time = 0;
    for (const LaunchIndex index : launches) {
        const Launch& launch = profile.at(index);
        if (launch.failed) continue;
        const auto sample = std::ranges::find(launch.metrics, metric, &MetricSample::name);
        if (sample == launch.metrics.end() || !launch.duration) return std::nullopt;
        sum += sample->value / 100 * launch.duration->value();
        time += launch.duration->value();
    }
    return time > 0 ? std::optional(sum / time) : std::nullopt;
}

}  // namespace

std::string_view label_of(HardwareUnit unit) {
    return labels[static_cast<std::size_t>(unit)];
}

std::string_view id_of(HardwareUnit unit) {
    return ids[static_cast<std::size_t>(unit)];
}

std::string_view metric_of(HardwareUnit unit) {
    return metrics[static_cast<std::size_t>(unit)];
}

std::optional<BusyUnit> busiest(const UnitThroughput& throughput) {
    std::optional<BusyUnit> most;
    for (const HardwareUnit unit : all_hardware_units)
        if (const auto& share = throughput[static_cast<std::size_t>(unit)])
            if (!most || *share > most->share) most = BusyUnit{unit, *share};
    return most;
}

StoredThroughput::StoredThroughput(const Profile& profile) : profile_(profile), metrics_{} {
    std::ranges::transform(metrics, metrics_.begin(),
                           [&](std::string_view name) { return profile.texts.find(name); });
}

UnitThroughput StoredThroughput::of(std::span<const LaunchIndex> launches) const {
    UnitThroughput throughput;
    for (std::size_t i = 0; i < metrics_.size(); ++i)
        if (metrics_[i] != TextId::none) throughput[i] = mean_of(profile_, launches, metrics_[i]);
    return throughput;
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/plan/launch_merger.h"

#include <algorithm>

namespace roofwalk {

namespace {

/// Launches with plan A that a later plan may still complete; with more of them a program that repeats one
/// kernel for hours would fill the memory.
constexpr std::size_t most_bases = 64;

}  // namespace

MergedLaunch LaunchMerger::completed(const PlanMeasurement& base, const OfShape& known) const {
    std::vector<PlanMeasurement> all{base};
    all.insert(all.end(), known.completions.begin(), known.completions.end());
    const std::vector<MergedLaunch> merged = merge_launches(all, tolerance_);
    return *std::ranges::find_if(
        merged, [&](const MergedLaunch& launch) { return launch.launches.front() == base.launch; });
}

std::vector<MergedLaunch> LaunchMerger::add(const PlanMeasurement& measurement) {
    OfShape& known = shapes_[measurement.shape];
    if (measurement.plan == PlanKind::memory) {
        known.bases.push_back(measurement);
        if (known.bases.size() > most_bases) known.bases.pop_front();
        return {completed(measurement, known)};
    }
    known.completions.push_back(measurement);
    std::vector<MergedLaunch> changed;
    std::optional<MergedLaunch> nearest;
    for (const PlanMeasurement& base : known.bases) {
        MergedLaunch launch = completed(base, known);
        const bool uses_it = std::ranges::find(launch.launches, measurement.launch) != launch.launches.end();
        nearest = launch;
        if (uses_it) changed.push_back(std::move(launch));
    }
    if (measurement.plan == PlanKind::work && nearest) return changed;
    MergedLaunch itself{{measurement.launch}, {measurement.plan}, measurement.values, {true}};
    if (nearest && likeness(known.bases.back(), measurement, tolerance_).alike()) {
        for (std::size_t i = 0; i < nearest->launches.size(); ++i)
            if (nearest->launches[i] != measurement.launch) {
                itself.launches.push_back(nearest->launches[i]);
                itself.plans.push_back(nearest->plans[i]);
                itself.agreeing.push_back(i == 0 || nearest->agreeing[i]);
            }
        itself.values.insert(nearest->values.begin(), nearest->values.end());
    }
    changed.push_back(std::move(itself));
    return changed;
}

std::optional<std::uint64_t> LaunchMerger::measured_alike(const LaunchShape& shape) const {
    const auto known = shapes_.find(shape);
    if (known == shapes_.end() || known->second.bases.empty()) return std::nullopt;
    return known->second.bases.back().launch;
}

}  // namespace roofwalk

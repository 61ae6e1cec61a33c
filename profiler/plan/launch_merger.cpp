// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/plan/launch_merger.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace roofwalk {

namespace {

/// What plan A shares with B, D, F and G, and how its unit becomes bytes; 0 for times.
struct SharedQuantity {
    std::string_view metric;
    double bytes_each;
};

constexpr SharedQuantity shared_quantities[] = {
    {"gpu__time_duration.sum", 0},  {"dram__bytes_read.sum", 1},     {"dram__bytes_write.sum", 1},
    {"dram__bytes_op_read.sum", 1}, {"dram__bytes_op_write.sum", 1}, {"lts__t_sectors_srcunit_tex.sum", 32},
};

bool agree(const SharedQuantity& quantity, double a, double b, const MergeTolerance& tolerance) {
    const double difference = std::abs(a - b);
    const double larger = std::max(std::abs(a), std::abs(b));
    if (quantity.bytes_each == 0) return difference <= tolerance.time * larger;
    return difference <= tolerance.bytes * larger ||
           difference * quantity.bytes_each <= tolerance.smallest_bytes;
}

/// Instructions and wavefronts follow from what a launch does, and not from caches or clocks: a product with
/// twice the K has twice as many in the same geometry.
bool is_steady(std::string_view metric) {
    return metric == "sm__inst_executed_pipe_tensor.sum" ||
           (metric.starts_with("l1tex__data_pipe_lsu_wavefronts") && metric.ends_with(".sum"));
}

bool do_the_same(const PlanMeasurement& a, const PlanMeasurement& b, const MergeTolerance& tolerance) {
    if (!a.op.empty() && a.op == b.op) return true;
    return std::ranges::all_of(a.values, [&](const auto& value) {
        const auto other = is_steady(value.first) ? b.values.find(value.first) : b.values.end();
        return other == b.values.end() || std::abs(value.second - other->second) <=
                                              tolerance.bytes * std::max(value.second, other->second);
    });
}

std::uint64_t distance(std::uint64_t a, std::uint64_t b) {
    return a < b ? b - a : a - b;
}

/// Launches with plan A that a later plan may still complete; with more of them a program that repeats one
/// kernel for hours would fill the memory.
constexpr std::size_t most_bases = 64;

}  // namespace

MergeSimilarity likeness(const PlanMeasurement& a, const PlanMeasurement& b,
                         const MergeTolerance& tolerance) {
    MergeSimilarity found;
    found.same_shape = a.shape == b.shape;
    for (const SharedQuantity& quantity : shared_quantities) {
        const std::string name(quantity.metric);
        const auto first = a.values.find(name);
        const auto second = b.values.find(name);
        if (first == a.values.end() || second == b.values.end()) continue;
        found.overlap = true;
        if (found.conflict || agree(quantity, first->second, second->second, tolerance)) continue;
        found.conflict = MergeConflict{name, first->second, second->second};
    }
    return found;
}

std::vector<MergedLaunch> merge_launches(const std::vector<PlanMeasurement>& measurements,
                                         const MergeTolerance& tolerance) {
    std::map<LaunchShape, std::vector<std::size_t>> completions;  // all but plan A; of E its work
    for (std::size_t i = 0; i < measurements.size(); ++i)
        if (measurements[i].plan != PlanKind::memory) completions[measurements[i].shape].push_back(i);

    std::vector<bool> used(measurements.size(), false);
    const auto nearest_alike = [&](const PlanMeasurement& base, PlanKind plan) -> std::optional<std::size_t> {
        const auto of_shape = completions.find(base.shape);
        if (of_shape == completions.end()) return std::nullopt;
        std::optional<std::size_t> best;
        for (const std::size_t i : of_shape->second) {
            const PlanMeasurement& other = measurements[i];
            // However long a launch takes.
            const bool gives_work = plan == PlanKind::work && other.plan == PlanKind::replay &&
                                    do_the_same(base, other, tolerance);
            const bool fits = gives_work || (other.plan == plan && likeness(base, other, tolerance).alike());
            if (!fits) continue;
            if (!best ||
                distance(other.launch, base.launch) < distance(measurements[*best].launch, base.launch))
                best = i;
        }
        return best;
    };
    std::vector<MergedLaunch> merged;
    const auto begin = [&](const PlanMeasurement& base) -> MergedLaunch& {
        return merged.emplace_back(MergedLaunch{{base.launch}, {base.plan}, base.values, {true}});
    };
    for (const PlanMeasurement& base : measurements) {
        if (!is_base(base.plan)) continue;
        MergedLaunch& launch = begin(base);
        for (const PlanKind plan : {PlanKind::tensor, PlanKind::work, PlanKind::warp_tensor,
                                    PlanKind::warp_tensor_half, PlanKind::warp_tensor_integer}) {
            if (plan == PlanKind::work && base.plan == PlanKind::replay) continue;
            const auto found = nearest_alike(base, plan);
            if (!found) continue;
            used[*found] = true;
            const PlanMeasurement& other = measurements[*found];
            launch.launches.push_back(other.launch);
            launch.plans.push_back(other.plan);
            launch.values.insert(other.values.begin(), other.values.end());
            const MergeSimilarity like = likeness(base, other, tolerance);
            launch.agreeing.push_back(like.overlap && like.alike());
        }
    }
    for (const auto& of_shape : completions)
        for (const std::size_t i : of_shape.second)
            if (!used[i] && !is_base(measurements[i].plan)) begin(measurements[i]);
    std::ranges::sort(merged, {}, [](const MergedLaunch& launch) { return launch.launches.front(); });
    return merged;
}

MergedLaunch LaunchMerger::completed(const PlanMeasurement& base, const OfShape& known) const {
    std::vector<PlanMeasurement> all{base};
    std::ranges::copy_if(known.completions, std::back_inserter(all),
                         [&](const PlanMeasurement& completion) { return completion.launch != base.launch; });
    const std::vector<MergedLaunch> merged = merge_launches(all, tolerance_);
    return *std::ranges::find_if(
        merged, [&](const MergedLaunch& launch) { return launch.launches.front() == base.launch; });
}

std::vector<MergedLaunch> LaunchMerger::add_base(const PlanMeasurement& measurement, OfShape& known) const {
    // One plan E completes the launches with plan A that do the same; where every launch has E, none needs
    // another.
    const bool completes =
        measurement.plan == PlanKind::replay && known.completions.size() < most_bases &&
        std::ranges::none_of(known.completions, [&](const PlanMeasurement& other) {
            return other.plan == PlanKind::replay && do_the_same(other, measurement, tolerance_);
        });
    if (completes) known.completions.push_back(measurement);
    std::vector<MergedLaunch> changed{completed(measurement, known)};
    if (completes)
        for (const PlanMeasurement& base : known.bases)
            if (MergedLaunch launch = completed(base, known);
                std::ranges::find(launch.launches, measurement.launch) != launch.launches.end())
                changed.push_back(std::move(launch));
    known.bases.push_back(measurement);
    if (known.bases.size() > most_bases) known.bases.pop_front();
    return changed;
}

std::vector<MergedLaunch> LaunchMerger::add(const PlanMeasurement& measurement) {
    OfShape& known = shapes_[measurement.shape];
    if (is_base(measurement.plan)) return add_base(measurement, known);
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

std::optional<std::uint64_t> LaunchMerger::measured_alike(const LaunchShape& shape,
                                                          std::string_view op) const {
    const auto known = shapes_.find(shape);
    if (known == shapes_.end() || known->second.bases.empty()) return std::nullopt;
    const std::deque<PlanMeasurement>& bases = known->second.bases;
    const auto like = [&](auto is_like) { return std::find_if(bases.rbegin(), bases.rend(), is_like); };
    auto same = like([&](const PlanMeasurement& base) { return base.op == op; });
    if (same == bases.rend())
        same = like([&](const PlanMeasurement& base) { return op.empty() || base.op.empty(); });
    return same != bases.rend() ? std::optional(same->launch) : std::nullopt;
}

}  // namespace roofwalk

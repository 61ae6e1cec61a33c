// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/roofline/horizontal_gap.h"

#include <algorithm>
#include <cmath>

#include "core/operations/op_model.h"
#include "core/roofline/analysis.h"
#include "core/roofline/group_totals.h"
#include "core/roofline/point_bounds.h"

namespace roofwalk {

namespace {

Flops work_of(const OperationModel& model, OperationClass operations) {
    Flops sum;
    for (const PipeWork& part : model.work)
        if (counts_into_work(part.pipe, operations)) sum += part.work;
    return sum;
}

/// Sums over the measured launches.
std::optional<AlgorithmicTarget> needs_of(const Profile& profile, std::span<const LaunchIndex> launches,
                                          const AnalysisOptions& options) {
    AlgorithmicTarget target;
    std::vector<const BoundOperation*> seen;
    for (const LaunchIndex index : launches) {
        if (profile.at(index).failed) continue;
        auto operation = options.launch_operations->of(index);
        if (!operation) {
            ++target.not_bound;
            continue;
        }
        ++target.bound;
        target.work += work_of(*operation->model, options.operations);
        target.bytes += operation->model->compulsory();
        if (seen.empty() || seen.back() != operation.get()) seen.push_back(operation.get());
        if (!target.operation) target.operation = std::move(operation);
    }
    if (!target.operation) return std::nullopt;
    std::ranges::sort(seen);
    target.operations = static_cast<std::uint32_t>(std::unique(seen.begin(), seen.end()) - seen.begin());
    return target;
}

/// Gx, its end and its ceiling: T / T', with T' the speed-of-light time once HBM carries `bytes`.
void add_useful_part(const KernelPoint& point, Bytes bytes, AlgorithmicTarget& target) {
    const auto& hbm = point.at(MemoryLevel::hbm);
    if (!hbm->ceiling || !point.speed_of_light) return;
    const BindingBound rest = largest_bound_beside_hbm(point);
    const Seconds on_hbm = bytes / *hbm->ceiling;
    const bool hbm_binds = on_hbm >= rest.bound;
    const Seconds at_place = std::max(on_hbm, rest.bound);
    target.binding = hbm_binds ? CeilingTarget(hbm->boundary) : *rest.target;
    target.useful = *point.speed_of_light / at_place;
    if (!hbm_binds && point.work && point.work->value() > 0)
        target.useful_until = *point.work / (rest.bound * *hbm->ceiling);
    if (point.gap) target.potential = point.gap->factor * *target.useful;
}

}  // namespace

std::optional<bool> moves_needed_bytes_only(const KernelPoint& point) {
    if (!point.target || !point.target->byte_gap) return std::nullopt;
    return std::max(*point.target->byte_gap, point.target->useful.value_or(1)) < noticeable_gap;
}

bool counts_same_work(const AlgorithmicTarget& target) {
    return !target.work_ratio || std::abs(*target.work_ratio - 1) <= same_work;
}

void settle_target(const KernelPoint& point, AlgorithmicTarget& target) {
    target.intensity.reset();
    target.place.reset();
    target.gap.reset();
    target.byte_gap.reset();
    target.work_ratio.reset();
    target.useful.reset();
    target.useful_until.reset();
    target.binding.reset();
    target.potential.reset();
    if (target.not_bound > 0) return;
    if (target.work.value() > 0) target.intensity = target.work / target.bytes;
    // Its figures are those of the operation: there is nothing to compare them with.
    if (point.modelled || point.modelled_bytes) return;
    const bool work_known = point.work && point.work->value() > 0 && !point.uncounted.any();
    if (work_known && target.work.value() > 0) target.work_ratio = *point.work / target.work;
    const bool other_work = !counts_same_work(target);
    target.place = other_work ? std::optional(*point.work / target.bytes) : target.intensity;

    const auto& hbm = point.at(MemoryLevel::hbm);
    if (!hbm) return;
    target.byte_gap = hbm->bytes / target.bytes;
    if (target.place && work_known && hbm->intensity) target.gap = *target.place / *hbm->intensity;
    // The bytes at which a kernel with this W stands there.
    add_useful_part(point, target.bytes * (other_work ? 1 : target.work_ratio.value_or(1)), target);
}

std::optional<AlgorithmicTarget> target_of(const KernelPoint& point, const Profile& profile,
                                           std::span<const LaunchIndex> launches,
                                           const AnalysisOptions& options) {
    if (!options.launch_operations) return std::nullopt;
    auto target = needs_of(profile, launches, options);
    if (target) settle_target(point, *target);
    return target;
}

}  // namespace roofwalk

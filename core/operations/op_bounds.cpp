// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/op_bounds.h"

#include "core/roofline/group_totals.h"
#include "core/roofline/point_bounds.h"

namespace roofwalk {

namespace {

GroupTotals totals_of(const OperationModel& model, const CeilingSet& ceilings) {
    GroupTotals totals;
    for (const PipeWork& part : model.work)
        totals.pipes.push_back({.pipe = pipe_on(part, ceilings),
                                .origin = Origin::modelled,
                                .work = part.work,
                                .ceiling = {},
                                .bound = {}});
    for (const MemoryLevel level : {MemoryLevel::hbm, MemoryLevel::l2})
        totals.traffic[level] = {Origin::modelled, model.moved()};
    return totals;
}

KernelClass class_of(const std::optional<CeilingTarget>& binding) {
    if (!binding) return KernelClass::not_measured;
    return std::holds_alternative<Boundary>(*binding) ? KernelClass::memory_bound
                                                      : KernelClass::compute_bound;
}

}  // namespace

KernelPoint bounds_of(const OperationModel& model, const Device& device, const AnalysisOptions& options) {
    AnalysisOptions of_model = options;
    of_model.operations = counts_integers(model) ? OperationClass::all : OperationClass::floating;
    KernelPoint point;
    point.name = to_text(model);
    point.ceilings = std::make_shared<const CeilingSet>(resolve_ceilings(
        device, nullptr, options.clock, overrides_of(options, device), measured_of(options, device)));
    apply_totals(totals_of(model, *point.ceilings), of_model, point);
    point.verdict = judge(point, options.thresholds);
    point.verdict.kernel_class = class_of(point.binding);
    return point;
}

std::optional<FlopRate> attainable_performance(const KernelPoint& bounds) {
    if (!bounds.work || !bounds.speed_of_light || bounds.speed_of_light->value() <= 0) return std::nullopt;
    return *bounds.work / *bounds.speed_of_light;
}

std::optional<bool> fits_l2(const OperationModel& model, const Device& device) {
    if (!device.l2_size) return std::nullopt;
    return model.moved() <= *device.l2_size;
}

}  // namespace roofwalk

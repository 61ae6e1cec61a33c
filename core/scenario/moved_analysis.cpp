// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/moved_analysis.h"

#include <algorithm>

#include "core/roofline/group_totals.h"
#include "core/roofline/point_bounds.h"

namespace roofwalk {

namespace {

GroupTotals totals_of(const KernelPoint& measured, const KernelState& state) {
    GroupTotals totals;
    totals.failed = measured.failed;
    totals.time = state.time;
    totals.uncounted = measured.uncounted;
    const auto add = [&](Pipe pipe, Origin origin) {
        totals.pipes.push_back(
            {.pipe = pipe, .origin = origin, .work = state.work[pipe], .ceiling = {}, .bound = {}});
    };
    for (const PipeLoad& load : measured.pipes)
        add(load.pipe, load.origin);
    for (const Pipe pipe : all_pipes)
        if (state.work[pipe].value() > 0 &&
            std::ranges::find(measured.pipes, pipe, &PipeLoad::pipe) == measured.pipes.end())
            add(pipe, Origin::modelled);
    for (const MemoryLevel level : all_levels)
        if (state.bytes[level])
            totals.traffic[level] = GroupTotals::Traffic{measured.levels[level]->origin, *state.bytes[level]};
    return totals;
}

bool is_used(const Flops& work) {
    return work.value() > 0;
}

}  // namespace

KernelPoint moved_point(const KernelPoint& measured, const KernelState& state,
                        const AnalysisOptions& options) {
    KernelPoint point = measured;
    point.performance_spread.reset();
    point.intensity_spread.reset();
    point.bandwidth_spread.reset();
    point.launches_differ = false;
    const KernelModel model = kernel_model(measured, options);
    point.throughput = moved_throughput(model, state);
    point.sm_beside_loads.reset();
    if (point.known && point.time) point.time = *time_of_all(state, model);
    apply_totals(totals_of(measured, state), options, point);
    if (point.target) {
        point.target->bytes = point.target->bytes * state.needs.bytes;
        point.target->work = point.target->work * state.needs.work;
        if (auto& time = point.target->pipe_time) {
            const bool other_pipes = std::ranges::any_of(all_pipes, [&](Pipe pipe) {
                return is_used(state.work[pipe]) != is_used(model.measured.work[pipe]);
            });
            time = other_pipes ? std::nullopt : std::optional(*time * state.needs.work);
        }
        compute_target_gaps(point, *point.target);
    }
    point.verdict = judge(point, options.thresholds);
    if (const KernelClass by_launches = class_of(state, model, options.thresholds);
        model.facts.by_launches && by_launches != point.verdict.kernel_class) {
        point.verdict.kernel_class = by_launches;
        point.verdict.launch_limits = measured.verdict.launch_limits;
        const auto limit = tightest_limit(state, model);
        point.verdict.share_by_launches = limit ? std::min(1.0, limit->share * model.apart) : 0;
    }
    point.recoverable = recoverable_as_one(point);
    const bool same = state.work == model.measured.work && state.bytes == model.measured.bytes;
    if (!same) point.share_by_side.reset();
    return point;
}

Analysis moved_analysis(const Analysis& measured, const ScenarioEffect& effect, const Progress& progress) {
    Analysis analysis = measured;
    analysis.total_time = effect.after.time;
    for (const MovedKernel& kernel : effect.kernels) {
        if (progress.cancelled()) return analysis;
        analysis.points[kernel.point] =
            moved_point(measured.points[kernel.point], kernel.told(), analysis.options);
    }
    if (analysis.total_time.value() > 0)
        for (KernelPoint& point : analysis.points)
            if (point.time) point.time_share = *point.time / analysis.total_time;
    show_l1_where_it_binds(analysis);
    return analysis;
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/roofline/operation_model_point.h"

#include <algorithm>

namespace roofwalk {

namespace {

void add(const PipeWork& part, const CeilingSet& ceilings, std::vector<PipeLoad>& pipes) {
    const Pipe pipe = pipe_on(part, ceilings);
    const auto known = std::ranges::find(pipes, pipe, &PipeLoad::pipe);
    if (known == pipes.end())
        pipes.push_back(
            {.pipe = pipe, .origin = Origin::modelled, .work = part.work, .ceiling = {}, .bound = {}});
    else
        known->work += part.work;
}

}  // namespace

ModelledParts fill_from_operation_model(GroupTotals& totals, const Profile& profile,
                                        std::span<const LaunchIndex> launches, const CeilingSet& ceilings,
                                        const AnalysisOptions& options) {
    if (!options.launch_operations || !totals.time) return {};
    ModelledParts lacks{.work = true, .bytes = true};
    std::vector<LaunchIndex> measured;
    for (const LaunchIndex index : launches) {
        const Launch& launch = profile.at(index);
        if (launch.failed) continue;
        measured.push_back(index);
        lacks.work = lacks.work && launch.work.empty();
        lacks.bytes = lacks.bytes && std::ranges::none_of(launch.traffic, [](const TrafficSample& sample) {
                          return level_of(sample.boundary) == MemoryLevel::hbm;
                      });
    }
    const Executions executions = options.launch_operations->executions_of(measured);
    if (executions.not_bound > 0) return {};
    std::vector<PipeLoad> pipes;
    Bytes bytes;
    for (const auto& operation : executions.operations) {
        for (const PipeWork& part : operation->model->work)
            add(part, ceilings, pipes);
        bytes += operation->model->compulsory();
    }
    const bool bytes_counted =
        std::ranges::any_of(totals.traffic, [](const auto& level) { return level.has_value(); });
    // Beside bytes, work that was counted in part is a dot of its own, unless that part is none.
    const auto part = work_of(totals.pipes, options.operations);
    if (totals.uncounted.any() && !totals.pipes.empty() && (!bytes_counted || part == Flops(0)))
        lacks.work = work_of(pipes, options.operations) >= part;
    // One half that is known of a part of the launches only is no ground for the other.
    if (!lacks.bytes)
        lacks.work = lacks.work && bytes_counted;
    else if (!lacks.work)
        lacks.bytes = !totals.pipes.empty() && !(totals.uncounted.any() && bytes_counted);
    if (lacks.work) {
        totals.pipes = std::move(pipes);
        totals.uncounted = {};  // the operation tells all of it
    }
    if (lacks.bytes) totals.traffic[MemoryLevel::hbm] = {Origin::modelled, bytes};
    return lacks;
}

bool assumes_precision(GroupTotals& totals, const Profile& profile, std::span<const LaunchIndex> launches,
                       const CeilingSet& ceilings, const AnalysisOptions& options) {
    const auto named = [&](LaunchIndex launch) { return !profile.at(launch).precision_assumed; };
    const auto plain = std::ranges::find(totals.pipes, Pipe(), &PipeLoad::pipe);
    if (plain == totals.pipes.end() || std::ranges::any_of(launches, named)) return false;
    if (!options.launch_operations || totals.pipes.size() > 1) return true;
    const Executions executions = options.launch_operations->executions_of(launches);
    std::vector<PipeLoad> pipes;
    for (const auto& operation : executions.operations)
        if (assumed_type(*operation->model).empty())
            for (const PipeWork& part : operation->model->work)
                add(part, ceilings, pipes);
    const auto most = std::ranges::max_element(pipes, {}, &PipeLoad::work);
    if (executions.not_bound > 0 || most == pipes.end()) return true;
    plain->pipe = most->pipe;
    return false;
}

bool multiplies_no_matrices(const KernelPoint& point) {
    if (!point.target || point.target->operations != 1) return false;
    const OperationModel& model = *point.target->operation->model;
    const bool chosen = !given_value(model, "pipe").empty();
    return !chosen && model.operation != "custom" && std::ranges::none_of(model.work, &PipeWork::matrix);
}

std::optional<double> above_roof_with(const KernelPoint& point, const OperationModel& model,
                                      const VerdictThresholds& limits) {
    if (point.measured_work() || point.uncounted.any() || !point.known_time() || !point.ceilings)
        return std::nullopt;
    std::vector<PipeLoad> pipes;
    for (const PipeWork& part : model.work)
        add(part, *point.ceilings, pipes);
    Seconds least;
    for (const PipeLoad& load : pipes)
        if (const ComputeCeiling* ceiling = point.ceilings->find(load.pipe))
            least = std::max(least, load.work / ceiling->rate);
    const double times = least * point.known_launches() / *point.known_time();
    return times > limits.above_roof ? std::optional(times) : std::nullopt;
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/roofline/operation_model_point.h"

#include <algorithm>

#include "core/operations/op_model.h"

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
        lacks.work = lacks.work && launch.work.empty() && !launch.uncounted.any();
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
    // One half that is known of a part of the launches only, or in part, is no ground for the other.
    if (!lacks.bytes)
        lacks.work = lacks.work &&
                     std::ranges::any_of(totals.traffic, [](const auto& level) { return level.has_value(); });
    else if (!lacks.work)
        lacks.bytes = !totals.pipes.empty() && !totals.uncounted.any();
    if (lacks.work) totals.pipes = std::move(pipes);
    if (lacks.bytes) totals.traffic[MemoryLevel::hbm] = {Origin::modelled, bytes};
    return lacks;
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/roofline/operation_model_point.h"

#include <algorithm>

#include "core/operations/op_model.h"

namespace roofwalk {

namespace {

bool was_counted(const Launch& launch) {
    return !launch.work.empty() || !launch.traffic.empty() || launch.uncounted.any();
}

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

bool fill_from_operation_model(GroupTotals& totals, const Profile& profile,
                               std::span<const LaunchIndex> launches, const CeilingSet& ceilings,
                               const AnalysisOptions& options) {
    if (!options.launch_operations || !totals.time) return false;
    std::vector<PipeLoad> pipes;
    Bytes bytes;
    for (const LaunchIndex index : launches) {
        const Launch& launch = profile.at(index);
        if (launch.failed) continue;
        const auto operation = options.launch_operations->of(index);
        if (was_counted(launch) || !operation) return false;
        for (const PipeWork& part : operation->model->work)
            add(part, ceilings, pipes);
        bytes += operation->model->compulsory();
    }
    totals.pipes = std::move(pipes);
    totals.traffic[MemoryLevel::hbm] = {Origin::modelled, bytes};
    return true;
}

}  // namespace roofwalk

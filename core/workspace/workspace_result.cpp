// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/workspace_result.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/chart/scene/scene_comparison.h"
#include "core/chart/scene/scene_measured_roof.h"
#include "core/devices/device_ceilings.h"
#include "core/devices/device_file.h"
#include "core/devices/match_device.h"
#include "core/report/kernel_filter.h"
#include "core/roofline/group_totals.h"
#include "core/roofline/summary.h"
#include "core/scenario/move_words.h"
#include "core/scenario/scenario_effect.h"
#include "core/scenario/scenario_report.h"

namespace roofwalk {

namespace {

/// The older reports are analysed as the newest was, each with the ceilings of its own boards. Null when
/// there are none, or when it is cancelled.
std::shared_ptr<const ReportComparison> make_comparison(const WorkspaceResult& result,
                                                        const Progress& progress) {
    const WorkspaceInputs& of = result.inputs;
    if (of.baselines.empty()) return nullptr;
    auto compared = std::make_shared<ReportComparison>(ReportComparison{of.baselines, of.profile, {}, {}});
    std::vector<AnalysedProfile> runs;
    for (const OpenFile& file : compared->older) {
        AnalysisOptions options = result.analysis->options;
        options.launch_operations = std::make_shared<const LaunchOperations>(bind_operations(
            *file.profile, file.bindings.value_or(Bindings{{}, of.spec.bindings.rules}), progress));
        options.measured = measured_sets(*file.profile, of.measured_use());
        compared->analyses.push_back(
            std::make_shared<const Analysis>(analyse(*file.profile, options, progress)));
        runs.push_back({file.profile.get(), compared->analyses.back().get()});
        if (progress.cancelled()) return nullptr;
    }
    compared->analyses.push_back(result.analysis);
    runs.push_back({compared->newest.get(), compared->analyses.back().get()});
    compared->comparison = compare_runs(runs, {.noise = of.spec.view.comparison.noise});
    return compared;
}

/// Null without such a GPU, or when it is cancelled.
std::shared_ptr<const DeviceProjection> make_projection(const WorkspaceResult& result,
                                                        const Progress& progress) {
    const Device* device = other_device(result.inputs.spec);
    if (device == nullptr) return nullptr;
    const Analysis& analysis = *result.analysis;
    ProjectedKernels kernels = project_kernels({result.inputs.profile.get(), &analysis}, *device, progress);
    if (progress.cancelled()) return nullptr;
    return std::make_shared<const DeviceProjection>(DeviceProjection{
        result.inputs.profile,
        result.analysis,
        {device->name,
         resolve_ceilings(*device, nullptr, ClockBasis::boost, overrides_of(analysis.options, *device))},
        std::move(kernels)});
}

/// Of all that is seen beside what is open.
MemoryName memory_name_of(const WorkspaceInputs& inputs) {
    MemoryName memory = inputs.memory_beside;
    for (const OpenFile& file : inputs.baselines)
        memory = common_memory_name(memory, memory_of(file.profile->devices));
    const Device* device = other_device(inputs.spec);
    return device ? common_memory_name(memory, memory_of(*device)) : memory;
}

/// The compute roofs of what kernels did in older reports.
void add_older_pipes(SceneOptions& options, const Comparison& comparison) {
    const auto add = [&](Pipe pipe) {
        if (std::ranges::find(options.extra_pipes, pipe) == options.extra_pipes.end())
            options.extra_pipes.push_back(pipe);
    };
    for (const KernelPath& path : comparison.paths)
        for (std::size_t step = 0; step + 1 < path.points.size(); ++step) {
            const AnalysedProfile& run = comparison.runs[path.first_run + step];
            for (const PipeLoad& load : run.point(path.points[step]).pipes)
                if (load.work.value() > 0 && counts_into_work(load.pipe, run.analysis->options.operations))
                    add(load.pipe);
        }
}

}  // namespace

Analysis analysis_of(const WorkspaceInputs& inputs, const Progress& progress) {
    AnalysisOptions options = analysis_options(inputs.spec);
    options.launch_operations = std::make_shared<const LaunchOperations>(
        bind_operations(*inputs.profile, inputs.spec.bindings, progress));
    options.measured = measured_sets(*inputs.profile, inputs.measured_use());
    options.memory = memory_name_of(inputs);
    return analyse(*inputs.profile, options, progress);
}

WorkspaceSpec drawn_part(WorkspaceSpec spec) {
    WorkspaceSpec part;
    part.view = std::move(spec.view);
    part.view.roofs_of.clear();
    part.view.selection.clear();
    part.view.axes.reset();
    part.ceilings = std::move(spec.ceilings);
    part.bindings = std::move(spec.bindings);
    part.scenario = std::move(spec.scenario);
    return part;
}

bool same_analysis(const WorkspaceInputs& one, const WorkspaceInputs& other) {
    return one.profile == other.profile && one.spec.view.analysis == other.spec.view.analysis &&
           memory_name_of(one) == memory_name_of(other) && one.spec.ceilings == other.spec.ceilings &&
           one.spec.bindings == other.spec.bindings &&
           (one.measured_use() == other.measured_use() ||
            measured_sets(*one.profile, one.measured_use()) ==
                measured_sets(*one.profile, other.measured_use()));
}

void take_analysis_of(const WorkspaceSpec& made_of, WorkspaceSpec& spec) {
    spec.view.analysis = made_of.view.analysis;
    spec.view.scene.levels = made_of.view.scene.levels;
    spec.view.measured = made_of.view.measured;
    spec.ceilings = made_of.ceilings;
    spec.bindings = made_of.bindings;
}

std::shared_ptr<const WhatIf> make_what_if(const Scenario& scenario, const Profile& profile,
                                           const Analysis& analysis, const Progress& progress) {
    if (progress.cancelled()) return nullptr;
    const Progress stop{{}, progress.stop};
    auto made =
        std::make_shared<WhatIf>(WhatIf{scenario, effect_of(scenario, profile, analysis, stop), nullptr});
    if (!made->effect.kernels.empty() && !progress.cancelled())
        made->moved = std::make_shared<const Analysis>(moved_analysis(analysis, made->effect, stop));
    if (progress.cancelled()) return nullptr;
    return made;
}

std::optional<WorkspaceResult> make_result(WorkspaceInputs inputs, const WorkspaceResult& before,
                                           const Progress& progress) {
    const bool anew = !before.analysis || !same_analysis(inputs, before.inputs);
    const SessionView& view = inputs.spec.view;
    const SessionView& old = before.inputs.spec.view;
    const bool filters = anew || view.filter != old.filter;
    const bool moves = anew || !before.what_if || inputs.spec.scenario != before.what_if->scenario;
    const bool compares = anew || inputs.baselines != before.inputs.baselines ||
                          inputs.measured_use() != before.inputs.measured_use() ||
                          view.comparison.noise != old.comparison.noise;
    const bool projects = anew || view.other_device != old.other_device;
    WorkspaceResult result = before;
    result.inputs = std::move(inputs);
    const Profile& profile = *result.inputs.profile;
    if (anew) {
        result.analysis = std::make_shared<const Analysis>(analysis_of(result.inputs, progress));
        if (result.analysis->points.size() < result.analysis->grouping.groups.size()) return std::nullopt;
        result.ranking = ranked_points(*result.analysis);
    }
    if (filters) {
        const Result<KernelFilter> filter = parse_kernel_filter(
            result.inputs.spec.view.filter, result.inputs.profile.get(), result.analysis.get());
        auto matches = matching_points(*result.analysis, filter.value_or(KernelFilter()), progress);
        if (!matches) return std::nullopt;
        result.matches = *std::move(matches);
    }
    if (compares) result.comparison = make_comparison(result, progress);
    if (projects) result.projection = make_projection(result, progress);
    if (moves)
        result.what_if = make_what_if(result.inputs.spec.scenario, profile, *result.analysis, progress);
    if (progress.cancelled()) return std::nullopt;
    return result;
}

std::optional<std::uint32_t> drawn_selection(const WorkspaceResult& result, const ViewFocus& focus) {
    if (!focus.selected || result.matched(*focus.selected)) return focus.selected;
    const auto time = [&](std::uint32_t point) {
        return result.analysis->points[point].time.value_or(Seconds(-1)).value();
    };
    std::optional<std::uint32_t> longest;
    for (const std::uint32_t point : focus.also_selected)
        if (result.matches[point] && (!longest || time(point) > time(*longest))) longest = point;
    return longest;
}

std::vector<std::uint32_t> matching_ranked(const WorkspaceResult& result) {
    std::vector<std::uint32_t> order;
    order.reserve(result.ranking.size());
    std::ranges::copy_if(result.ranking, std::back_inserter(order),
                         [&](std::uint32_t point) { return result.matched(point); });
    return order;
}

std::optional<std::uint32_t> first_to_look_at(const WorkspaceResult& result) {
    const auto first =
        std::ranges::find_if(result.ranking, [&](std::uint32_t point) { return result.matched(point); });
    return first != result.ranking.end() ? std::optional(*first) : std::nullopt;
}

std::optional<std::uint32_t> next_ranked(const WorkspaceResult& result, std::optional<std::uint32_t> from,
                                         int step) {
    const std::vector<std::uint32_t> order = matching_ranked(result);
    if (order.empty()) return std::nullopt;
    const auto count = static_cast<std::ptrdiff_t>(order.size());
    const auto here = from ? std::ranges::find(order, *from) : order.end();
    const std::ptrdiff_t start = here != order.end() ? here - order.begin() : (step > 0 ? -1 : 0);
    return order[static_cast<std::size_t>((start + step + count) % count)];
}

const Device* drawn_device(const WorkspaceResult& result, const ViewFocus& focus) {
    if (!result.analysis) return nullptr;
    SceneOptions options = scene_options(result.inputs.spec, focus, Theme::light);
    options.selected = drawn_selection(result, focus);
    const Profile& profile = *result.inputs.profile;
    const auto device = board_in_use(profile, *result.analysis, options);
    return device ? &profile.at(*device) : nullptr;
}

Scene scene_of(const WorkspaceResult& result, SceneOptions options, std::vector<ProjectedDevice> more) {
    const Profile& profile = *result.inputs.profile;
    const Analysis& analysis = *result.analysis;
    const Analysis& drawn = *result.drawn();
    options.selected = drawn_selection(result, {options.selected, options.also_selected, {}});
    std::erase_if(options.also_selected, [&](std::uint32_t point) { return point == options.selected; });
    options.levels = drawn.options.levels;  // L1 too where it binds
    if (result.comparison) add_older_pipes(options, result.comparison->comparison);
    Scene scene = build_scene(profile, drawn, options, result.matches);
    if (const auto device = board_in_use(profile, drawn, options))
        if (const MeasuredCeilings* own = measured_for(profile.at(*device), result.inputs.measured_use()))
            add_measured_roof(scene, drawn, *own);
    if (result.projection) more.insert(more.begin(), result.projection->device);
    add_projected_roofs(scene, drawn, more);
    if (const WhatIf& what_if = *result.what_if; what_if.moved)
        add_ghosts(scene, analysis, drawn, scenario_sentence(what_if.scenario, what_if.effect),
                   [&](std::uint32_t point) { return moves_words(what_if.scenario, what_if.effect, point); });
    if (const ReportComparison* compared = result.comparison.get()) {
        ComparisonSceneOptions arrows{.arrows = result.inputs.spec.view.comparison.arrows, .older = {}};
        for (const OpenFile& report : compared->older)
            arrows.older.push_back(report.name());
        add_comparison(scene, compared->comparison, arrows);
    }
    return scene;
}

}  // namespace roofwalk

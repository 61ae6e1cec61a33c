// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/session.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace roofwalk {

namespace {

auto parts_of(const VerdictThresholds& thresholds) {
    const auto& [low, high, latency, near_roof, ridge, above] = thresholds;
    return std::tie(low, high, latency, near_roof, ridge, above);
}

auto parts_of(const PracticalFactors& factors) {
    const auto& [compute, bandwidth] = factors;
    return std::tie(compute, bandwidth);
}

auto parts_of(const PracticalLimits& limits) {
    const auto& [little, some] = limits;
    return std::tie(little, some);
}

}  // namespace

bool operator==(const AnalysisOptions& one, const AnalysisOptions& other) {
    const auto parts = [](const AnalysisOptions& options) {
        // What memory is called follows from what is open.
        const auto& [group, clock, operations, boundaries, levels, l1, thresholds, practical, limits, floor,
                     memory, overrides, measured, launch_operations] = options;
        return std::tuple_cat(std::tie(group, clock, operations, boundaries, levels, l1, floor, overrides,
                                       measured, launch_operations),
                              parts_of(thresholds), parts_of(practical), parts_of(limits));
    };
    return parts(one) == parts(other);
}

bool operator==(const SceneOptions& one, const SceneOptions& other) {
    const auto parts = [](const SceneOptions& options) {
        const auto& [theme, colour_by, levels, ranges, hidden, extra, practical, theory, measured, zones,
                     selected, also, roofs_of, labelled, gaps, numbered, title, names] = options;
        return std::tie(theme, colour_by, levels, ranges, hidden, extra, practical, theory, measured, zones,
                        selected, also, roofs_of, labelled, gaps, numbered, title, names);
    };
    return parts(one) == parts(other);
}

AnalysisOptions analysis_options(const WorkspaceSpec& spec) {
    AnalysisOptions options = spec.view.analysis;
    for (const SessionCeilings& device : spec.ceilings)
        options.overrides[device.device] = device.ceilings;
    return options;
}

void set_analysis_options(WorkspaceSpec& spec, AnalysisOptions options) {
    std::vector<SessionCeilings> ceilings;
    for (auto& [device, set] : options.overrides) {
        if (set.empty()) continue;
        const auto known = std::ranges::find(spec.ceilings, device, &SessionCeilings::device);
        ceilings.push_back(
            {device, std::move(set), known != spec.ceilings.end() ? known->unknown_members : std::string()});
    }
    spec.ceilings = std::move(ceilings);
    options.overrides.clear();
    options.measured.clear();
    options.launch_operations.reset();
    spec.view.scene.levels = options.levels;
    spec.view.analysis = std::move(options);
}

void set_scene_options(WorkspaceSpec& spec, SceneOptions options) {
    const SceneOptions usual;
    options.theme = usual.theme;
    options.title = usual.title;
    options.selected = usual.selected;
    options.also_selected = usual.also_selected;
    options.roofs_of = usual.roofs_of;
    options.levels = spec.view.analysis.levels;
    spec.view.scene = std::move(options);
}

}  // namespace roofwalk

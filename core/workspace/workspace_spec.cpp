// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/workspace_spec.h"

#include <algorithm>
#include <utility>

#include "core/devices/device_file.h"

namespace roofwalk {

void WorkspaceSpec::clear_reports() {
    sources.clear();
    joined = false;
    baselines.clear();
    view.roofs_of.clear();
    view.ran_on.reset();
}

AnalysisOptions usual_analysis_options() {
    AnalysisOptions options;
    options.operations = OperationClass::automatic;
    return options;
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
    options.memory = AnalysisOptions().memory;
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

const Device* other_device(const WorkspaceSpec& spec) {
    return spec.view.other_device ? known_or_described(*spec.view.other_device) : nullptr;
}

void set_other_device(WorkspaceSpec& spec, const Device* device) {
    spec.view.other_device = device ? std::optional(described_part(*device)) : std::nullopt;
}

}  // namespace roofwalk

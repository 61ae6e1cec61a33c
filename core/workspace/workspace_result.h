// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/progress.h"
#include "core/chart/scene/scene_projected_roofs.h"
#include "core/compare/comparison.h"
#include "core/compare/projection.h"
#include "core/devices/measured_ceilings.h"
#include "core/scenario/scenario_effect.h"
#include "core/workspace/open_file.h"
#include "core/workspace/view_focus.h"
#include "core/workspace/workspace_spec.h"

/// What is seen of a workspace: window and commands make it of the same values by the same steps.
namespace roofwalk {

/// Everything that a result is made of.
struct WorkspaceInputs {
    std::shared_ptr<const Profile> profile;  ///< of all that is open
    std::vector<OpenFile> baselines;         ///< older reports that could be read, oldest first
    WorkspaceSpec spec;
    std::vector<std::shared_ptr<const MeasuredCeilings>> measured;  ///< that hold on this machine
    MemoryName memory_beside = MemoryName::hbm;  ///< of devices whose roofs are drawn beside all these

    [[nodiscard]] MeasuredUse measured_use() const { return {measured, spec.view.measured}; }
    friend bool operator==(const WorkspaceInputs&, const WorkspaceInputs&) = default;
};

/// A scenario and what it makes of an analysis.
struct WhatIf {
    Scenario scenario;
    ScenarioEffect effect;
    std::shared_ptr<const Analysis> moved;  ///< null while no kernel is moved
};

/// What is open beside older reports of the same program. The comparison refers to the other members.
struct ReportComparison {
    std::vector<OpenFile> older;  ///< oldest first
    std::shared_ptr<const Profile> newest;
    std::vector<std::shared_ptr<const Analysis>> analyses;  ///< of the older ones, then of the newest
    Comparison comparison;
};

/// What is open under the roofs of another GPU. What is projected refers to the profile and the analysis.
struct DeviceProjection {
    std::shared_ptr<const Profile> profile;
    std::shared_ptr<const Analysis> analysis;
    ProjectedDevice device;  ///< with its ceilings at the boost clock
    ProjectedKernels projected;
};

struct WorkspaceResult {
    WorkspaceInputs inputs;                    ///< of which it was made
    std::shared_ptr<const Analysis> analysis;  ///< null before the first one
    std::vector<std::uint32_t> ranking;        ///< ranked_points()
    std::vector<bool> matches;                 ///< by point: those that the filter shows; empty without one
    std::shared_ptr<const WhatIf> what_if;
    std::shared_ptr<const ReportComparison> comparison;  ///< null without an older report
    std::shared_ptr<const DeviceProjection> projection;  ///< null without another GPU

    /// The analysis as the scenario leaves it.
    [[nodiscard]] const std::shared_ptr<const Analysis>& drawn() const {
        return what_if && what_if->moved ? what_if->moved : analysis;
    }
    [[nodiscard]] AnalysedProfile measured() const { return {inputs.profile.get(), analysis.get()}; }
    [[nodiscard]] bool matched(std::uint32_t point) const { return matches.empty() || matches[point]; }
};

/// Binds the launches to operations, and analyses them under the ceilings that their devices get.
[[nodiscard]] Analysis analysis_of(const WorkspaceInputs& inputs, const Progress& progress = {});
/// What of a spec a result is made of: nothing that a person writes about it, or that tells where it is.
[[nodiscard]] WorkspaceSpec drawn_part(WorkspaceSpec spec);
/// Whether analysis_of() is the same of both.
[[nodiscard]] bool same_analysis(const WorkspaceInputs& one, const WorkspaceInputs& other);
/// Has a spec ask for the analysis that was made of another.
void take_analysis_of(const WorkspaceSpec& made_of, WorkspaceSpec& spec);

/// Null when it is cancelled.
[[nodiscard]] std::shared_ptr<const WhatIf> make_what_if(const Scenario& scenario, const Profile& profile,
                                                         const Analysis& analysis,
                                                         const Progress& progress = {});

/// Analyses, filters, moves, compares and projects. What `before` holds of the same inputs is taken from
/// there. A filter that cannot be used shows every kernel, as no filter does. Absent when it is cancelled.
[[nodiscard]] std::optional<WorkspaceResult> make_result(WorkspaceInputs inputs,
                                                         const WorkspaceResult& before = {},
                                                         const Progress& progress = {});

/// The selected kernel whose gaps and roofs are drawn: the foremost where it matches, else the longest of the
/// others that do.
[[nodiscard]] std::optional<std::uint32_t> drawn_selection(const WorkspaceResult& result,
                                                           const ViewFocus& focus);
/// Points that match, in their ranking.
[[nodiscard]] std::vector<std::uint32_t> matching_ranked(const WorkspaceResult& result);
/// The matching point that is first in the ranking: where nothing tells what can be recovered, the longest.
[[nodiscard]] std::optional<std::uint32_t> first_to_look_at(const WorkspaceResult& result);
/// The one that stands `step` places further among them, the first or the last from one that does not match;
/// wraps round. Absent when none matches.
[[nodiscard]] std::optional<std::uint32_t> next_ranked(const WorkspaceResult& result,
                                                       std::optional<std::uint32_t> from, int step);
/// The device whose roofs are drawn then; null without kernels.
[[nodiscard]] const Device* drawn_device(const WorkspaceResult& result, const ViewFocus& focus);

/// The scene of the points that match, with drawn_selection() selected; with ghosts where the scenario moved
/// them, the measured roof, as many arrows as asked for from where they were in an older report, and the
/// roofs of another GPU, and of those in `more`.
[[nodiscard]] Scene scene_of(const WorkspaceResult& result, SceneOptions options,
                             std::vector<ProjectedDevice> more = {});

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/progress.h"
#include "core/chart/scene/scene_other_roofs.h"
#include "core/compare/comparison.h"
#include "core/compare/roof_change.h"
#include "core/devices/measured_use.h"
#include "core/scenario/scenario_effect.h"
#include "core/workspace/open_file.h"
#include "core/workspace/session.h"

/// What is seen of a workspace: window and commands make it of the same values by the same steps.
namespace roofwalk {

/// Everything that a result is made of.
struct WorkspaceInputs {
    std::shared_ptr<const Profile> profile;  ///< of all that is open
    std::vector<OpenFile> baselines;         ///< older reports that could be read, oldest first
    WorkspaceSpec spec;
    std::vector<std::shared_ptr<const MeasuredCeilings>> measured;  ///< that hold on this machine

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

/// What is open under the roofs of another GPU. The roofs refer to the profile and the analysis.
struct DeviceProjection {
    std::shared_ptr<const Profile> profile;
    std::shared_ptr<const Analysis> analysis;
    OtherDevice device;  ///< with its ceilings at the boost clock
    DeviceRoofs roofs;
};

/// Where a person looks, as places in a result.
struct ViewFocus {
    std::optional<std::uint32_t> selected;     ///< SceneOptions::selected, and so on
    std::vector<std::uint32_t> also_selected;  ///< sorted
    std::optional<DeviceIndex> roofs_of;

    friend bool operator==(const ViewFocus&, const ViewFocus&) = default;
};

struct WorkspaceResult {
    WorkspaceInputs of;
    std::shared_ptr<const Analysis> analysis;  ///< null before the first one
    std::vector<std::uint32_t> by_time;        ///< points, longest first
    std::vector<bool> matches;                 ///< by point: those that the filter shows; empty without one
    std::shared_ptr<const WhatIf> what_if;
    std::shared_ptr<const ReportComparison> comparison;  ///< null without an older report
    std::shared_ptr<const DeviceProjection> projection;  ///< null without another GPU

    /// The analysis as the scenario leaves it.
    [[nodiscard]] const std::shared_ptr<const Analysis>& drawn() const {
        return what_if && what_if->moved ? what_if->moved : analysis;
    }
};

/// Binds the launches to operations, and analyses them under the ceilings that their devices get.
[[nodiscard]] Analysis analysis_of(const WorkspaceInputs& inputs, const Progress& progress = {});
/// Whether an analysis of `inputs` is another than the one that `before` holds.
[[nodiscard]] bool analyses_anew(const WorkspaceInputs& inputs, const WorkspaceResult& before);

/// Null when it is cancelled.
[[nodiscard]] std::shared_ptr<const WhatIf> make_what_if(const Scenario& scenario, const Profile& profile,
                                                         const Analysis& analysis,
                                                         const Progress& progress = {});

/// Analyses, filters, moves, compares and projects. What `before` holds of the same inputs is taken from
/// there. A filter that cannot be used shows every kernel, as no filter does. Absent when it is cancelled.
[[nodiscard]] std::optional<WorkspaceResult> make_result(WorkspaceInputs inputs,
                                                         const WorkspaceResult& before = {},
                                                         const Progress& progress = {});

/// Where the kernels and the device are that a view names; without those that are not there.
[[nodiscard]] ViewFocus focus_of(const SessionView& view, const Profile& profile, const Analysis& analysis);

/// How the chart is drawn.
[[nodiscard]] SceneOptions scene_options(const WorkspaceSpec& spec, const ViewFocus& focus, Theme theme);

/// The selected kernel whose gaps and roofs are drawn: the foremost where it matches, else the longest of the
/// others that do. `matches` is empty without a filter.
[[nodiscard]] std::optional<std::uint32_t> drawn_selection(const Analysis& analysis,
                                                           const SceneOptions& options,
                                                           const std::vector<bool>& matches);

/// The scene of the points that match, with drawn_selection() selected; with ghosts where the scenario moved
/// them, the measured roof, as many arrows as asked for from where they were in an older report, and the
/// roofs of another GPU, and of those in `more`.
[[nodiscard]] Scene scene_of(const WorkspaceResult& result, SceneOptions options,
                             std::vector<OtherDevice> more = {});

}  // namespace roofwalk

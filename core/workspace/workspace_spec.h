// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/advice/thresholds.h"
#include "core/chart/layout/log_axis.h"
#include "core/chart/scene/scene.h"
#include "core/chart/scene/scene_comparison.h"
#include "core/devices/measured_ceilings.h"
#include "core/operations/op_binding.h"
#include "core/roofline/analysis.h"
#include "core/scenario/scenario.h"

/// What is open and how it is looked at: the content of a `.roofwalk` file. Each `unknown_members` holds the
/// members of its JSON object that are not known here, as JSON text.
namespace roofwalk {

/// A report that a session looks at.
struct SessionSource {
    std::string path;  ///< UTF-8, "/" between folders: absolute, or from the folder of the session file
    std::string hash;  ///< content_hash() of the file when the session was saved; empty: not known
    std::string unknown_members = {};

    friend bool operator==(const SessionSource&, const SessionSource&) = default;
};

/// Ceilings typed for one model of device.
struct SessionCeilings {
    std::string device;  ///< model_name()
    CeilingSet ceilings;
    std::string unknown_members = {};

    friend bool operator==(const SessionCeilings&, const SessionCeilings&) = default;
};

/// The part of the chart's plane that is seen.
struct ChartView {
    Range x;  ///< [FLOP/byte]
    Range y;  ///< [FLOP/s]

    friend bool operator==(const ChartView&, const ChartView&) = default;
};

/// How older reports are compared with those of the session.
struct ComparisonView {
    double noise = CompareOptions{}.noise;                   ///< a share: what a change must exceed
    std::uint32_t arrows = ComparisonSceneOptions{}.arrows;  ///< how many kernels have one
    std::string unknown_members = {};

    friend bool operator==(const ComparisonView&, const ComparisonView&) = default;
};

/// Where no session says otherwise: integer operations are counted where there is no other work.
[[nodiscard]] AnalysisOptions usual_analysis_options();

/// How the reports are looked at. The options hold for every report: typed and measured ceilings and
/// launch operations of the analysis, and theme, title, selection and device of the scene stand at their
/// defaults here.
struct SessionView {
    AnalysisOptions analysis = usual_analysis_options();
    MeasuredChoice measured;  ///< the ceilings themselves are kept on each machine
    SceneOptions scene;
    std::string roofs_of;              ///< model_name() of the device whose roofs are drawn; empty: the first
    std::string filter;                ///< as typed
    std::vector<KernelKey> selection;  ///< the foremost first
    std::optional<ChartView> axes;     ///< absent: everything
    ComparisonView comparison;
    // Each its name, and what was typed of it: described_part().
    std::optional<Device> other_device;  ///< the GPU whose roofs are drawn too
    std::optional<Device> ran_on;        ///< that of files that name none
    std::string unknown_members = {};

    friend bool operator==(const SessionView&, const SessionView&) = default;
};

/// A file from a stranger may hold no more of these than anybody makes.
inline constexpr std::size_t most_sources =
    10'000;  ///< a report of each rank of a large run, and as many older
inline constexpr std::size_t most_selected = 10'000;
inline constexpr std::size_t most_bound = 100'000;  ///< kernels bound by hand: a launch each, in one step
inline constexpr std::size_t most_rules = 10'000;
inline constexpr std::uint32_t most_drawn = 10'000;  ///< of names, and of gaps

struct WorkspaceSpec {
    std::vector<SessionSource> sources;
    bool joined = false;                   ///< the sources are separate runs of one program: join_runs()
    std::vector<SessionSource> baselines;  ///< older reports that the sources are compared with, oldest first
    SessionView view;
    std::vector<SessionCeilings> ceilings;
    Bindings bindings;
    std::string unknown_members_of_bindings = {};
    AdviceThresholds thresholds;
    std::string unknown_members_of_thresholds = {};
    Scenario scenario;
    std::string notes;        ///< free text
    std::string autosave_of;  ///< of an autosaved copy: the file that its owner saves to; empty: none yet
    std::string autosave_of_hash;  ///< content_hash() of that file as its owner knew it; empty: not known
    std::string unknown_members = {};

    /// Takes the reports out, and what was said of them alone.
    void clear_reports();
    friend bool operator==(const WorkspaceSpec&, const WorkspaceSpec&) = default;
};

/// How launches become points, with the ceilings that were typed.
[[nodiscard]] AnalysisOptions analysis_options(const WorkspaceSpec& spec);
/// The other way round; what was measured, launch operations and the name of memory are left out.
void set_analysis_options(WorkspaceSpec& spec, AnalysisOptions options);
/// How the chart is drawn, without theme, title, levels and places in an analysis.
void set_scene_options(WorkspaceSpec& spec, SceneOptions options);
/// A GPU whose roofs are drawn beside those of the kernels; null without one, or where it is not known.
[[nodiscard]] const Device* other_device(const WorkspaceSpec& spec);
/// By its name, and with the ceilings that a person typed of it; null: none.
void set_other_device(WorkspaceSpec& spec, const Device* device);

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/progress.h"
#include "core/operations/op_binding.h"
#include "core/report/kernel_filter.h"
#include "core/roofline/analysis.h"
#include "core/workspace/session.h"
#include "ui/chart/chart_scene.h"
#include "ui/workspace/overlays.h"

namespace roofwalk {

/// Where a person looked, to be found again among the points.
struct Gaze {
    std::string roofs_of;              ///< model_name() of a device; empty: none was chosen
    std::vector<KernelKey> selection;  ///< the foremost first
};

/// What a person wants to see of a profile.
struct PictureOrder {
    Bindings bindings;
    AnalysisOptions analysis;
    MeasuredUse measured;
    Scenario scenario;
    std::vector<OpenFile> baselines;       ///< older reports, oldest first
    ComparisonView comparison;             ///< how they are compared
    const Device* other_device = nullptr;  ///< of the built-in table; null without one
    SceneOptions scene;
    KernelFilter filter;
    Gaze gaze = {};  ///< goes before the selection and the device of `scene`
};

/// What the window shows of a profile, made in one go on the pool.
struct Picture {
    Bindings bindings;     ///< that the analysis is of
    MeasuredUse measured;  ///< as the bindings
    std::shared_ptr<const Analysis> analysis;
    std::vector<std::uint32_t> by_time;  ///< points, longest first
    std::vector<bool> matches;           ///< by point; empty without a filter
    Overlays overlays;
    SceneOptions scene_options;  ///< as ordered, with what was found of the gaze
    ChartScene scene;            ///< matching points only, moved by the scenario
};

/// Binds the launches to operations, analyses, compares, moves and draws them. Absent when it is cancelled
/// before every kernel is analysed and matched.
[[nodiscard]] std::optional<Picture> make_picture(const std::shared_ptr<const Profile>& profile,
                                                  PictureOrder order, const Progress& progress);

/// The selected kernel whose gaps and roofs are drawn: the foremost where it matches, else the longest of the
/// others that do. `matches` is empty without a filter.
[[nodiscard]] std::optional<std::uint32_t> drawn_selection(const Analysis& analysis,
                                                           const SceneOptions& options,
                                                           const std::vector<bool>& matches);

/// What a scene is drawn of.
struct DrawnOf {
    const Profile& profile;
    const Analysis& analysis;
    const MeasuredUse& measured;
};

/// The scene of the points that match, with drawn_selection() selected; with ghosts where the scenario moved
/// them, the measured roof, as many arrows as asked for from where they were in an older report, and the
/// roofs of another GPU.
[[nodiscard]] std::shared_ptr<const Scene> make_scene(const DrawnOf& of, const Overlays& overlays,
                                                      SceneOptions options, const std::vector<bool>& matches,
                                                      std::uint32_t arrows);

}  // namespace roofwalk

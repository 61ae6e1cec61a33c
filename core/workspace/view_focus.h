// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/chart/scene/scene.h"
#include "core/workspace/workspace_spec.h"

namespace roofwalk {

/// Where a person looks, as places in an analysis.
struct ViewFocus {
    std::optional<std::uint32_t> selected;     ///< SceneOptions::selected, and so on
    std::vector<std::uint32_t> also_selected;  ///< sorted
    std::optional<DeviceIndex> roofs_of;

    /// Every selected point, in the order of the points.
    [[nodiscard]] std::vector<std::uint32_t> points() const;
    /// All of `points` selected, looking at `foremost`, else at the first of them in `ranking`.
    [[nodiscard]] ViewFocus with_selected(std::span<const std::uint32_t> points,
                                          std::optional<std::uint32_t> foremost,
                                          std::span<const std::uint32_t> ranking) const;
    /// A point more in the selection, or one less.
    [[nodiscard]] ViewFocus with_toggled(std::uint32_t point, std::span<const std::uint32_t> ranking) const;
    friend bool operator==(const ViewFocus&, const ViewFocus&) = default;
};

/// Where the kernels and the device are that a view names; without those that are not there.
[[nodiscard]] ViewFocus focus_of(const SessionView& view, const AnalysedProfile& now);
/// The other way round: the selection as a file holds it, the foremost first, of at most as many as one may
/// hold.
[[nodiscard]] std::vector<KernelKey> selection_of(const ViewFocus& focus, const AnalysedProfile& now);
/// Where it is after another analysis; `ranking` are the points of that.
[[nodiscard]] ViewFocus followed(const ViewFocus& focus, const AnalysedProfile& before,
                                 const AnalysedProfile& after, std::span<const std::uint32_t> ranking);

/// Where each of `points` of `before` is in `after`: the point with its first launch. A launch of a file that
/// was read again is the one of the same kernel name at the same place in the order of that kernel's
/// launches. Absent: it is gone.
[[nodiscard]] std::vector<std::optional<std::uint32_t>> follow_points(const AnalysedProfile& before,
                                                                      std::span<const std::uint32_t> points,
                                                                      const AnalysedProfile& after);

/// How the chart is drawn.
[[nodiscard]] SceneOptions scene_options(const WorkspaceSpec& spec, const ViewFocus& focus, Theme theme);

}  // namespace roofwalk

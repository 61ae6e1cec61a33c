// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/atlas/atlas.h"
#include "core/chart/scene/scene.h"

namespace roofwalk {

/// The operations as a profile that nobody measured, for whatever shows profiles: a launch for each, that
/// takes its least time. `analysis` has a point for each operation and device, then one for each operation
/// that was measured, and for each kernel without one.
struct AtlasProfile {
    Profile profile;
    Analysis analysis;
    std::optional<MeasuredRun> measured;
};
[[nodiscard]] AtlasProfile profile_of(const Atlas& atlas, const std::optional<MeasuredRun>& measured = {});
/// Whether a kernel of such a profile was measured, instead of an operation of the atlas.
[[nodiscard]] bool is_measured(const Atlas& atlas, const KernelPoint& point);

struct AtlasLook {
    Theme theme = Theme::print;
    std::string title;  ///< empty: Atlas::title(), its types in the caption where it is long
};
/// The operations as hollow dots under the roofs of the devices: those of the first solid, of others
/// dash-dotted. The outline of what was measured is whole.
struct AtlasScene {
    AtlasProfile shown;
    Scene scene;
};
[[nodiscard]] AtlasScene scene_of(const Atlas& atlas, const AtlasLook& look,
                                  const std::optional<MeasuredRun>& measured = {});

}  // namespace roofwalk

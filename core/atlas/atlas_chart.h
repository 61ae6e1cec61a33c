// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/atlas/atlas.h"
#include "core/chart/layout/page.h"
#include "core/chart/scene/palette.h"

namespace roofwalk {

/// The operations as a profile that nobody measured, for whatever shows profiles: a launch for each, that
/// takes its least time. `analysis` has a point for each operation and device.
struct AtlasProfile {
    Profile profile;
    Analysis analysis;
};
[[nodiscard]] AtlasProfile profile_of(const Atlas& atlas);

struct AtlasLook {
    Theme theme = Theme::print;
    PageSpec size;
    std::string title;  ///< empty: Atlas::title()
};
/// The operations as hollow dots under the roofs of the devices: those of the first solid, of others
/// dash-dotted.
[[nodiscard]] std::string to_atlas_svg(const Atlas& atlas, const AtlasLook& look);

}  // namespace roofwalk

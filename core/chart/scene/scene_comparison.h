// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/chart/scene/scene.h"
#include "core/compare/comparison.h"

namespace roofwalk {

struct ComparisonSceneOptions {
    std::uint32_t arrows = 24;       ///< of the kernels with most time; the selected one has its own besides
    std::vector<std::string> older;  ///< names of the older reports, oldest first
};

/// Adds to the scene of the newest run of the comparison how its kernels came to where they are: an arrow
/// from the older place of each kernel that changed to the newer one, over as many runs as there are, at the
/// level that the verdict looks at or, where it is not shown, at the farthest that is. Axes grow to hold the
/// older places. Kernels without a place on the chart in both runs have no arrow; the caption counts them.
void add_comparison(Scene& scene, const Comparison& comparison, const ComparisonSceneOptions& options = {});

}  // namespace roofwalk

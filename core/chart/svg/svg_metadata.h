// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/chart/layout/page.h"

namespace roofwalk {

/// The numbers behind a chart as JSON that may stand in XML text as it is: roofs with their provenance, and
/// one row of `columns` for each kernel that the scene shows, in the order of Analysis::points: row 12 is the
/// dot "k12". Where a filter hides some, or dots are shaded, the column "dot" holds that number; of what is
/// shaded there are no rows, and "shading" tells how many dots that are. The first number of a row is an
/// index into `names`. What was not measured is null; the time is of
/// the launches that work and bytes are of. Where targets are drawn, "targets" holds for each its
/// dot, the operation and who says so, W_alg, Q_min and I_alg of it, Gv, Gh, Gx and their product, under the
/// names of the JSON report. Where there are paths, "paths" holds dot, level, and intensity and performance
/// of each place, the oldest first, and "path_words" the verdict of each where reports are compared. `moves`,
/// the JSON of a scenario, stands under "moves" as it is: a scenario file.
[[nodiscard]] std::string chart_metadata(const Scene& scene, const Analysis& analysis,
                                         const PagePlacement& laid, const std::string& moves);

}  // namespace roofwalk

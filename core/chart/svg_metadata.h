// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/chart/scene.h"

namespace roofwalk {

/// The numbers behind a chart as JSON that may stand in XML text as it is: roofs with their provenance, and
/// one row of `columns` for each kernel that the scene shows, in the order of Analysis::points: row 12 is the
/// dot "k12". Where a filter hides some, the column "dot" holds that number. The first number of a row is an
/// index into `names`. What was not measured is
/// null. Where there are paths, "paths" holds dot, level, and intensity and performance of each place, the
/// oldest first.
[[nodiscard]] std::string chart_metadata(const Scene& scene, const Analysis& analysis);

}  // namespace roofwalk

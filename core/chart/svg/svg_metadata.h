// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/chart/layout/page.h"

namespace roofwalk {

/// The numbers behind a chart as JSON (`resources/schema/chart.schema.json`) that may stand in XML text as it
/// is. Rows are in the order of Analysis::points: row 12 is the dot "k12", unless the column "dot" holds that
/// number. `moves`, the JSON of a scenario, stands under "moves" as it is: a scenario file.
[[nodiscard]] std::string chart_metadata(const Scene& scene, const Analysis& analysis,
                                         const PagePlacement& laid, const std::string& moves);

}  // namespace roofwalk

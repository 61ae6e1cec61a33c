// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/chart/scene.h"

namespace roofwalk {

/// The numbers behind a chart as JSON that may stand in XML text as it is: roofs with their provenance, and
/// one row of `columns` for each kernel, in the order of Analysis::points ("k12-hbm" is the HBM dot of row
/// 12). What was not measured is null.
[[nodiscard]] std::string chart_metadata(const Scene& scene, const Analysis& analysis);

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/roofline/analysis.h"
#include "core/roofline/group_totals.h"

namespace roofwalk {

/// Fills everything of a point that follows from its sums and its ceilings (`point.ceilings`, already set):
/// levels, pipes, bounds, binding ceiling, gap, practical efficiency and placement.
void apply_totals(GroupTotals totals, const AnalysisOptions& options, KernelPoint& point);

}  // namespace roofwalk

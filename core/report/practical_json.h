// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/json_text.h"
#include "core/roofline/analysis.h"

namespace roofwalk {

/// The member "practical": what good kernels reach, and the bands of it, as reports and sessions hold them.
void write_practical(JsonText& json, const AnalysisOptions& options);

}  // namespace roofwalk

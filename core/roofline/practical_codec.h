// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json_writer.h"
#include "core/roofline/analysis.h"

namespace roofwalk {

/// The member "practical" of reports and sessions: what good kernels reach, and the bands of it.
void each_practical_field(auto& field, MaybeConst<AnalysisOptions> auto& options) {
    field.object("practical", [&](auto& share) {
        share("compute", coded<ShareNumber>(options.practical.compute));
        share("bandwidth", coded<ShareNumber>(options.practical.bandwidth));
        share("little_room", coded<ShareNumber>(options.practical_limits.little_room));
        share("some_room", coded<ShareNumber>(options.practical_limits.some_room));
    });
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/error.h"
#include "core/devices/measured_ceilings.h"

namespace roofwalk::cli {

/// Which devices of a profile get ceilings that were measured apart from it. `file` is what --ceilings names:
/// empty takes those that are kept, unless they are stale, which is said, as the session chose, without one
/// of the same board; "none" takes none; else the file's are taken, also for devices of the same model that
/// name no UUID. A file that fits no device is an error.
[[nodiscard]] Result<MeasuredUse> measured_use(const Profile& profile, const std::string& file,
                                               const MeasuredChoice& of_session);

}  // namespace roofwalk::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/error.h"
#include "core/model/profile.h"

namespace roofwalk::cli {

/// Gives the devices of a profile the ceilings that were measured on them. `file` is what --ceilings names:
/// empty takes those that are kept of the very board, unless they are stale, which is said; "none" takes
/// none; else the file's are taken, also for devices of the same model that name no UUID. A file that fits no
/// device is an error.
[[nodiscard]] Result<void> add_measured_roofs(Profile& profile, const std::string& file);

}  // namespace roofwalk::cli

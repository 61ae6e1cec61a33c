// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/model/profile.h"

namespace roofwalk {

/// The profile as Roofwalk JSON, full form (`resources/schema/profile.schema.json`). Reading it back gives
/// the same launches, work, traffic, metrics, devices and ceilings. Host names, user names, paths of programs
/// and command lines are left out.
[[nodiscard]] std::string to_json(const Profile& profile);
/// The same as JSON Lines: header object, then one kernel a line.
[[nodiscard]] std::string to_json_lines(const Profile& profile);

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "core/devices/measured_ceilings.h"

namespace roofwalk {

/// What this machine says of those of the boards that are in it, without waking them, by UUID: the driver,
/// and where the driver's management library is there, power limit and clocks. The library, which takes its
/// time, is begun once for all of them, and not at all where none is here. `root` holds proc/.
[[nodiscard]] std::map<std::string, MeasuredDevice> boards_here(const std::set<std::string>& uuids,
                                                                const std::filesystem::path& root = "/");

}  // namespace roofwalk

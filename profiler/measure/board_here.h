// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/ceilings/measured_ceilings.h"

namespace roofwalk {

/// What this machine says of a board, without waking it: its UUID and the driver, and where the driver's
/// management library is there, power limit and clocks. Absent where the board is not in this machine. `root`
/// holds proc/.
[[nodiscard]] std::optional<MeasuredDevice> board_here(const std::string& uuid,
                                                       const std::filesystem::path& root = "/");

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/ceilings/measured_ceilings.h"

namespace roofwalk {

/// What the kernel of this machine says of a board, without touching it: its UUID and the driver. Absent
/// where the board is not in this machine. `root` holds proc/.
[[nodiscard]] std::optional<MeasuredDevice> board_here(const std::string& uuid,
                                                       const std::filesystem::path& root = "/");

}  // namespace roofwalk

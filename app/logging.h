// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <spdlog/common.h>

namespace roofwalk {

/// Starts the log of a program: lines on stderr. The environment variable ROOFWALK_LOG sets the least level
/// that is shown: debug, info, warn, error or off; `usual` without it.
void start_logging(spdlog::level::level_enum usual);

}  // namespace roofwalk

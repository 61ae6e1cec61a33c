// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace roofwalk {

/// Starts the log of the window program, lines on stderr, and sends Qt's messages into it: a Qt category is
/// the name in the line. The environment variable ROOFWALK_LOG sets the least level that is shown: debug,
/// info, warn (the default), error or off.
void start_logging();

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace roofwalk {

/// The application and its arguments in a recorded profiler command line, quoted for a POSIX shell; empty
/// when the line is not Nsight Compute's or holds an option whose shape is not known.
[[nodiscard]] std::string application_of(std::string_view profiler_command_line);

}  // namespace roofwalk

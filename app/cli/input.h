// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "app/cli/session_file.h"
#include "core/base/error.h"
#include "core/model/profile.h"

namespace roofwalk::cli {

/// Reads a file ("-" is stdin, and pipes are read whole). Its warnings go to stderr; warnings with the same
/// words are said once.
[[nodiscard]] Result<Profile> read_input(const std::string& file);

/// Reads every report into one profile. What of a session cannot be read joins `lost` and is told on stderr,
/// unless there is no other; what was typed and cannot be read is an error.
[[nodiscard]] Result<Profile> read_reports(NamedFiles& files);

}  // namespace roofwalk::cli

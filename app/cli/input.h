// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/error.h"
#include "core/model/profile.h"

namespace roofwalk::cli {

/// Reads every file ("-" is stdin, and pipes are read whole) into one profile, or says which could not be
/// read. Warnings of the files go to stderr; warnings with the same words are said once.
[[nodiscard]] Result<Profile> read_inputs(const std::vector<std::string>& files);

}  // namespace roofwalk::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/import/profile_request.h"

namespace roofwalk {

/// The words that run roofwalk-cli on another machine and write its recording to standard output:
/// `ssh node roofwalk-cli profile -o - ... -- ./app`. Where `through` ends with a program named roofwalk-cli,
/// that one is run. Behind each word named ssh the rest passes one more shell, and is quoted for it.
[[nodiscard]] std::vector<std::string> remote_command(const ProfileRequest& request);

}  // namespace roofwalk

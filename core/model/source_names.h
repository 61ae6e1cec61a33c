// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/model/profile.h"

namespace roofwalk {

/// What people call the reports of a profile, by SourceIndex: the name of the file, with as many folders
/// before it as tell it from the others; where several share a file, with their process or rank, else their
/// number. One that others were joined with has the names of all their files.
[[nodiscard]] std::vector<std::string> source_names(const Profile& profile);
/// The same, each by the name of its own file only.
[[nodiscard]] std::vector<std::string> own_source_names(const Profile& profile);

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/model/profile.h"

namespace roofwalk {

/// Puts the file before the place of each warning: "run.ncu-rep, kernel 3". For readers, before they add
/// warnings that name the file themselves.
void name_file(Profile& profile, std::string_view file);

}  // namespace roofwalk

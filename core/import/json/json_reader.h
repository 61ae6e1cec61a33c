// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/model/profile.h"

namespace roofwalk {

/// Reads Roofwalk profile JSON (`resources/schema/profile.schema.json`), full or short form, and JSON Lines:
/// the header object on line 1, one kernel a line after it. Recordings of several processes in one text
/// become one profile. `name` stands for the file in messages.
[[nodiscard]] Result<Profile> read_json(std::string_view text, const std::string& name,
                                        const Progress& progress = {});

}  // namespace roofwalk

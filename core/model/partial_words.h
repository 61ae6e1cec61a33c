// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/model/profile.h"

namespace roofwalk {

/// "run.ncu-rep is incomplete, lost.json could not be read", a clause for captions: what was damaged,
/// recorded only in part, or could not be read at all lacks kernels and their time. Of paths the last part;
/// empty where everything was read.
[[nodiscard]] std::string partial_words(const Profile& profile);

/// "run.ncu-rep is incomplete; kernels and their time may be missing."; empty like the clause.
[[nodiscard]] std::string partial_sentence(const Profile& profile);

}  // namespace roofwalk

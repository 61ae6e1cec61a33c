// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/model/profile.h"

namespace roofwalk {

/// "only a part of run.ncu-rep could be read", a clause for captions: what was damaged, or stopped before its
/// end, may lack kernels and their time. Of paths the last part; empty where everything was read.
[[nodiscard]] std::string partial_words(const Profile& profile);

/// "Only a part of run.ncu-rep could be read; kernels and their time may be missing."; empty like the clause.
[[nodiscard]] std::string partial_sentence(const Profile& profile);

}  // namespace roofwalk

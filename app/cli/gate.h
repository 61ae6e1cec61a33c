// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/roofline/analysis.h"

namespace roofwalk::cli {

/// Whether every kernel whose gap is known reaches at least `percent` of its binding roof. Kernels that do
/// not are named on stderr, and the last line there says how the gate ended and how many kernels could not be
/// judged. A gate that judged no kernel, or of whose files only a part could be read, has not been passed.
[[nodiscard]] bool passes_gate(const Profile& profile, const Analysis& analysis, double percent);

/// Check of the command line: what is wrong with a limit, or nothing.
[[nodiscard]] std::string gate_limit_check(const std::string& text);

}  // namespace roofwalk::cli

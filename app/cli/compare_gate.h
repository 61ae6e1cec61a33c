// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/compare/comparison.h"

namespace roofwalk::cli {

/// Whether no kernel takes more than `percent` longer in the newest report than in the oldest, with the
/// habits of passes_gate(): failures on stderr, then how the gate ended and what could not be judged. Slower
/// within the noise is not slower. A gate that judged no kernel, that met counters which contradict each
/// other, or of whose files only a part could be read, has not been passed.
[[nodiscard]] bool passes_slower_gate(const Comparison& comparison, double percent);

}  // namespace roofwalk::cli

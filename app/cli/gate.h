// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/roofline/analysis.h"

namespace roofwalk::cli {

/// Whether every kernel whose gap is known reaches at least `percent` of its binding roof. Kernels that do
/// not are named on stderr. A gate that could judge no kernel at all has not been passed.
[[nodiscard]] bool passes_gate(const Analysis& analysis, double percent);

}  // namespace roofwalk::cli

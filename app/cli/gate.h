// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/compare/comparison.h"
#include "core/roofline/analysis.h"

namespace roofwalk::cli {

/// What --fail-below asks for.
struct GateLimits {
    double percent = 0;      ///< of the nearest limit, to be reached
    double least_share = 0;  ///< per cent of the time; kernels with less are not judged
    bool with_sign = false;  ///< `percent` was written as "0.5%": no share is meant
};

/// An error where a gate would judge by the roofs of a GPU that is guessed: one whose name, of the files or
/// as typed for `--device`, fits several of the built-in table.
[[nodiscard]] Result<void> check_no_guess(const Profile& profile, const Analysis& analysis,
                                          const std::string& typed);

/// Whether every kernel reaches at least the limit: of its binding roof or a unit that the profiler found
/// nearer to its own limit, by which recoverable time is told too; without a roof of what is nearest. Kernels
/// that do not are named on stderr with what judges them and what is not known and may explain it, as are
/// those of which no share is known, or only a bound that does not decide; the last line there says how the
/// gate ended and how many kernels could not be judged. A gate that judged no kernel, that met counters which
/// contradict each other or a kernel at more than 130 % of its limit, or of whose files only a part could be
/// read, has not been passed.
[[nodiscard]] bool passes_gate(const Profile& profile, const Analysis& analysis, const GateLimits& limits);

/// Whether no kernel takes more than `percent` longer in the newest report than in the oldest, with the
/// habits of passes_gate(): failures on stderr, then how the gate ended and what could not be judged. Slower
/// within the noise is not slower. A gate that judged no kernel, that met counters which contradict each
/// other, or of whose files only a part could be read, has not been passed.
[[nodiscard]] bool passes_slower_gate(const Comparison& comparison, double percent);

}  // namespace roofwalk::cli

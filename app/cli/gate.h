// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/roofline/analysis.h"

namespace roofwalk::cli {

/// What --fail-below asks for.
struct GateLimits {
    double percent = 0;      ///< of the binding roof, to be reached
    double least_share = 0;  ///< per cent of the time; kernels with less are not judged
};

/// Whether every kernel whose gap is known reaches at least the limit of its binding roof. Kernels that do
/// not are named on stderr, and the last line there says how the gate ended and how many kernels could not be
/// judged. A gate that judged no kernel, that met counters which contradict each other, or of whose files
/// only a part could be read, has not been passed.
[[nodiscard]] bool passes_gate(const Profile& profile, const Analysis& analysis, const GateLimits& limits);

/// Checks of the command line: what is wrong with a limit of this gate, or nothing.
[[nodiscard]] std::string gate_limit_check(const std::string& text);
[[nodiscard]] std::string gate_share_check(const std::string& text);

/// What the gates have in common.
inline constexpr std::size_t kernels_said = 20;  ///< failures with a line of their own
/// "gate: and 3 kernels more `why`", for those beyond the lines of their own; nothing without any.
void say_more(std::size_t failures, std::string_view why, GroupBy rows);
/// The name of a kernel in a line for people.
[[nodiscard]] std::string name_said(std::string_view kernel);
/// Of every file that could be read in part only; empty when all are whole.
[[nodiscard]] std::string partial_files(const Profile& profile);
/// "'x' is not `what`: a number from 0 to 100, such as 60"; nothing when it is one.
[[nodiscard]] std::string per_cent_check(const std::string& text, std::string_view what,
                                         std::string_view example, double largest);

}  // namespace roofwalk::cli

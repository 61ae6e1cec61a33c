// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/report/advice_report.h"

/// Words that text and Markdown have in common.
namespace roofwalk {

/// "61.0 % of the time, 195 µs, 3 launches"
[[nodiscard]] std::string time_words(const KernelPoint& point);
/// "right; up to 1.41x fewer sectors"; empty where the rule moves nothing.
[[nodiscard]] std::string worth_words(const Advice& advice);
/// The evidence, one after the other.
[[nodiscard]] std::string evidence_words(const Advice& advice);
/// What is missing, one after the other: "waits at barriers".
[[nodiscard]] std::string missing_words(const Advice& advice);
/// "Below the memory roof (L1; SM busy)": with the level or pipe that binds, and the unit that is busy.
[[nodiscard]] std::string place_words(Position position, const KernelPoint& point);
/// Why a kernel has no position.
[[nodiscard]] std::string no_position_words(const KernelPoint& point, const Thresholds& limits);
/// What is said of a kernel alone; of figures that are no exact counts the report speaks once.
[[nodiscard]] std::vector<Advice> warnings_of_one_kernel(const KernelAdvice& advice);
/// The figures of a report that are no exact counts, and of which kernels, by number; empty without any.
[[nodiscard]] std::string inexact_words(const AdviceReport& report, const Analysis& analysis);
/// The levels in words; empty where nothing is known of them.
[[nodiscard]] std::string level_words(const KernelPoint& point);

}  // namespace roofwalk

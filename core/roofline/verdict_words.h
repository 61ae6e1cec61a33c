// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/sentences.h"
#include "core/roofline/verdict.h"

namespace roofwalk {

/// The rule that fired, with the numbers it saw: "near the roof: 86 % of the HBM ceiling (limit 80 %)". Made
/// on demand, since a million launches would otherwise carry a million sentences.
[[nodiscard]] std::string rule_text(const KernelPoint& point, const VerdictThresholds& thresholds);
/// "left of the L2 ridge (AI 1.20, ridge 13.4, near it)", of ridge_place(); empty where it is not known.
[[nodiscard]] std::string ridge_words(const KernelPoint& point);
/// The sentence that stands first in the kernel panel: "Memory-bound: 3.40x below the HBM roof (29.4 %
/// of 1.94 TB/s)."
[[nodiscard]] Sentences verdict_sentences(const KernelPoint& point);
/// "To the HBM roof with the same bytes: 12.3 µs.": recoverable_time(), and what it is told against;
/// with the time of all kernels also its share of that. Empty where it is not known.
[[nodiscard]] std::string recoverable_words(const KernelPoint& point, Seconds program = {});
/// Low use that a busy unit explains: "SM-bound".
[[nodiscard]] bool is_bound_by_unit(const Verdict& verdict);
/// "at least ", "at most "; empty of an exact figure.
[[nodiscard]] std::string_view words_of(ShareBound bound);
/// The same as a sign: "≥ ", "≤ ".
[[nodiscard]] std::string_view sign_of(ShareBound bound);
/// Of the distance to its limit that a share leaves.
[[nodiscard]] ShareBound bound_of_distance(ShareBound of_share);
/// words_of() that stand before share_of_limit(), or before the distance that it leaves.
[[nodiscard]] std::string_view bound_words(const KernelPoint& point, bool of_distance = false);
/// Where launches bind a kernel that was measured: how much of its time they take at least.
[[nodiscard]] std::optional<double> share_of_launches(const KernelPoint& point);
/// "launches take at least 3.46 µs of its 4.82 µs, "; empty where a limit leaves less, and near the roof.
/// Times, no factor: how far a kernel is from its limit is the only one. Where they bind, a sentence, and the
/// start of one on roofs.
[[nodiscard]] std::string above_launch_floor(const KernelPoint& point);
/// "8.30x below the limit of SM (12.0 % busy), ": what leaves a kernel less to gain
/// than its roof or nearest limit; empty where that does. `end` stands behind it.
[[nodiscard]] std::string nearer_than_the_roof(const KernelPoint& point, std::string_view end = ", ");
/// "2.22x below SM (45.0 % busy)": how far from its limit a unit is that was so busy.
[[nodiscard]] std::string distance_of_unit(const BusyUnit& busy, MemoryName memory, bool approximate);
/// "fewer bytes next", "fusion or smaller types next", "less work next": what is left near its roof to a
/// kernel whose operation is known; else empty.
[[nodiscard]] std::string_view next_near_roof(const KernelPoint& point);
/// "19.3 % of its L1 roof", where a unit binds that is nearer to its limit; else empty.
[[nodiscard]] std::string roof_beside(const KernelPoint& point);
/// What its counters hold against its operation, or against the precision that is assumed; else empty.
[[nodiscard]] std::string doubt_words(const KernelPoint& point);
/// Likely causes of a kernel above its roof, one sentence each. An L2 that cannot hold the bytes explains
/// nothing.
[[nodiscard]] std::vector<std::string> above_roof_causes(const KernelPoint& point, const Device& device = {});

}  // namespace roofwalk

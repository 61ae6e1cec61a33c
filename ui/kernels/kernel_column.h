// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>

#include "core/roofline/analysis.h"

namespace roofwalk {

/// Columns of the kernel table, left to right.
enum class KernelColumn : std::uint8_t {
    name,
    time,
    gap,
    verdict,
    efficiency,
    binding,
    performance,
    intensity,
    launches,
};

inline constexpr int kernel_column_count = 9;

[[nodiscard]] QString title_of(KernelColumn column);
/// What the column shows, for the header's tooltip.
[[nodiscard]] QString meaning_of(KernelColumn column);
/// The cell in words, scaled and with its unit, or why there is no number: a dash where it was not measured,
/// "no bytes" for a measured zero, "not shown" for a level that is switched off.
[[nodiscard]] QString cell_text(const KernelPoint& point, KernelColumn column,
                                const AnalysisOptions& options);
/// The cell for a screen reader: "not measured" for the dash.
[[nodiscard]] QString spoken_text(const KernelPoint& point, KernelColumn column,
                                  const AnalysisOptions& options);
/// Whether words or a dash stand where a number or a ceiling would.
[[nodiscard]] bool is_missing(const KernelPoint& point, KernelColumn column, const AnalysisOptions& options);
/// The number a column sorts by; absent numbers come last in both directions. Text columns have none.
[[nodiscard]] std::optional<double> sort_number(const KernelPoint& point, KernelColumn column,
                                                const AnalysisOptions& options);
[[nodiscard]] bool sorts_by_text(KernelColumn column);

}  // namespace roofwalk

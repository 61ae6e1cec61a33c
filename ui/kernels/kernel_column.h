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
/// The cell in words, scaled and with its unit; a dash where a number was not measured.
[[nodiscard]] QString cell_text(const KernelPoint& point, KernelColumn column, OperationClass operations);
/// Whether a cell's text stands for a number that was not measured.
[[nodiscard]] bool is_missing(const QString& text);
/// The number a column sorts by; absent numbers come last in both directions. Text columns have none.
[[nodiscard]] std::optional<double> sort_number(const KernelPoint& point, KernelColumn column);
[[nodiscard]] bool sorts_by_text(KernelColumn column);

}  // namespace roofwalk

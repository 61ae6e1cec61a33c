// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/report/report_table.h"

/// What the columns of reports, comparisons and scenarios are made of.
namespace roofwalk {

/// A column, and how its cell is made of what a row stands for.
template <class Row>
struct ColumnRule {
    ReportColumn column;
    std::function<ReportCell(const Row&)> cell;
};

using KernelColumn = ColumnRule<KernelPoint>;

/// Writes the numbers of each column with an amount anew, in one unit: that in which the largest of its
/// quantity is below a thousand. Intensities stay in FLOP/byte.
void use_one_unit_per_column(ReportTable& table);

/// One row for each of `rows`.
template <class Row, class Rows>
ReportTable filled(const std::vector<ColumnRule<Row>>& rules, const Rows& rows) {
    ReportTable table;
    for (const ColumnRule<Row>& rule : rules)
        table.columns.push_back(rule.column);
    for (const Row& row : rows) {
        std::vector<ReportCell>& cells = table.rows.emplace_back();
        cells.reserve(rules.size());
        for (const ColumnRule<Row>& rule : rules)
            cells.push_back(rule.cell(row));
    }
    use_one_unit_per_column(table);
    return table;
}

inline ReportCell not_measured() {
    return {.number = {}, .text = "not measured", .known = false};
}

inline ReportCell word(std::string text) {
    return {.number = {}, .text = std::move(text), .known = true};
}

inline ReportCell number(double value, std::string text) {
    return {.number = value, .text = std::move(text), .known = true};
}

inline ReportCell does_not_apply() {
    return {.number = {}, .text = "–", .known = true, .applies = false};
}

inline ReportCell work_incomplete() {
    return word("work incomplete");
}

inline ReportCell no_ceiling_known() {
    return word("no ceiling known");
}

template <int F, int B, int T>
ReportCell amount(const std::optional<Quantity<F, B, T>>& value, const std::string& unit) {
    return value ? number(value->value(), format_si(value->value(), unit)) : not_measured();
}

/// The text says so where W, P or an intensity is a lower bound; the number stays a number.
[[nodiscard]] ReportCell at_least(const KernelPoint& point, ReportCell cell);
/// The intensity at a level, in `work_unit` per byte; without work there is none.
[[nodiscard]] ReportCell intensity_cell(const KernelPoint& point, MemoryLevel level,
                                        const std::string& work_unit);
/// Why no ceiling bounds a kernel.
[[nodiscard]] ReportCell why_unbound(const KernelPoint& point);
/// The label of the ceiling that binds, or why there is none.
[[nodiscard]] ReportCell binding_cell(const KernelPoint& point);
/// The share of the binding roof that is reached, or why it is not known.
[[nodiscard]] ReportCell roof_share_cell(const KernelPoint& point);

/// A number that rests on the gap of the kernel, or why there is none.
template <class Format>
ReportCell gap_cell(const KernelPoint& point, std::optional<double> value, Format format) {
    if (value) return number(*value, format(*value));
    return point.binding ? not_measured() : why_unbound(point);
}

/// Horizontal gap and potential, beside the vertical gap.
void add_gap_columns(ColumnPlace place, std::vector<KernelColumn>& rules);
/// Further figures of the target, and the operation with its source.
void add_target_columns(ColumnPlace place, const std::string& unit, std::vector<KernelColumn>& rules);

}  // namespace roofwalk

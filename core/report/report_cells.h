// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/report/report_table.h"
#include "core/roofline/utilisation.h"

/// What the columns of reports, comparisons and scenarios are made of.
namespace roofwalk {

/// What a window may say by the colour of a cell.
enum class CellTone : std::uint8_t { plain, faint, good, warning, bad };

/// A column, and how its cell is made of what a row stands for. All but `cell` may be left out.
template <class Row>
struct ColumnRule {
    ReportColumn column;
    std::function<ReportCell(const Row&)> cell;
    /// What rows are sorted and filtered by, where that is not what stands in the cell, or is found without
    /// making its text: a window sorts a million rows. Of a class its place among the classes.
    std::function<std::optional<double>(const Row&)> number = {};
    std::function<std::optional<std::string>(const Row&)> text = {};
    /// What part of the whole a number is.
    std::function<std::optional<double>(const Row&)> share = {};
    /// What a tooltip says where that is more than the text of the cell; may be empty.
    std::function<std::string(const Row&)> note = {};
    std::function<CellTone(const Row&)> tone = {};
    /// A shorter text of the cell, where a window has no room for it.
    std::function<std::string(const Row&)> brief = {};
    /// The cell of a window, where it tells more than that of files.
    std::function<ReportCell(const Row&)> in_window = {};

    [[nodiscard]] std::optional<double> number_of(const Row& row) const {
        return number ? number(row) : cell(row).number;
    }
    [[nodiscard]] std::optional<std::string> text_of(const Row& row) const {
        if (text) return text(row);
        ReportCell there = cell(row);
        return there.known && there.applies ? std::optional(std::move(there.text)) : std::nullopt;
    }
};

/// As it is written behind a prefix: "B/s" of "byte/s".
[[nodiscard]] std::string_view unit_behind_prefix(const ReportColumn& column);

/// Writes the numbers of each column with an amount anew, in one unit: that in which the largest of its
/// quantity is below a thousand, or a smaller one where others have too many zeros in that. Beyond a factor
/// of a million it is that of most numbers, and others have their own. Intensities stay in FLOP/byte.
void use_one_unit_per_column(ReportTable& table);

/// The table of the exports: one row for each of `rows`.
template <class Row, class Rows>
ReportTable export_table(std::vector<ColumnRule<Row>> rules, const Rows& rows) {
    std::erase_if(rules, [](const auto& rule) { return rule.column.place == ColumnPlace::window_only; });
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

inline ReportCell word_cell(std::string text) {
    return {.number = {}, .text = std::move(text), .known = true};
}

inline ReportCell number_cell(double value, std::string text) {
    return {.number = value, .text = std::move(text), .known = true};
}

/// The same cell, its number marked where it is approximate, or was already.
inline ReportCell marked_if(bool approximate, ReportCell cell) {
    if (!approximate || cell.approximate || !cell.number) return cell;
    cell.approximate = true;
    cell.text = marked_if(true, cell.text);
    return cell;
}

/// A cell of a figure of the kernel, of which contradicting counters may be why it is not known.
inline ReportCell or_contradicted(const KernelPoint& point, const ReportCell& cell) {
    return cell.known || !point.lacks_contradicted ? cell : word_cell("contradicted");
}

inline ReportCell does_not_apply() {
    return {.number = {}, .text = "–", .known = true, .applies = false};
}

inline ReportCell work_incomplete() {
    return word_cell("work incomplete");
}

inline ReportCell no_ceiling_known() {
    return word_cell("no ceiling known");
}

template <int F, int B, int T>
ReportCell quantity_cell(const std::optional<Quantity<F, B, T>>& value, const std::string& unit) {
    return value ? number_cell(value->value(), format_si(value->value(), unit)) : not_measured();
}

/// The text says so where W, P or an intensity is a lower bound; the number stays a number.
[[nodiscard]] ReportCell at_least(const KernelPoint& point, ReportCell cell);
/// The same of a share that is known at least or at most only, or of the distance that it leaves.
[[nodiscard]] ReportCell bounded(ShareBound bound, ReportCell cell, bool of_distance = false);
/// The intensity at a level, in `work_unit` per byte; without work there is none.
[[nodiscard]] ReportCell intensity_cell(const KernelPoint& point, MemoryLevel level,
                                        const std::string& work_unit);
[[nodiscard]] ReportCell bytes_cell(const KernelPoint& point, MemoryLevel level);
/// Why no ceiling bounds a kernel.
[[nodiscard]] ReportCell why_unbound(const KernelPoint& point);
/// limit_label() and share_of_limit(), or "launch" and share_of_launches().
[[nodiscard]] std::string bound_by(const KernelPoint& point);
[[nodiscard]] std::optional<double> share_of_bound(const KernelPoint& point);
/// The label of what binds, or why there is none.
[[nodiscard]] ReportCell binding_cell(const KernelPoint& point);
/// The share of the binding roof that is reached, or why it is not known.
[[nodiscard]] ReportCell roof_share_cell(const KernelPoint& point);

/// gain_of(), a range where less saves more; or why it is not known.
[[nodiscard]] ReportCell recoverable_cell(const KernelPoint& point);

/// A number that rests on the gap of the kernel, or why there is none.
template <class Format>
ReportCell gap_cell(const KernelPoint& point, std::optional<double> value, Format format) {
    if (value) return marked_if(has_approximate_gap(point), number_cell(*value, format(*value)));
    return point.binding ? not_measured() : why_unbound(point);
}

/// The columns of a table in the window, from the left, of rows that `row_at` finds by a number. Of one that
/// a person hid the cells say so.
template <class Row, class RowAt>
std::vector<ColumnRule<std::uint32_t>> window_columns(const std::vector<ColumnRule<Row>>& rules,
                                                      RowAt row_at) {
    const auto by_number = [&](const auto& of_row) {
        using Cell = std::decay_t<decltype(of_row(std::declval<const Row&>()))>;
        std::function<Cell(const std::uint32_t&)> found;
        if (of_row) found = [=](std::uint32_t row) { return of_row(row_at(row)); };
        return found;
    };
    std::vector<ColumnRule<std::uint32_t>> columns;
    for (const ColumnRule<Row>& rule : rules)
        if (rule.column.window > 0 && rule.column.place == ColumnPlace::files_only)
            columns.push_back({rule.column, [](std::uint32_t) { return word_cell("not shown"); }});
        else if (rule.column.window > 0)
            columns.push_back({rule.column, by_number(rule.in_window ? rule.in_window : rule.cell),
                               by_number(rule.number), by_number(rule.text), by_number(rule.share),
                               by_number(rule.note), by_number(rule.tone), by_number(rule.brief)});
    std::ranges::sort(columns, {}, [](const auto& rule) { return rule.column.window; });
    return columns;
}

}  // namespace roofwalk

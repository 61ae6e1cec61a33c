// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "core/base/text.h"
#include "core/report/report_table.h"

namespace roofwalk {

namespace {

constexpr std::string_view line_end = "\r\n";

/// A semicolon separates fields where a comma is the decimal sign.
std::string quoted(std::string_view text) {
    if (text.find_first_of(",;\"") == std::string_view::npos) return std::string(text);
    std::string field = "\"";
    for (const char c : text) {
        if (c == '"') field += '"';
        field += c;
    }
    return field + '"';
}

/// A spreadsheet runs a cell that begins like this, or its full-width form, as a formula; a profile may come
/// from a stranger.
bool looks_like_formula(std::string_view text) {
    constexpr std::array<std::string_view, 16> starts{"﹢", "﹣", "﹦", "﹫", "=",  "+",  "-",  "@",
                                                      ";",  "\t", "\r", "\n", "＝", "＋", "－", "＠"};
    const std::string_view seen = without_blank_start(text);
    return std::ranges::any_of(starts, [&](std::string_view start) { return seen.starts_with(start); });
}

/// Where a semicolon separates, what stands behind one is a cell too, whatever quotes are around the whole.
std::string without_formulas(std::string_view text) {
    std::string safe;
    while (true) {
        if (looks_like_formula(text)) safe += '\'';
        const auto end = text.find(';');
        safe += text.substr(0, end);
        if (end == std::string_view::npos) return safe;
        safe += ';';
        text.remove_prefix(end + 1);
    }
}

std::string field_of(const ReportColumn& column, const ReportCell& cell) {
    if (column.numeric())
        return cell.number && std::isfinite(*cell.number) ? fmt::format("{}", *cell.number) : std::string();
    if (!cell.known || !cell.applies) return {};
    return quoted(with_escapes(without_formulas(cell.text)));
}

}  // namespace

std::string to_csv(const ReportTable& table) {
    std::string csv;
    for (const ReportColumn& column : table.columns) {
        if (&column != &table.columns.front()) csv += ',';
        csv += quoted(column.unit.empty() ? column.id : column.id + " [" + column.unit + "]");
    }
    return csv.append(line_end) + csv_rows(table);
}

std::string csv_rows(const ReportTable& table) {
    std::string csv;
    for (const auto& row : table.rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i != 0) csv += ',';
            csv += field_of(table.columns[i], row[i]);
        }
        csv += line_end;
    }
    return csv;
}

}  // namespace roofwalk

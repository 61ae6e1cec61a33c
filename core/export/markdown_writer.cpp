// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/markdown_text.h"
#include "core/export/report_table.h"
#include "core/model/kernel_name.h"

namespace roofwalk {

namespace {

constexpr std::size_t longest_name = 60;

std::string cell_text(const ReportCell& cell, bool is_name) {
    return escape_markdown(is_name ? shorten_kernel_name(cell.text, longest_name) : cell.text);
}

std::string unit_of(const ReportColumn& column) {
    return column.shown_unit.empty() ? std::string() : " (" + column.shown_unit + ")";
}

}  // namespace

std::string to_markdown(const ReportTable& table) {
    std::string head = "|";
    std::string rule = "|";
    for (const ReportColumn& column : table.columns) {
        head += ' ' + escape_markdown(column.title + unit_of(column)) + " |";
        rule += column.numeric ? " ---: |" : " --- |";
    }
    std::string markdown = head + '\n' + rule + '\n';
    for (const auto& row : table.rows) {
        markdown += '|';
        for (std::size_t i = 0; i < row.size(); ++i)
            markdown += ' ' + cell_text(row[i], i == 0) + " |";
        markdown += '\n';
    }
    if (!table.note.empty()) markdown += '\n' + escape_markdown(table.note) + '\n';
    return markdown;
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include <numeric>
#include <span>

#include "core/base/text.h"
#include "core/report/report_table.h"

namespace roofwalk {

namespace {

std::string unit_of(const ReportColumn& column) {
    return column.shown_unit.empty() ? std::string() : " (" + column.shown_unit + ")";
}

}  // namespace

std::string to_markdown(const ReportTable& table, TextColumns columns) {
    ShownColumns shown = shown_columns(table, columns);
    if (columns == TextColumns::every) {
        shown.below.clear();
        shown.columns.resize(table.columns.size());
        std::iota(shown.columns.begin(), shown.columns.end(), std::size_t{0});
    }
    std::string head = "|";
    std::string rule = "|";
    for (const std::size_t place : shown.columns) {
        const ReportColumn& column = table.columns[place];
        head += ' ' + escape_markdown(column.title + unit_of(column)) + " |";
        rule += column.numeric() ? " ---: |" : " --- |";
    }
    std::string markdown = head + '\n' + rule + '\n';
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        markdown += "| " + escape_markdown(shown.names[row]) + " |";
        for (const std::size_t place : std::span(shown.columns).subspan(1))
            markdown += ' ' + escape_markdown(table.rows[row][place].text) + " |";
        markdown += '\n';
    }
    for (const std::string& sentence : shown.below)
        markdown += '\n' + escape_markdown(sentence) + '\n';
    if (!table.note.empty()) markdown += '\n' + escape_markdown(table.note) + '\n';
    return markdown;
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/model/kernel_name.h"
#include "core/report/report_table.h"

namespace roofwalk {

namespace {

constexpr std::size_t longest_name = 60;

std::string unit_of(const ReportColumn& column) {
    return column.shown_unit.empty() ? std::string() : " (" + column.shown_unit + ")";
}

}  // namespace

std::string to_markdown(const ReportTable& table, TextColumns columns) {
    ShownColumns shown;
    if (columns != TextColumns::every) shown = shown_columns(table, columns);
    for (std::size_t i = 0; columns == TextColumns::every && i < table.columns.size(); ++i)
        shown.columns.push_back(i);
    std::string head = "|";
    std::string rule = "|";
    for (const std::size_t place : shown.columns) {
        const ReportColumn& column = table.columns[place];
        head += ' ' + escape_markdown(column.title + unit_of(column)) + " |";
        rule += column.numeric() ? " ---: |" : " --- |";
    }
    std::string markdown = head + '\n' + rule + '\n';
    std::vector<std::string_view> whole;
    for (const auto& row : table.rows)
        whole.emplace_back(row.front().text);
    const SimilarNames names(std::move(whole));
    for (const auto& row : table.rows) {
        markdown += "| " + escape_markdown(names.shortened(row.front().text, longest_name)) + " |";
        for (const std::size_t place : std::span(shown.columns).subspan(1))
            markdown += ' ' + escape_markdown(row[place].text) + " |";
        markdown += '\n';
    }
    for (const std::string& sentence : shown.below)
        markdown += '\n' + escape_markdown(sentence) + '\n';
    if (!table.note.empty()) markdown += '\n' + escape_markdown(table.note) + '\n';
    return markdown;
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/report_table.h"
#include "core/export/text_width.h"
#include "core/model/kernel_name.h"

namespace roofwalk {

namespace {

constexpr std::size_t longest_name = 60;
constexpr std::string_view markup = "\\`*_[]<>|~&#@";

std::string escaped(std::string_view text) {
    std::string safe;
    for (const char c : one_line(text)) {
        if (markup.find(c) != std::string_view::npos) safe += '\\';
        safe += c;
    }
    return safe;
}

std::string cell_text(const ReportCell& cell, bool is_name) {
    return escaped(is_name ? shorten_kernel_name(cell.text, longest_name) : cell.text);
}

}  // namespace

std::string to_markdown(const ReportTable& table) {
    std::string head = "|";
    std::string rule = "|";
    for (const ReportColumn& column : table.columns) {
        head += ' ' + escaped(column.title) + " |";
        rule += column.numeric ? " ---: |" : " --- |";
    }
    std::string markdown = head + '\n' + rule + '\n';
    for (const auto& row : table.rows) {
        markdown += '|';
        for (std::size_t i = 0; i < row.size(); ++i)
            markdown += ' ' + cell_text(row[i], i == 0) + " |";
        markdown += '\n';
    }
    return markdown;
}

}  // namespace roofwalk

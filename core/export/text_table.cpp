// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <vector>

#include "core/export/report_table.h"
#include "core/export/text_width.h"
#include "core/model/kernel_name.h"

namespace roofwalk {

namespace {

constexpr std::string_view gutter = "  ";
constexpr std::size_t narrowest_name = 20;
constexpr std::size_t widest_name = 60;

std::string padded(const std::string& text, std::size_t width, bool right) {
    const std::size_t used = display_width(text);
    const std::string space(width > used ? width - used : 0, ' ');
    return right ? space + text : text + space;
}

/// The name in at most `width` terminal columns.
std::string fitted_name(const std::string& name, std::size_t width) {
    const std::string clean = one_line(name);
    std::string shown = shorten_kernel_name(clean, width);
    for (std::size_t chars = width; chars > 1 && display_width(shown) > width; --chars)
        shown = shorten_kernel_name(clean, chars - 1);
    return shown;
}

std::size_t column_width(const ReportTable& table, std::size_t column) {
    std::size_t widest = display_width(table.columns[column].title);
    for (const auto& row : table.rows)
        widest = std::max(widest, display_width(one_line(row[column].text)));
    return widest;
}

/// Widths of the columns that fit, the first one included.
std::vector<std::size_t> lay_out(const ReportTable& table, std::size_t width) {
    std::size_t name = display_width(table.columns.front().title);
    for (const auto& row : table.rows)
        name = std::max(name, display_width(fitted_name(row.front().text, widest_name)));
    std::vector<std::size_t> widths{name};
    std::size_t used = std::min(name, narrowest_name);
    for (std::size_t column = 1; column < table.columns.size(); ++column) {
        const std::size_t wanted = column_width(table, column);
        if (width != 0 && used + gutter.size() + wanted > width) break;
        used += gutter.size() + wanted;
        widths.push_back(wanted);
    }
    if (width != 0) {
        const std::size_t others = used - std::min(name, narrowest_name);
        widths.front() = std::min(name, std::max(width, others + 1) - others);
    }
    return widths;
}

void end_line(std::string& text) {
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
}

}  // namespace

std::string to_text(const ReportTable& table, std::size_t width) {
    if (table.columns.empty()) return {};
    const std::vector<std::size_t> widths = lay_out(table, width);
    std::string text;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        if (i != 0) text += gutter;
        text += padded(table.columns[i].title, widths[i], table.columns[i].numeric);
    }
    end_line(text);
    for (const auto& row : table.rows) {
        text += padded(fitted_name(row.front().text, widths.front()), widths.front(), false);
        for (std::size_t i = 1; i < widths.size(); ++i) {
            text += gutter;
            text += padded(one_line(row[i].text), widths[i], table.columns[i].numeric);
        }
        end_line(text);
    }
    return text;
}

}  // namespace roofwalk

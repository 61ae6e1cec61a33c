// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace roofwalk {

struct ReportTable;

/// Columns that valid UTF-8 takes in a terminal: wide East Asian characters and emoji two, combining marks
/// none.
[[nodiscard]] std::size_t display_width(std::string_view text);

/// What to_text() has room for of the columns that are read first, by their numbers, and of the names.
struct MainColumns {
    std::vector<std::size_t> columns;  ///< the first column among them
    std::vector<std::string> names;    ///< of the rows, shortened
};
[[nodiscard]] MainColumns main_columns(const ReportTable& table);

}  // namespace roofwalk

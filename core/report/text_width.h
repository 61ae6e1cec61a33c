// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

namespace roofwalk {

/// Columns that valid UTF-8 takes in a terminal: wide East Asian characters and emoji two, combining marks
/// none.
[[nodiscard]] std::size_t display_width(std::string_view text);

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/chart/svg/svg_writer.h"

namespace roofwalk::cli {

/// "900x600", each side 200 to 10,000 px.
[[nodiscard]] std::optional<PageSize> chart_size(const std::string& text);

/// Checks of the command line: what is wrong with the argument, or nothing.
[[nodiscard]] std::string chart_size_check(const std::string& text);
[[nodiscard]] std::string svg_target(const std::string& file);

}  // namespace roofwalk::cli

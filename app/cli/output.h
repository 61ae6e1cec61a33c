// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"

namespace roofwalk::cli {

/// Writes `text` to stdout when `target` is "-", else to the file of that name: a regular file is replaced
/// whole or left as it was. A reader that closes its end of a pipe early is no error.
[[nodiscard]] Result<void> write_output(const std::string& target, std::string_view text);

/// The same for lines for people, which may hold names and paths: printable_lines().
[[nodiscard]] Result<void> write_words(const std::string& target, std::string_view text);

}  // namespace roofwalk::cli

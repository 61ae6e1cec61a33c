// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/file_writer.h"

namespace roofwalk::cli {

/// Writes `text` to stdout when `target` is "-", else to the file of that name: a regular file is replaced
/// whole or left as it was, and one that was read is refused. A reader that closes its end of a pipe early is
/// no error.
[[nodiscard]] Result<void> write_output(const std::string& target, std::string_view text);
/// The same in parts, without holding them.
[[nodiscard]] Result<void> write_output(const std::string& target, const Content& content);

/// Files that are read: write_output() refuses to replace them.
void keep_from_output(const std::string& input);
/// A file that was read, and is to be replaced by what was made of it.
void let_output_replace(const std::string& input);

/// The same for lines for people, which may hold names and paths: printable_lines().
[[nodiscard]] Result<void> write_words(const std::string& target, std::string_view text);

}  // namespace roofwalk::cli

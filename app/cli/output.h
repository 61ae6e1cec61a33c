// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/file_writer.h"

namespace CLI {
class App;
}

namespace roofwalk {
struct ReportTable;
}

namespace roofwalk::cli {

/// How a table is written, and where.
struct TableOutput {
    std::string format;
    std::string output = "-";
    bool wide = false;
};

/// --format, -o and --wide.
void add_table_output(CLI::App& verb, TableOutput& options);
/// --format, one of `formats`, and -o. Without --format a file is written as its name says, as the first
/// where it names no format; the suffix of a known one that is not theirs is refused.
void add_output_options(CLI::App& verb, std::string& format, std::string& output,
                        const std::vector<std::string>& formats);

/// Whether a person sees what is written there, beside what is said on stderr.
[[nodiscard]] bool is_on_terminal(const std::string& output);

/// With its dot, in small letters; empty where nothing is behind the dot.
[[nodiscard]] std::string suffix_of(const std::string& file);

/// In every format but JSON.
[[nodiscard]] std::string as_text(const ReportTable& table, const TableOutput& options);

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

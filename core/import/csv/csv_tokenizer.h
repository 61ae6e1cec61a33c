// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace roofwalk {

/// One record of a CSV text.
struct CsvRecord {
    std::vector<std::string> fields;
    std::size_t line = 0;         ///< where it starts, counted from 1
    bool last_is_quoted = false;  ///< and closed, so that the last field is whole
};

/// Splits CSV text into records (RFC 4180): fields may be quoted, "" stands for a quote inside, quoted fields
/// may span lines; lines end with LF, CR LF, or the end of the text. Empty lines are skipped.
class CsvTokenizer {
  public:
    /// The most fields of a record; the wide form of all metrics has some 10,000.
    static constexpr std::size_t most_fields = std::size_t{1} << 16U;

    explicit CsvTokenizer(std::string_view text) : text_(text) {}

    /// The next record, or nothing at the end. Errors name the line: a quote that is never closed, text after
    /// a closing quote, a NUL byte, more than `most_fields` fields.
    [[nodiscard]] Result<std::optional<CsvRecord>> next();

    /// Skips the rest of the current line. Between records this is the whole next line.
    void skip_line();
    /// The line that next() would read, without its end.
    [[nodiscard]] std::string_view peek_line() const;
    /// Line number of that line, counted from 1.
    [[nodiscard]] std::size_t line() const { return line_; }
    [[nodiscard]] std::size_t offset() const { return at_; }
    [[nodiscard]] bool at_end() const { return at_ == text_.size(); }

  private:
    [[nodiscard]] Result<std::string> quoted_field();
    [[nodiscard]] Result<std::string> plain_field();
    [[nodiscard]] bool at_line_end() const;
    void take_line_end();
    [[nodiscard]] static Error broken(std::string what, std::size_t line);

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t line_ = 1;
};

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/csv/csv_tokenizer.h"

#include <fmt/format.h>

#include <algorithm>

namespace roofwalk {

Error CsvTokenizer::broken(std::string what, std::size_t line) {
    return {ErrorCode::bad_csv, std::move(what), fmt::format("line {}", line),
            "The file was cut or edited; write it again."};
}

bool CsvTokenizer::at_line_end() const {
    return at_end() || text_[at_] == '\n' || text_.substr(at_).starts_with("\r\n");
}

void CsvTokenizer::take_line_end() {
    if (at_end()) return;
    at_ += text_[at_] == '\r' ? std::size_t{2} : std::size_t{1};
    ++line_;
}

std::string_view CsvTokenizer::peek_line() const {
    std::string_view line = text_.substr(at_, text_.find('\n', at_) - at_);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

void CsvTokenizer::skip_line() {
    const std::size_t end = text_.find('\n', at_);
    at_ = end == std::string_view::npos ? text_.size() : end + 1;
    ++line_;
}

Result<std::string> CsvTokenizer::quoted_field() {
    const std::size_t start = line_;
    std::string field;
    ++at_;
    while (true) {
        const std::size_t quote = text_.find('"', at_);
        if (quote == std::string_view::npos) return tl::unexpected(broken("A quote is never closed", start));
        const std::string_view part = text_.substr(at_, quote - at_);
        line_ += static_cast<std::size_t>(std::ranges::count(part, '\n'));
        field += part;
        at_ = quote + 1;
        if (at_end() || text_[at_] != '"') break;
        field += '"';
        ++at_;
    }
    if (!at_line_end() && text_[at_] != ',')
        return tl::unexpected(broken("There is text after a closing quote", line_));
    return field;
}

Result<std::string> CsvTokenizer::plain_field() {
    const std::size_t end = std::min(text_.find_first_of(",\n", at_), text_.size());
    std::string_view field = text_.substr(at_, end - at_);
    at_ = end;
    if (field.ends_with('\r') && (at_end() || text_[at_] == '\n')) {
        field.remove_suffix(1);
        if (!at_end()) --at_;
    }
    return std::string(field);
}

Result<std::optional<CsvRecord>> CsvTokenizer::next() {
    while (!at_end() && at_line_end())
        take_line_end();
    if (at_end()) return std::optional<CsvRecord>();
    CsvRecord record;
    record.line = line_;
    while (true) {
        record.last_is_quoted = !at_end() && text_[at_] == '"';
        auto field = record.last_is_quoted ? quoted_field() : plain_field();
        if (!field) return tl::unexpected(field.error());
        if (field->find('\0') != std::string::npos)
            return tl::unexpected(broken("There are bytes that are not text", record.line));
        if (record.fields.size() == most_fields)
            return tl::unexpected(
                broken(fmt::format("A line has more than {} fields", most_fields), record.line));
        record.fields.push_back(std::move(*field));
        if (at_line_end()) break;
        ++at_;
    }
    take_line_end();
    return std::optional(std::move(record));
}

}  // namespace roofwalk

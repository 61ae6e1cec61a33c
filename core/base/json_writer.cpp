// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_writer.h"

#include <algorithm>
#include <iterator>

#include "core/base/text.h"

namespace roofwalk {

namespace {

/// Beside what JSON forbids, what would steer a terminal is escaped: a file may be printed on one.
void append_escaped(std::string& out, std::string_view text) {
    std::string escaped;
    escaped.reserve(text.size());
    for (const char c : text) {
        switch (c) {
            case '"':
                escaped += "\\\"";
                break;
            case '\\':
                escaped += "\\\\";
                break;
            case '\n':
                escaped += "\\n";
                break;
            case '\t':
                escaped += "\\t";
                break;
            default:
                escaped += c;
        }
    }
    out += with_escapes(escaped);
}

}  // namespace

void JsonWriter::separate() {
    if (comma_) out_ += ',';
    if (new_line_) out_ += '\n';
    comma_ = false;
    new_line_ = false;
}

void JsonWriter::begin_object() {
    separate();
    out_ += '{';
}

void JsonWriter::end_object() {
    comma_ = false;
    separate();
    out_ += '}';
    comma_ = true;
}

void JsonWriter::begin_array() {
    separate();
    out_ += '[';
}

void JsonWriter::end_array() {
    comma_ = false;
    separate();
    out_ += ']';
    comma_ = true;
}

void JsonWriter::key(std::string_view name) {
    value(name);
    out_ += ':';
    comma_ = false;
}

void JsonWriter::next_line() {
    new_line_ = !one_line_;
}

void JsonWriter::end_line() {
    out_ += '\n';
    comma_ = false;
    new_line_ = false;
}

void JsonWriter::literal(std::string_view text) {
    separate();
    out_ += text;
    comma_ = true;
}

void JsonWriter::value(std::string_view text) {
    separate();
    append_json_string(out_, text);
    comma_ = true;
}

void JsonWriter::value(bool truth) {
    literal(truth ? "true" : "false");
}

void JsonWriter::value(double number) {
    if (!std::isfinite(number)) return null();
    fmt::memory_buffer digits;
    fmt::format_to(std::back_inserter(digits), "{}", number);
    literal({digits.data(), digits.size()});
}

void JsonWriter::null() {
    literal("null");
}

void JsonWriter::members(std::string_view text) {
    if (!text.empty()) literal(text);
}

void append_json_string(std::string& out, std::string_view text) {
    out += '"';
    if (std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7F && c != '"' && c != '\\'; }))
        out += text;
    else
        append_escaped(out, text);
    out += '"';
}

}  // namespace roofwalk

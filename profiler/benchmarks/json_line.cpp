// SPDX-License-Identifier: Apache-2.0
#include "profiler/benchmarks/json_line.h"

#include <array>
#include <charconv>
#include <cmath>

namespace roofwalk::ceilings {

void JsonLine::quoted(std::string_view value) {
    constexpr std::string_view digits = "0123456789abcdef";
    line_ += '"';
    for (const char letter : value) {
        const auto code = static_cast<unsigned char>(letter);
        if (letter == '"' || letter == '\\') {
            line_ += '\\';
            line_ += letter;
        } else if (code < 0x20) {
            line_ += "\\u00";
            line_ += digits[code >> 4U];
            line_ += digits[code & 15U];
        } else {
            line_ += letter;
        }
    }
    line_ += '"';
}

void JsonLine::key(std::string_view name) {
    if (line_.size() > 1) line_ += ',';
    quoted(name);
    line_ += ':';
}

JsonLine& JsonLine::text(std::string_view name, std::string_view value) {
    key(name);
    quoted(value);
    return *this;
}

JsonLine& JsonLine::number(std::string_view name, double value) {
    if (!std::isfinite(value)) return *this;
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    key(name);
    line_.append(digits.data(), end);
    return *this;
}

JsonLine& JsonLine::truth(std::string_view name, bool value) {
    key(name);
    line_ += value ? "true" : "false";
    return *this;
}

JsonLine& JsonLine::texts(std::string_view name, std::span<const std::string> values) {
    key(name);
    line_ += '[';
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0) line_ += ',';
        quoted(values[i]);
    }
    line_ += ']';
    return *this;
}

}  // namespace roofwalk::ceilings

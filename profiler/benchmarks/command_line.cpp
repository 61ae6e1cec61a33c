// SPDX-License-Identifier: Apache-2.0
#include "profiler/benchmarks/command_line.h"

#include <array>
#include <charconv>
#include <cmath>

namespace roofwalk::ceilings {

std::optional<CommandOptions> read_command_options(std::span<const char* const> arguments) {
    CommandOptions options;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string_view argument = arguments[i];
        const bool has_value = i + 1 < arguments.size();
        if (argument == "--list")
            options.list = true;
        else if (argument == "--device" && has_value)
            options.device = arguments[++i];
        else if (argument == "--lock-folder" && has_value)
            options.lock_folder = arguments[++i];
        else
            return std::nullopt;
    }
    return options;
}

std::optional<std::size_t> meant_device(const std::string& asked, std::span<const std::string> uuids) {
    if (asked.empty()) return uuids.empty() ? std::nullopt : std::optional<std::size_t>(0);
    std::size_t number = 0;
    const char* end = asked.data() + asked.size();
    const auto [stop, fault] = std::from_chars(asked.data(), end, number);
    constexpr std::size_t shortest_uuid = 8;
    if (fault == std::errc() && stop == end && asked.size() < shortest_uuid)
        return number < uuids.size() ? std::optional(number) : std::nullopt;
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < uuids.size(); ++i) {
        if (!uuids[i].starts_with(asked) && !uuids[i].starts_with("GPU-" + asked)) continue;
        if (found) return std::nullopt;
        found = i;
    }
    return found;
}

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

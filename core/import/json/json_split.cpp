// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/json/json_split.h"

#include <algorithm>
#include <array>

namespace roofwalk {

namespace {

bool is_space(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

bool ends_scalar(char c) {
    return c == ',' || c == ']' || c == '}' || c == ':';
}

char at_or_end(std::string_view text, std::size_t at) {
    return at < text.size() ? text[at] : '\0';
}

/// Offset behind the string that opens at `at`; absent when it does not close.
std::optional<std::size_t> end_of_string(std::string_view text, std::size_t at) {
    const std::size_t begin = at + 1;
    for (at = text.find('"', begin); at != std::string_view::npos; at = text.find('"', at + 1)) {
        std::size_t first = at;
        while (first > begin && text[first - 1] == '\\')
            --first;
        if ((at - first) % 2 == 0) return at + 1;
    }
    return std::nullopt;
}

/// Characters that matter to end_of_brackets; the others are passed over, as most of a file is.
constexpr std::array<bool, 256> structural = [] {
    std::array<bool, 256> table{};
    for (const char c : {'"', '{', '}', '[', ']'})
        table[static_cast<unsigned char>(c)] = true;
    return table;
}();

/// Offset behind the object or array that opens at `at`, strings skipped. Which bracket closes which is left
/// to the parser that reads the text in between.
std::optional<std::size_t> end_of_brackets(std::string_view text, std::size_t at) {
    std::size_t depth = 0;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (!structural[static_cast<unsigned char>(c)]) continue;
        if (c == '"') {
            const auto end = end_of_string(text, at);
            if (!end) return std::nullopt;
            at = *end - 1;
        } else if (c == '{' || c == '[') {
            ++depth;
        } else if (--depth == 0) {
            return at + 1;
        }
    }
    return std::nullopt;
}

/// Offset behind the value at `at`; absent when there is none or it does not close.
std::optional<std::size_t> end_of_value(std::string_view text, std::size_t at) {
    const char first = at_or_end(text, at);
    if (first == '"') return end_of_string(text, at);
    if (first == '{' || first == '[') return end_of_brackets(text, at);
    const std::size_t begin = at;
    while (at < text.size() && !is_space(text[at]) && !ends_scalar(text[at]))
        ++at;
    if (at == begin) return std::nullopt;
    return at;
}

/// No value could be taken at `at`: the text ends before it closes, or none begins there.
JsonDamage no_value(std::string_view text, std::size_t at) {
    return {at, at == text.size() || text[at] == '"' || text[at] == '{' || text[at] == '['};
}

/// Another character stands at `at` than must.
JsonDamage wrong_character(std::string_view text, std::size_t at) {
    return {at, at == text.size()};
}

}  // namespace

std::size_t skip_json_space(std::string_view text, std::size_t at) {
    while (at < text.size() && is_space(text[at]))
        ++at;
    return at;
}

std::optional<std::size_t> array_behind_key(std::string_view text, std::size_t key_end) {
    const std::size_t colon = skip_json_space(text, key_end);
    if (at_or_end(text, colon) != ':') return std::nullopt;
    const std::size_t open = skip_json_space(text, colon + 1);
    return at_or_end(text, open) == '[' ? std::optional(open) : std::nullopt;
}

std::size_t line_of(std::string_view text, std::size_t offset) {
    return 1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, offset), '\n'));
}

JsonDocument split_json_document(std::string_view text) {
    JsonDocument document;
    document.header = "{";
    std::size_t at = skip_json_space(text, 0);
    const auto broken = [&](JsonDamage damage) {
        document.damage = damage;
        document.end = text.size();
        document.header += '}';
        return document;
    };
    if (at_or_end(text, at) != '{') return broken(wrong_character(text, at));
    at = skip_json_space(text, at + 1);
    bool first = true;
    while (at_or_end(text, at) != '}' || !first) {
        if (at_or_end(text, at) != '"') return broken(wrong_character(text, at));
        const auto key_end = end_of_string(text, at);
        if (!key_end) return broken(no_value(text, at));
        const std::size_t colon = skip_json_space(text, *key_end);
        if (at_or_end(text, colon) != ':') return broken(wrong_character(text, colon));
        const std::size_t value = skip_json_space(text, colon + 1);
        const bool kernels =
            text.substr(at, *key_end - at) == R"("kernels")" && at_or_end(text, value) == '[';
        if (kernels) {
            document.kernels_twice = document.kernels_twice || document.kernels.has_value();
            document.kernels = value;
        }
        const auto value_end = end_of_value(text, value);
        if (!value_end) return broken(no_value(text, value));
        if (!kernels) {
            if (document.header.size() > 1) document.header += ',';
            document.header += text.substr(at, *value_end - at);
        }
        first = false;
        at = skip_json_space(text, *value_end);
        if (at_or_end(text, at) == '}') break;
        if (at_or_end(text, at) != ',') return broken(wrong_character(text, at));
        at = skip_json_space(text, at + 1);
    }
    document.end = at + 1;
    document.header += '}';
    return document;
}

std::optional<JsonRange> JsonArrayCursor::next() {
    at_ = skip_json_space(text_, at_);
    const char here = at_or_end(text_, at_);
    if (damage_ || here == ']') return std::nullopt;
    if (!first_) {
        if (here != ',') {
            damage_ = wrong_character(text_, at_);
            return std::nullopt;
        }
        at_ = skip_json_space(text_, at_ + 1);
    }
    first_ = false;
    const auto end = end_of_value(text_, at_);
    if (!end) {
        damage_ = no_value(text_, at_);
        return std::nullopt;
    }
    const JsonRange range{at_, *end};
    at_ = *end;
    return range;
}

}  // namespace roofwalk

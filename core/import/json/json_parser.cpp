// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/json/json_parser.h"

#include <algorithm>
#include <cctype>

#include "core/base/text.h"

namespace roofwalk {

namespace {

constexpr std::size_t longest_word = 20;

/// A word such as NaN where JSON wants a value; empty when there is none.
std::string_view bare_word(std::string_view text) {
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"') in_string = !in_string;
        if (in_string && text[i] == '\\') ++i;
        if (in_string || (text[i] != ':' && text[i] != ',' && text[i] != '[')) continue;
        const std::size_t value = std::min(text.find_first_not_of(" \t\r\n-+", i + 1), text.size());
        const std::string_view rest = text.substr(value, longest_word);
        const std::string_view word = rest.substr(0, rest.find_first_of(" \t\r\n,]}"));
        const bool letters = !word.empty() && (std::isalpha(static_cast<unsigned char>(word[0])) != 0);
        if (letters && word != "true" && word != "false" && word != "null") return word;
    }
    return {};
}

}  // namespace

bool JsonParser::parse(std::string_view text, JsonChecker& check, JsonElement& target) {
    // The parser looks a little beyond the end of its text, so it gets a copy with room behind it.
    padded_.assign(text);
    padded_.append(simdjson::SIMDJSON_PADDING, '\0');
    const auto code = parser_.parse(padded_.data(), text.size(), false).get(target);
    if (code == simdjson::SUCCESS) return true;
    if (code == simdjson::CAPACITY)
        return check.fail({}, "A header or kernel is longer than 64 MiB", {}, ErrorCode::too_large);
    if (const std::string_view word = bare_word(text); !word.empty())
        return check.fail({}, "'" + clean_utf8(word) + "' is no JSON value",
                          "Leave out what is not known; NaN and Infinity cannot be written in JSON.",
                          ErrorCode::bad_json);
    return check.fail({}, std::string("This is not JSON: ") + simdjson::error_message(code),
                      "Numbers like NaN or 1e999 and texts that are not UTF-8 are no JSON either.",
                      ErrorCode::bad_json);
}

}  // namespace roofwalk

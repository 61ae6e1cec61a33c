// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "core/import/json/json_reader_check.h"
#include "core/report/json_text.h"

/// Small JSON documents that are read as one tree and written again without loss: scenarios and sessions.
namespace roofwalk {

/// Reads a whole text. `what` names the document in messages ("scenario"), `name` is where it is from. The
/// element lives as long as the parser. Errors: bad_json with the line, too_large (64 MiB).
[[nodiscard]] Result<JsonElement> parse_json_tree(simdjson::dom::parser& parser, std::string_view text,
                                                  std::string_view what, const std::string& name);

/// A fault as an error: "name, path.of[0].value".
[[nodiscard]] Error error_of(const JsonFault& fault, const std::string& name);

/// Refuses a list that is longer than any that somebody makes: "There are more than 1,000 sources". False.
bool too_many(const JsonPath& at, JsonChecker& check, std::string_view what, std::size_t most);

/// The members of an object whose key is not in a table, as JSON text: what JsonText::members() writes again.
/// `name` is the member of a row of the table that is its key.
template <class Row, class Name>
std::string unknown_members(JsonElement value, std::span<const Row> table, Name Row::*name) {
    std::string text;
    simdjson::dom::object object;
    if (value.get(object) != simdjson::SUCCESS) return text;
    for (const simdjson::dom::key_value_pair member : object) {
        if (std::ranges::find(table, member.key, name) != table.end()) continue;
        if (!text.empty()) text += ',';
        append_json_string(text, member.key);
        text += ':';
        text += simdjson::minify(member.value);
    }
    return text;
}

/// The same of what no field knows.
template <class Target, std::size_t Count>
std::string unknown_members(JsonElement value, const JsonField<Target> (&fields)[Count]) {
    return unknown_members(value, std::span<const JsonField<Target>>(fields), &JsonField<Target>::name);
}

}  // namespace roofwalk

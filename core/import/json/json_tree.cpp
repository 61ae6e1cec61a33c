// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/json/json_tree.h"

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/import/json/json_parser.h"
#include "core/import/json/json_reader_split.h"

namespace roofwalk {

namespace {

constexpr std::string_view tree_byte_order_mark = "\xEF\xBB\xBF";

/// ", line 3": where a text stops being JSON; simdjson does not tell.
std::string place_of_damage(std::string_view text) {
    const auto keep_nothing = [](int, nlohmann::json::parse_event_t, nlohmann::json&) { return false; };
    try {
        [[maybe_unused]] const auto nothing = nlohmann::json::parse(text, keep_nothing);
    } catch (const nlohmann::json::exception& damage) {
        if (const auto* at = dynamic_cast<const nlohmann::json::parse_error*>(&damage))
            return ", line " + std::to_string(line_of(text, std::min(at->byte, text.size())));
    }
    return {};
}

}  // namespace

Result<JsonElement> parse_json_tree(simdjson::dom::parser& parser, std::string_view text,
                                    std::string_view what, const std::string& name) {
    if (text.starts_with(tree_byte_order_mark)) text.remove_prefix(tree_byte_order_mark.size());
    if (text.size() > longest_json_element)
        return tl::unexpected(
            Error{ErrorCode::too_large, "The " + std::string(what) + " is longer than 64 MiB", name, {}});
    JsonElement root;
    const simdjson::padded_string padded(text);
    const auto code = parser.parse(padded).get(root);
    if (code == simdjson::SUCCESS) return root;
    return tl::unexpected(
        Error{ErrorCode::bad_json, std::string("This is not JSON: ") + simdjson::error_message(code),
              name + place_of_damage(text), "A comma, colon, quotation mark or bracket may be missing."});
}

bool too_many(const JsonPath& at, JsonChecker& check, std::string_view what, std::size_t most) {
    return check.fail(
        at, "There are more than " + format_count(static_cast<double>(most)) + " " + std::string(what),
        "Nobody makes as many by hand: the file is damaged, or made by a program.", ErrorCode::too_large);
}

Error error_of(const JsonFault& fault, const std::string& name) {
    return {fault.code, fault.what, fault.path.empty() ? name : name + ", " + fault.path, fault.hint};
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_decoder.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>

#include "core/base/mapped_file.h"
#include "core/base/nearest_names.h"
#include "core/base/text.h"

namespace roofwalk {

namespace {

constexpr std::string_view space = " \t\r\n";
constexpr std::size_t longest_bare_word = 20;
constexpr std::size_t longest_key_shown = 80;
constexpr std::size_t most_ignored_fields = 20;
/// No number of letters leads from these to duration_ns.
constexpr std::array<std::string_view, 5> said_for_duration{"time", "time_ns", "time_us", "time_ms",
                                                            "time_s"};

std::string shown_key(std::string_view key) {
    return clean_utf8(key.substr(0, longest_key_shown));
}

/// Offset behind the token that begins at `at`: a string, a word or a number; `at` where it is none. Which
/// digits a number may have is left to the parser.
std::size_t end_of_token(std::string_view text, std::size_t at) {
    const std::string_view rest = text.substr(at);
    if (rest.front() != '"') {
        for (const std::string_view word : {"true", "false", "null"})
            if (rest.starts_with(word)) return at + word.size();
        return std::min(text.find_first_not_of("+-.0123456789eE", at), text.size());
    }
    std::size_t end = at + 1;
    while (end < text.size() && text[end] != '"' && static_cast<unsigned char>(text[end]) >= ' ')
        end += text[end] == '\\' ? 2U : 1U;
    return end < text.size() && text[end] == '"' ? end + 1 : at;
}

/// Where a text stops being JSON, which simdjson does not tell; behind it when it only ends too soon.
std::size_t offset_of_damage(std::string_view text) {
    enum class Next { value, key, colon, comma };
    std::string open;  // the brackets that are to come
    Next next = Next::value;
    bool may_close = false;  // nothing stands in the bracket yet
    for (std::size_t at = 0;;) {
        at = std::min(text.find_first_not_of(space, at), text.size());
        if (at == text.size()) return at;
        const char here = text[at];
        const bool closes = !open.empty() && here == open.back() && (may_close || next == Next::comma);
        const bool was_key = next == Next::key;
        may_close = false;
        if (closes) {
            open.pop_back();
            next = Next::comma;
        } else if (next == Next::colon || next == Next::comma) {
            if (here != (next == Next::colon ? ':' : ',') || open.empty()) return at;
            next = next == Next::comma && open.back() == '}' ? Next::key : Next::value;
        } else if (!was_key && (here == '{' || here == '[')) {
            open += here == '{' ? '}' : ']';
            next = here == '{' ? Next::key : Next::value;
            may_close = true;
        } else {
            const std::size_t end = was_key && here != '"' ? at : end_of_token(text, at);
            if (end == at) return here == '"' ? text.size() : at;
            next = was_key ? Next::colon : Next::comma;
            at = end;
            continue;
        }
        ++at;
    }
}

template <class Target>
bool read_plain(const JsonValue& value, Target& target, const char* expected) {
    return value.element.get(target) == simdjson::SUCCESS || value.fail(expected);
}

}  // namespace

simdjson::error_code JsonDecoder::parse_padded(std::string_view text, JsonElement& target) {
    // The parser looks a little beyond the end of its text, so it gets a copy with room behind it.
    padded_.assign(text);
    padded_.append(simdjson::SIMDJSON_PADDING, '\0');
    return parser_.parse(padded_.data(), text.size(), false).get(target);
}

bool JsonDecoder::parse(std::string_view text, JsonElement& target) {
    simdjson::error_code code = parse_padded(text, target);
    if (code == simdjson::UTF8_ERROR) code = parse_padded(clean_utf8(text), target);
    if (code == simdjson::SUCCESS) return true;
    if (code == simdjson::CAPACITY)
        return fail({}, "A header or kernel is longer than 64 MiB", {}, ErrorCode::too_large);
    const std::string_view rest = text.substr(offset_of_damage(text), longest_bare_word);
    const std::string_view word = rest.substr(0, rest.find_first_of(" \t\r\n,]}"));
    if (!word.empty() && std::isalpha(static_cast<unsigned char>(word[0])) != 0)
        return fail({}, "'" + clean_utf8(word) + "' is no JSON value",
                    "Leave out what is not known; NaN and Infinity cannot be written in JSON.",
                    ErrorCode::bad_json);
    return fail({}, std::string("This is not JSON: ") + simdjson::error_message(code),
                "Numbers like NaN or 1e999 are no JSON either.", ErrorCode::bad_json);
}

bool JsonDecoder::parse_document(std::string_view text, std::string_view what, JsonElement& target) {
    text = without_byte_order_mark(text);
    if (text.size() > longest_json_element)
        return fail({}, "The " + std::string(what) + " is longer than 64 MiB", {}, ErrorCode::too_large);
    const simdjson::error_code code = parse_padded(text, target);
    if (code == simdjson::SUCCESS) return true;
    const std::string_view good = text.substr(0, offset_of_damage(text));
    fault_ = {ErrorCode::bad_json, std::string("This is not JSON: ") + simdjson::error_message(code),
              "line " + std::to_string(1 + std::ranges::count(good, '\n')),
              "A comma, colon, quotation mark or bracket may be missing."};
    return false;
}

Error JsonDecoder::error(const std::string& name) const {
    const char* const between = name.empty() || fault_.path.empty() ? "" : ", ";
    return {fault_.code, fault_.what, name + between + fault_.path, fault_.hint};
}

std::string to_string(const JsonPath& path) {
    std::string text = path.parent ? to_string(*path.parent) : std::string();
    if (path.index) return text + "[" + std::to_string(*path.index) + "]";
    if (path.key.empty()) return text;
    if (path.key.find('.') != std::string_view::npos) return text + "[\"" + shown_key(path.key) + "\"]";
    if (!text.empty()) text += '.';
    return text + shown_key(path.key);
}

bool JsonDecoder::fail(const JsonPath& at, std::string what, std::string hint, ErrorCode code) {
    if (fault_.what.empty()) fault_ = {code, std::move(what), to_string(at), std::move(hint)};
    return false;
}

bool JsonDecoder::fail_number(const JsonPath& at, std::string what, std::string hint) {
    const bool first = fault_.what.empty();
    fail(at, std::move(what), std::move(hint));
    fault_.number = fault_.number || first;
    return false;
}

void JsonDecoder::ignore(std::string_view key, const std::function<std::vector<std::string_view>()>& names) {
    if (ignored_.size() >= most_ignored_fields || ignored_.contains(key)) return;
    const std::vector<std::string_view> known = names();
    const bool is_time = std::ranges::find(said_for_duration, key) != std::end(said_for_duration) &&
                         std::ranges::find(known, "duration_ns") != known.end();
    const std::vector<std::string_view> near = nearest_names(key, known);
    ignored_.emplace(shown_key(key), is_time        ? "duration_ns, in nanoseconds"
                                     : near.empty() ? ""
                                                    : near.front());
}

void JsonDecoder::leave_out(const JsonPath& at, std::string what, std::string hint) {
    left_out_.push_back({ErrorCode::bad_schema, std::move(what), to_string(at), std::move(hint)});
}

bool JsonDecoder::leave_out_number() {
    if (!fault_.number) return false;
    fault_.what += "; it counts as not measured";
    left_out_.push_back(take_fault());
    return true;
}

bool JsonDecoder::has_left_out_number() const {
    return std::ranges::any_of(left_out_, &JsonFault::number);
}

void append_member(std::string& members, std::string_view key, JsonElement value) {
    if (!members.empty()) members += ',';
    append_json_string(members, key);
    members += ':';
    members += simdjson::minify(value);
}

bool too_many(const JsonValue& item, std::string_view what, std::size_t most) {
    return item.fail(
        "There are more than " + format_count(static_cast<double>(most)) + " " + std::string(what),
        "Nobody makes as many by hand: the file is damaged, or made by a program.", ErrorCode::too_large);
}

bool read_json(const JsonValue& value, bool& target) {
    return read_plain(value, target, "true or false is expected here");
}

bool read_json(const JsonValue& value, std::uint64_t& target) {
    return read_plain(value, target, "A whole number, not below 0, is expected here");
}

bool read_json(const JsonValue& value, std::int64_t& target) {
    return read_plain(value, target, "A whole number is expected here");
}

bool read_json(const JsonValue& value, std::string_view& target) {
    return read_plain(value, target, "A text is expected here");
}

bool read_json(const JsonValue& value, std::uint32_t& target) {
    constexpr const char* expected = "A whole number from 0 to 4294967295 is expected here";
    std::uint64_t number = 0;
    if (value.element.get(number) != simdjson::SUCCESS || number > std::numeric_limits<std::uint32_t>::max())
        return value.element.is_number() ? value.decoder.fail_number(value.path, expected)
                                         : value.fail(expected);
    target = static_cast<std::uint32_t>(number);
    return true;
}

bool read_json(const JsonValue& value, std::optional<int>& target) {
    std::uint64_t number = 0;
    if (value.element.get(number) != simdjson::SUCCESS || number == 0 ||
        number > std::numeric_limits<int>::max())
        return value.fail("A whole number above 0 is expected here");
    target = static_cast<int>(number);
    return true;
}

bool read_json(const JsonValue& value, std::string& target) {
    std::string_view text;
    if (!read_json(value, text)) return false;
    target = text;
    return true;
}

bool read_json(const JsonValue& value, JsonElement& target) {
    target = value.element;
    return true;
}

bool read_finite(const JsonValue& value, double& target) {
    if (value.element.get(target) == simdjson::SUCCESS) return true;
    return value.fail("A number is expected here", value.element.is_string()
                                                       ? "Write it without quotation marks."
                                                       : "Leave the field out when it was not measured.");
}

bool read_json(const JsonValue& value, double& target) {
    double number = 0;
    if (!read_finite(value, number)) return false;
    if (number < 0)
        return value.decoder.fail_number(value.path, "The number is negative",
                                         "Leave the field out when it was not measured.");
    if (number > largest_amount)
        return value.decoder.fail_number(value.path, "The number is too large to be real",
                                         "Amounts are in FLOP, byte, hertz and nanoseconds.");
    target = number;
    return true;
}

bool PositiveNumber::read(const JsonValue& value, double& target) {
    double number = 0;
    if (!read_json(value, number)) return false;
    if (number == 0)
        return value.decoder.fail_number(value.path, "The number must be above 0",
                                         "Leave the field out when it was not measured.");
    target = number;
    return true;
}

bool ShareNumber::read(const JsonValue& value, double& target) {
    double share = 0;
    if (!PositiveNumber::read(value, share)) return false;
    if (share > 1) return value.fail("A share is above 0 and at most 1");
    target = share;
    return true;
}

}  // namespace roofwalk

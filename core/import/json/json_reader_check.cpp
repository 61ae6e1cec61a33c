// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/json/json_reader_check.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "core/base/text.h"
#include "core/operations/nearest_names.h"

namespace roofwalk {

namespace {

constexpr std::size_t longest_key_shown = 80;
constexpr std::size_t most_ignored_fields = 20;
/// No number of letters leads from these to duration_ns.
constexpr std::array<std::string_view, 5> said_for_duration{"time", "time_ns", "time_us", "time_ms",
                                                            "time_s"};

std::string shown_key(std::string_view key) {
    return clean_utf8(key.substr(0, longest_key_shown));
}

}  // namespace

std::string to_string(const JsonPath& path) {
    std::string text = path.parent ? to_string(*path.parent) : std::string();
    if (path.index) return text + "[" + std::to_string(*path.index) + "]";
    if (path.key.empty()) return text;
    if (path.key.find('.') != std::string_view::npos) return text + "[\"" + shown_key(path.key) + "\"]";
    if (!text.empty()) text += '.';
    return text + shown_key(path.key);
}

bool JsonChecker::fail(const JsonPath& at, std::string what, std::string hint, ErrorCode code) {
    if (fault_.what.empty()) fault_ = {code, std::move(what), to_string(at), std::move(hint)};
    return false;
}

bool JsonChecker::fail_number(const JsonPath& at, std::string what, std::string hint) {
    const bool first = fault_.what.empty();
    fail(at, std::move(what), std::move(hint));
    fault_.number = fault_.number || first;
    return false;
}

void JsonChecker::ignore(std::string_view key, std::span<const std::string_view> known) {
    if (ignored_.size() >= most_ignored_fields || ignored_.contains(key)) return;
    const bool is_time = std::ranges::find(said_for_duration, key) != std::end(said_for_duration) &&
                         std::ranges::find(known, "duration_ns") != known.end();
    const std::vector<std::string_view> near = nearest_names(key, known);
    ignored_.emplace(shown_key(key), is_time        ? "duration_ns, in nanoseconds"
                                     : near.empty() ? ""
                                                    : near.front());
}

void JsonChecker::leave_out(const JsonPath& at, std::string what, std::string hint) {
    left_out_.push_back({ErrorCode::bad_schema, std::move(what), to_string(at), std::move(hint)});
}

bool JsonChecker::leave_out_number() {
    if (!fault_.number) return false;
    fault_.what += "; it counts as not measured";
    left_out_.push_back(take_fault());
    return true;
}

bool JsonChecker::has_left_out_number() const {
    return std::ranges::any_of(left_out_, &JsonFault::number);
}

bool JsonChecker::read(JsonElement value, const JsonPath& at, bool& target) {
    if (value.get(target) != simdjson::SUCCESS) return fail(at, "true or false is expected here");
    return true;
}

bool JsonChecker::read(JsonElement value, const JsonPath& at, std::optional<bool>& target) {
    return read(value, at, target.emplace());
}

bool JsonChecker::read(JsonElement value, const JsonPath& at, std::uint32_t& target) {
    constexpr std::string_view expected = "A whole number from 0 to 4294967295 is expected here";
    std::uint64_t number = 0;
    if (value.get(number) != simdjson::SUCCESS || number > std::numeric_limits<std::uint32_t>::max())
        return value.is_number() ? fail_number(at, std::string(expected)) : fail(at, std::string(expected));
    target = static_cast<std::uint32_t>(number);
    return true;
}

bool JsonChecker::read(JsonElement value, const JsonPath& at, std::optional<int>& target) {
    std::uint64_t number = 0;
    if (value.get(number) != simdjson::SUCCESS || number == 0 || number > std::numeric_limits<int>::max())
        return fail(at, "A whole number above 0 is expected here");
    target = static_cast<int>(number);
    return true;
}

bool JsonChecker::read(JsonElement value, const JsonPath& at, std::optional<std::int64_t>& target) {
    if (value.get(target.emplace()) != simdjson::SUCCESS) return fail(at, "A whole number is expected here");
    return true;
}

bool JsonChecker::read(JsonElement value, const JsonPath& at, std::string_view& target) {
    if (value.get(target) != simdjson::SUCCESS) return fail(at, "A text is expected here");
    return true;
}

bool JsonChecker::read(JsonElement value, const JsonPath& at, std::string& target) {
    std::string_view text;
    if (!read(value, at, text)) return false;
    target = text;
    return true;
}

bool JsonChecker::finite(JsonElement value, const JsonPath& at, double& target) {
    if (value.get(target) == simdjson::SUCCESS) return true;
    std::string_view text;
    return fail(at, "A number is expected here",
                value.get(text) == simdjson::SUCCESS ? "Write it without quotation marks."
                                                     : "Leave the field out when it was not measured.");
}

bool JsonChecker::amount(JsonElement value, const JsonPath& at, double& target) {
    double number = 0;
    if (!finite(value, at, number)) return false;
    if (number < 0)
        return fail_number(at, "The number is negative", "Leave the field out when it was not measured.");
    if (number > largest_amount)
        return fail_number(at, "The number is too large to be real",
                           "Amounts are in FLOP, byte, hertz and nanoseconds.");
    target = number;
    return true;
}

bool JsonChecker::positive(JsonElement value, const JsonPath& at, double& target) {
    double number = 0;
    if (!amount(value, at, number)) return false;
    if (number == 0)
        return fail_number(at, "The number must be above 0", "Leave the field out when it was not measured.");
    target = number;
    return true;
}

bool read_dim3(JsonElement value, const JsonPath& at, JsonChecker& check, Dim3& target) {
    Dim3 size{1, 1, 1};
    const std::array<std::uint32_t*, 3> parts{&size.x, &size.y, &size.z};
    std::size_t count = 0;
    const bool read = each_item(value, at, check, [&](JsonElement item, const JsonPath& here) {
        if (count == parts.size()) return check.fail(at, "At most three sizes are expected here");
        return check.read(item, here, *parts[count++]);
    });
    if (read) target = size;
    return read;
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/error.h"
#include "core/base/units.h"
#include "core/model/launch.h"

namespace roofwalk {

using JsonElement = simdjson::dom::element;

/// Where a value stands, as a chain on the stack: costs nothing until an error needs the text.
struct JsonPath {
    const JsonPath* parent = nullptr;
    std::string_view key{};
    std::optional<std::size_t> index{};
};

/// "bytes.hbm", "devices[0].ceilings[2].rate"; keys with a dot are quoted.
[[nodiscard]] std::string to_string(const JsonPath& path);

/// What is wrong with a value, its path relative to the element that was read.
struct JsonFault {
    ErrorCode code = ErrorCode::bad_schema;
    std::string what;
    std::string path;
    std::string hint;
    bool number = false;  ///< a number that its field cannot have, and nothing worse
};

/// Reads values of the types a profile has and remembers the first fault. Every `read` returns false after
/// a fault and leaves the target as it was.
class JsonChecker {
  public:
    /// No amount in a profile is larger; beyond it sums and quotients would overflow.
    static constexpr double largest_amount = 1e30;

    bool fail(const JsonPath& at, std::string what, std::string hint = {},
              ErrorCode code = ErrorCode::bad_schema);
    /// The same of a number that its field cannot have.
    bool fail_number(const JsonPath& at, std::string what, std::string hint = {});
    /// A field we do not know, among `known`: kept for one warning each.
    void ignore(std::string_view key, std::span<const std::string_view> known = {});

    /// A value without which the rest is worth keeping.
    void leave_out(const JsonPath& at, std::string what, std::string hint);

    /// Where the fault is a number that its field cannot have: leaves the value out, and no fault stands, for
    /// readers that go on without it. False of any other fault.
    bool leave_out_number();
    /// Since take_left_out().
    [[nodiscard]] bool has_left_out_number() const;

    [[nodiscard]] const JsonFault& fault() const { return fault_; }
    /// The fault, and none from here on: for readers that go on behind it.
    [[nodiscard]] JsonFault take_fault() { return std::exchange(fault_, {}); }
    /// By field, the name that may be meant, such as "duration_ns"; empty where none is near.
    [[nodiscard]] const std::map<std::string, std::string, std::less<>>& ignored() const { return ignored_; }

    /// What was left out since this was asked for.
    [[nodiscard]] std::vector<JsonFault> take_left_out() { return std::exchange(left_out_, {}); }

    bool read(JsonElement value, const JsonPath& at, bool& target);
    bool read(JsonElement value, const JsonPath& at, std::optional<bool>& target);
    bool read(JsonElement value, const JsonPath& at, std::uint32_t& target);
    bool read(JsonElement value, const JsonPath& at, std::optional<int>& target);  ///< 1 or more
    bool read(JsonElement value, const JsonPath& at, std::optional<std::int64_t>& target);
    bool read(JsonElement value, const JsonPath& at, std::string& target);
    /// The view lives as long as the parsed document.
    bool read(JsonElement value, const JsonPath& at, std::string_view& target);

    bool finite(JsonElement value, const JsonPath& at, double& target);
    bool amount(JsonElement value, const JsonPath& at, double& target);    ///< 0 to largest_amount
    bool positive(JsonElement value, const JsonPath& at, double& target);  ///< above 0, to largest_amount

    template <int F, int B, int T>
    bool read(JsonElement value, const JsonPath& at, Quantity<F, B, T>& target) {
        double number = 0;
        if (!amount(value, at, number)) return false;
        target = Quantity<F, B, T>(number);
        return true;
    }
    template <int F, int B, int T>
    bool read(JsonElement value, const JsonPath& at, std::optional<Quantity<F, B, T>>& target) {
        return read(value, at, target.emplace());
    }

  private:
    JsonFault fault_;
    std::map<std::string, std::string, std::less<>> ignored_;
    std::vector<JsonFault> left_out_;
};

/// One known field of an object and how its value reaches the target.
template <class Target>
struct JsonField {
    std::string_view name;
    bool (*read)(JsonElement value, const JsonPath& at, JsonChecker& check, Target& target);
};

/// The names of a table of fields.
template <class Target, std::size_t Count>
[[nodiscard]] constexpr std::array<std::string_view, Count> names_of(
    const JsonField<Target> (&fields)[Count]) {
    std::array<std::string_view, Count> names;
    for (std::size_t i = 0; i < Count; ++i)
        names[i] = fields[i].name;
    return names;
}

/// For fields that are plain members of the target.
template <auto Member, class Target>
bool read_member(JsonElement value, const JsonPath& at, JsonChecker& check, Target& target) {
    return check.read(value, at, target.*Member);
}

/// For fields that may stand there and are not kept.
template <class Kept, class Target>
bool read_and_drop(JsonElement value, const JsonPath& at, JsonChecker& check, Target&) {
    Kept dropped{};
    return check.read(value, at, dropped);
}

/// Visits the items of an array; false when it is no array or `visit` says so.
template <class Visit>
bool each_item(JsonElement value, const JsonPath& at, JsonChecker& check, Visit visit) {
    simdjson::dom::array items;
    if (value.get(items) != simdjson::SUCCESS) return check.fail(at, "An array is expected here");
    std::size_t index = 0;
    for (const JsonElement item : items)
        if (!visit(item, JsonPath{&at, {}, index++})) return false;
    return true;
}

/// One to three whole numbers; what is left out is 1, as in a CUDA launch.
[[nodiscard]] bool read_dim3(JsonElement value, const JsonPath& at, JsonChecker& check, Dim3& target);

/// Visits the members of an object whose keys are free; null stands for "not measured" and is passed over.
template <class Visit>
bool each_member(JsonElement value, const JsonPath& at, JsonChecker& check, Visit visit) {
    simdjson::dom::object object;
    if (value.get(object) != simdjson::SUCCESS) return check.fail(at, "An object is expected here");
    for (const simdjson::dom::key_value_pair member : object)
        if (!member.value.is_null() && !visit(member.key, member.value, JsonPath{&at, member.key, {}}))
            return false;
    return true;
}

/// Fills `target` from an object. A field that occurs twice is a fault, an unknown one is ignored.
template <class Target, std::size_t Count>
bool read_fields(JsonElement value, const JsonPath& at, JsonChecker& check,
                 const JsonField<Target> (&fields)[Count], Target& target) {
    std::bitset<Count> seen;
    return each_member(value, at, check, [&](std::string_view key, JsonElement item, const JsonPath& here) {
        const auto known = std::ranges::find(std::span(fields), key, &JsonField<Target>::name);
        const auto index = static_cast<std::size_t>(known - std::span(fields).begin());
        if (index == Count) {
            check.ignore(key, names_of(fields));
            return true;
        }
        if (seen.test(index)) return check.fail(here, "The field occurs twice", "Keep one of them.");
        seen.set(index);
        return known->read(item, here, check, target);
    });
}

}  // namespace roofwalk

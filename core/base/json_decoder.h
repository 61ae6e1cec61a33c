// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <simdjson.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/enum_array.h"
#include "core/base/error.h"
#include "core/base/json_writer.h"
#include "core/base/units.h"

namespace roofwalk {

using JsonElement = simdjson::dom::element;

/// Nothing longer is parsed in one piece; it bounds what the parser allocates. [byte]
inline constexpr std::size_t longest_json_element = std::size_t{64} << 20;

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

/// Parses JSON, one text after the other, and remembers the first fault of what is read.
class JsonDecoder {
  public:
    /// Parses one value, which lives until the next. False where the text is no JSON: fault() says why. Bytes
    /// that are not UTF-8 become U+FFFD, as clean_utf8() does: one damaged name costs nothing else.
    bool parse(std::string_view text, JsonElement& target);
    /// The same of a whole document that `what` names in messages ("scenario"), with the line of a fault.
    bool parse_document(std::string_view text, std::string_view what, JsonElement& target);

    bool fail(const JsonPath& at, std::string what, std::string hint = {},
              ErrorCode code = ErrorCode::bad_schema);
    /// The same of a number that its field cannot have.
    bool fail_number(const JsonPath& at, std::string what, std::string hint = {});
    /// A field we do not know, among `names`: kept for one warning each.
    void ignore(std::string_view key, const std::function<std::vector<std::string_view>()>& names);

    /// A value without which the rest is worth keeping.
    void leave_out(const JsonPath& at, std::string what, std::string hint);

    /// Where the fault is a number that its field cannot have: leaves the value out, and no fault stands, for
    /// readers that go on without it. False of any other fault.
    bool leave_out_number();
    /// Since take_left_out().
    [[nodiscard]] bool has_left_out_number() const;

    [[nodiscard]] const JsonFault& fault() const { return fault_; }
    /// The fault as an error: "name, path.of[0].value".
    [[nodiscard]] Error error(const std::string& name) const;
    /// The fault, and none from here on: for readers that go on behind it.
    [[nodiscard]] JsonFault take_fault() { return std::exchange(fault_, {}); }
    /// By field, the name that may be meant, such as "duration_ns"; empty where none is near.
    [[nodiscard]] const std::map<std::string, std::string, std::less<>>& ignored() const { return ignored_; }

    /// What was left out since this was asked for.
    [[nodiscard]] std::vector<JsonFault> take_left_out() { return std::exchange(left_out_, {}); }

  private:
    simdjson::error_code parse_padded(std::string_view text, JsonElement& target);

    simdjson::dom::parser parser_{longest_json_element};
    std::string padded_;
    JsonFault fault_;
    std::map<std::string, std::string, std::less<>> ignored_;
    std::vector<JsonFault> left_out_;
};

/// A value of a document, where it stands, and who is told what is wrong with it.
struct JsonValue {
    JsonElement element;
    JsonDecoder& decoder;
    JsonPath path{};

    bool fail(std::string what, std::string hint = {}, ErrorCode code = ErrorCode::bad_schema) const {
        return decoder.fail(path, std::move(what), std::move(hint), code);
    }
    /// The same of a member, which need not be there.
    bool fail_member(std::string_view key, std::string what, std::string hint = {},
                     ErrorCode code = ErrorCode::bad_schema) const {
        return decoder.fail({&path, key, {}}, std::move(what), std::move(hint), code);
    }
    /// Another element as that member.
    [[nodiscard]] JsonValue member(std::string_view key, JsonElement its) const {
        return {its, decoder, {&path, key, {}}};
    }
    [[nodiscard]] bool has(std::string_view key) const {
        return element.at_key(key).error() == simdjson::SUCCESS;
    }

    /// Visits the items of an array; false when it is no array or `visit` says so.
    template <class Visit>
    bool each_item(Visit visit) const {
        simdjson::dom::array items;
        if (element.get(items) != simdjson::SUCCESS) return fail("An array is expected here");
        std::size_t index = 0;
        for (const JsonElement item : items)
            if (!visit(JsonValue{item, decoder, {&path, {}, index++}})) return false;
        return true;
    }
    /// Visits the members of an object whose keys are free; null stands for "not measured" and is passed
    /// over.
    template <class Visit>
    bool each_member(Visit visit) const {
        simdjson::dom::object object;
        if (element.get(object) != simdjson::SUCCESS) return fail("An object is expected here");
        for (const simdjson::dom::key_value_pair item : object)
            if (!item.value.is_null() && !visit(item.key, member(item.key, item.value))) return false;
        return true;
    }
};

/// No amount is larger; beyond it sums and quotients would overflow.
inline constexpr double largest_amount = 1e30;

/// Every `read_json` returns false after a fault.
bool read_json(const JsonValue& value, bool& target);
bool read_json(const JsonValue& value, std::uint32_t& target);
bool read_json(const JsonValue& value, std::uint64_t& target);
bool read_json(const JsonValue& value, std::int64_t& target);
bool read_json(const JsonValue& value, std::optional<int>& target);  ///< 1 or more
bool read_json(const JsonValue& value, std::string& target);
/// Kept, to be read later.
bool read_json(const JsonValue& value, JsonElement& target);
/// The view lives as long as what the decoder parsed.
bool read_json(const JsonValue& value, std::string_view& target);
bool read_json(const JsonValue& value, double& target);  ///< 0 to largest_amount
bool read_finite(const JsonValue& value, double& target);

template <int F, int B, int T>
bool read_json(const JsonValue& value, Quantity<F, B, T>& target) {
    double number = 0;
    if (!read_json(value, number)) return false;
    target = Quantity<F, B, T>(number);
    return true;
}
template <class Value>
bool read_json(const JsonValue& value, std::optional<Value>& target) {
    if (read_json(value, target.emplace())) return true;
    target.reset();
    return false;
}
template <class Item>
bool read_json(const JsonValue& value, std::vector<Item>& target) {
    return value.each_item([&](const JsonValue& item) { return read_json(item, target.emplace_back()); });
}
/// Refuses a list that is longer than any that somebody makes: "There are more than 1,000 sources". False.
bool too_many(const JsonValue& item, std::string_view what, std::size_t most);
template <class Items>
bool read_json(const JsonValue& value, const List<Items>& list) {
    return value.each_item([&](const JsonValue& item) {
        if (list.items.size() == list.most) return too_many(item, list.what, list.most);
        return read_json(item, list.items.emplace_back());
    });
}
template <class Field>
bool read_json(const JsonValue& value, const Always<Field>& always) {
    return read_json(value, always.field);
}
template <class Value>
bool read_json(const JsonValue& value, const Unless<Value>& field) {
    return read_json(value, field.value);
}
template <class Field>
bool read_json(const JsonValue& value, const Refusable<Field>& refusable) {
    return read_json(value, refusable.field) || value.decoder.leave_out_number();
}
template <class Codec, class Value>
bool read_json(const JsonValue& value, const Coded<Codec, Value>& field) {
    return Codec::read(value, field.value);
}
template <class Value>
bool read_json(const JsonValue&, Fixed<Value>) {
    return true;
}
template <class Value>
bool read_json(const JsonValue& value, Dropped<Value>) {
    Value dropped{};
    return read_json(value, dropped);
}

/// A value by its stable name. `known` ends a sentence: "hbm, l2, l1, smem".
template <class Value, class FromId>
bool read_id(const JsonValue& value, FromId from_id, const char* what, const char* known, Value& target) {
    std::string_view id;
    if (!read_json(value, id)) return false;
    const auto found = from_id(id);
    if (!found) return value.fail(what, std::string("Known are: ") + known + ".");
    target = *found;
    return true;
}

template <HasIds Enum>
bool read_id(const JsonValue& value, const char* what, Enum& target) {
    std::string known;
    for (const std::string_view id : enum_ids<Enum>)
        known.append(known.empty() ? "" : ", ").append(id);
    return read_id(value, enum_from_id<Enum>, what, known.c_str(), target);
}

template <class EachField>
bool read_fields(const JsonValue& value, EachField each);

/// Collects the names of a description.
class FieldNames {
  public:
    template <class Field>
    void operator()(std::string_view name, Field&&) {
        names.push_back(name);
    }
    template <class Field>
    void line(std::string_view name, Field&&) {
        names.push_back(name);
    }
    void next_line() {}
    template <class EachField>
    void object(std::string_view name, EachField) {
        names.push_back(name);
    }
    template <class EachField>
    void object_unless_empty(std::string_view name, EachField) {
        names.push_back(name);
    }
    void unknown(std::string_view) {}

    std::vector<std::string_view> names;
};
/// Adds a member as JSON text, as JsonWriter::members() writes it again.
void append_member(std::string& members, std::string_view key, JsonElement value);

/// Takes the members of an object into the fields of their names, in the order of the object: where that is
/// the order of the description, one pass over the description takes them all.
class FieldReader {
  public:
    FieldReader(const JsonValue& object, simdjson::dom::object members)
        : object_(object), at_(members.begin()), end_(members.end()) {
        look();
    }

    template <class Field>
    void operator()(std::string_view name, Field&& field) {
        take(name, [&](const JsonValue& member) { return read_json(member, field); });
    }
    template <class Field>
    void line(std::string_view name, Field&& field) {
        (*this)(name, field);
    }
    void next_line() {}
    template <class EachField>
    void object(std::string_view name, EachField each) {
        take(name, [&](const JsonValue& member) { return read_fields(member, each); });
    }
    template <class EachField>
    void object_unless_empty(std::string_view name, EachField each) {
        object(name, each);
    }
    /// Keeps members that no field is for.
    void unknown(std::string& members) { unknown_ = &members; }

    /// All members, one pass after the other. False after a fault.
    template <class EachField>
    bool read(EachField each) {
        while (at_ != end_) {
            number_ = 0;
            const unsigned taken = taken_;
            each(*this);
            if (failed_) return false;
            if (taken_ > taken) continue;
            if (unknown_ != nullptr)
                append_member(*unknown_, key_, at_.value());
            else if (!at_.value().is_null())
                object_.decoder.ignore(key_, [&] {
                    FieldNames fields;
                    each(fields);
                    return std::move(fields.names);
                });
            next();
        }
        return true;
    }

  private:
    template <class Read>
    void take(std::string_view name, Read read) {
        const std::uint64_t place = std::uint64_t{1} << number_++;
        if (key_ != name || failed_ || at_ == end_) return;
        ++taken_;
        const JsonValue member = object_.member(key_, at_.value());
        if (!member.element.is_null()) {
            failed_ = (seen_ & place) != 0 ? !member.fail("The field occurs twice", "Keep one of them.")
                                           : !read(member);
            seen_ |= place;
        }
        next();
    }
    void next() {
        ++at_;
        look();
    }
    void look() {
        if (at_ != end_) key_ = at_.key();
    }

    const JsonValue& object_;
    simdjson::dom::object::iterator at_;
    simdjson::dom::object::iterator end_;
    std::string_view key_;
    std::uint64_t seen_ = 0;
    unsigned number_ = 0;
    unsigned taken_ = 0;
    bool failed_ = false;
    std::string* unknown_ = nullptr;
};

template <class Value>
[[nodiscard]] std::vector<std::string_view> field_names(const Value& value = {}) {
    FieldNames fields;
    each_field(fields, value);
    return std::move(fields.names);
}

/// Fills fields from an object. One that is null was not measured and stays as it is, one that occurs twice
/// is a fault, an unknown one is kept where the description keeps them, and ignored elsewhere.
template <class EachField>
bool read_fields(const JsonValue& value, EachField each) {
    simdjson::dom::object members;
    if (value.element.get(members) != simdjson::SUCCESS) return value.fail("An object is expected here");
    return FieldReader(value, members).read(each);
}
template <class Value>
requires requires(FieldReader& field, Value& value) {
    each_field(field, value);
}
bool read_object(const JsonValue& value, Value& target) {
    return read_fields(value, [&](auto& field) { each_field(field, target); });
}
template <class Value>
requires requires(FieldReader& field, Value& value) {
    each_field(field, value);
}
bool read_json(const JsonValue& value, Value& target) {
    return read_object(value, target);
}

/// Reads a whole document; `name` is where it is from. Errors: bad_json with the line, too_large (64 MiB),
/// and those of read_json().
template <class Document>
[[nodiscard]] Result<Document> read_json_document(std::string_view text, std::string_view what,
                                                  const std::string& name) {
    JsonDecoder decoder;
    JsonElement root;
    Document document{};
    if (decoder.parse_document(text, what, root) && read_json(JsonValue{root, decoder}, document))
        return document;
    return tl::unexpected(decoder.error(name));
}

}  // namespace roofwalk

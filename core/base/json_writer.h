// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/units.h"

/// JSON documents are described once for both directions: `each_field(field, value)` names the members of an
/// object, and `field` is a FieldWriter or a FieldReader (core/base/json_decoder.h). What is no object has
/// `write_json(JsonWriter&, value)` and `read_json(const JsonValue&, value&)`.
namespace roofwalk {

struct JsonValue;

/// What has a stable name in files.
template <class Value>
concept Identified = requires(const Value& value) {
    { id_of(value) } -> std::convertible_to<std::string_view>;
};

/// Writes JSON text front to back, so that a million launches need no tree. Commas are its business, the
/// nesting of begin and end is the caller's. Numbers are the shortest text that reads back as the same
/// double; what is no finite number becomes null. The same calls give the same bytes.
class JsonWriter {
  public:
    /// On one line `next_line` does nothing, as JSON Lines need it.
    explicit JsonWriter(bool one_line = false) : one_line_(one_line) {}

    void begin_object();
    void end_object();
    void begin_array();
    void end_array();
    void key(std::string_view name);
    /// Starts a new line before the next key, value or end.
    void next_line();
    /// Ends a line of JSON Lines.
    void end_line();

    void null();
    void value(std::string_view text);
    void value(const char* text) { value(std::string_view(text)); }
    void value(bool truth);
    void value(double number);
    template <std::integral Number>
    void value(Number number) {
        literal(fmt::format_int(number).c_str());
    }
    template <int F, int B, int T>
    void value(Quantity<F, B, T> quantity) {
        value(quantity.value());
    }
    /// Null when absent.
    template <class Value>
    void value(const std::optional<Value>& item) {
        item ? value(*item) : null();
    }
    template <class Value>
    void value(const std::vector<Value>& items) {
        array(items, [this](const Value& item) { value(item); });
    }
    template <class Value>
    requires(!Identified<Value>) && requires(JsonWriter& json, const Value& item) { write_json(json, item); }
    void value(const Value& item) { write_json(*this, item); }
    /// A value by its stable name.
    template <Identified Value>
    void value(const Value& item) {
        value(std::string_view(id_of(item)));
    }
    template <class Value>
    void member(std::string_view name, const Value& item) {
        key(name);
        value(item);
    }
    /// The same on a new line.
    template <class Value>
    void line(std::string_view name, const Value& item) {
        next_line();
        member(name, item);
    }
    /// Members that are JSON text already; nothing when empty.
    void members(std::string_view text);

    /// What `write` writes, between brackets.
    template <class Write>
    void object(Write write) {
        begin_object();
        write();
        end_object();
    }
    template <class Write>
    void object(std::string_view name, Write write) {
        key(name);
        object(write);
    }
    /// Nothing where `write` writes nothing.
    template <class Write>
    void object_unless_empty(std::string_view name, Write write) {
        const std::size_t size = out_.size();
        const std::pair<bool, bool> state(comma_, new_line_);
        key(name);
        begin_object();
        const std::size_t begun = out_.size();
        write();
        if (out_.size() > begun) return end_object();
        out_.resize(size);
        std::tie(comma_, new_line_) = state;
    }
    template <class Items, class Write>
    void array(const Items& items, Write write) {
        begin_array();
        for (const auto& item : items)
            write(item);
        end_array();
    }
    template <class Items, class Write>
    void array(std::string_view name, const Items& items, Write write) {
        key(name);
        array(items, write);
    }
    /// Each item on a line of its own.
    template <class Items, class Write>
    void lines(const Items& items, Write write) {
        array(items, [&](const auto& item) {
            next_line();
            write(item);
        });
    }
    template <class Items, class Write>
    void lines(std::string_view name, const Items& items, Write write) {
        key(name);
        lines(items, write);
    }
    /// An object for each item.
    template <class Items, class Write>
    void objects(std::string_view name, const Items& items, Write write) {
        array(name, items, [&](const auto& item) { object([&] { write(item); }); });
    }
    template <class Items, class Write>
    void object_lines(std::string_view name, const Items& items, Write write) {
        lines(name, items, [&](const auto& item) { object([&] { write(item); }); });
    }
    /// Null without an item.
    template <class Item, class Write>
    void object_or_null(std::string_view name, const Item& item, Write write) {
        key(name);
        if (!item) return null();
        object([&] { write(*item); });
    }

    /// What was written since the last time.
    [[nodiscard]] std::string take() { return std::exchange(out_, {}); }

  private:
    void separate();
    void literal(std::string_view text);

    std::string out_;
    bool one_line_;
    bool comma_ = false;
    bool new_line_ = false;
};

/// A document of one object, whose members are what `write` writes.
template <class Write>
[[nodiscard]] std::string json_document(Write write) {
    JsonWriter json;
    json.object([&] { write(json); });
    json.end_line();
    return json.take();
}

/// Adds a text as a JSON string: quoted, escaped, valid UTF-8.
void append_json_string(std::string& out, std::string_view text);

/// What a description of fields takes for reading and for writing.
template <class T, class Value>
concept MaybeConst = std::same_as<std::remove_const_t<T>, Value>;

/// Whether a field is written: absent values, empty texts and empty lists are left out.
template <class Value>
[[nodiscard]] constexpr bool is_known(const Value&) {
    return true;
}
[[nodiscard]] inline bool is_known(const std::string& text) {
    return !text.empty();
}
[[nodiscard]] constexpr bool is_known(std::string_view text) {
    return !text.empty();
}
template <class Item>
[[nodiscard]] bool is_known(const std::vector<Item>& items) {
    return !items.empty();
}
template <class Value>
[[nodiscard]] constexpr bool is_known(const std::optional<Value>& item) {
    return item.has_value();
}
[[nodiscard]] inline bool is_known(const std::optional<double>& number) {
    return number && std::isfinite(*number);
}
template <int F, int B, int T>
[[nodiscard]] bool is_known(const std::optional<Quantity<F, B, T>>& quantity) {
    return quantity && std::isfinite(quantity->value());
}

/// A field that is written whatever it holds.
template <class Field>
struct Always {
    Field field;
};
template <class Field>
[[nodiscard]] Always<Field> always(Field&& field) {
    return {std::forward<Field>(field)};
}
template <class Field>
void write_json(JsonWriter& json, const Always<Field>& always) {
    json.value(always.field);
}

/// A field that is left out where it is as usual.
template <class Value>
struct Unless {
    Value& value;
    std::remove_const_t<Value> usual;
};
template <class Value>
[[nodiscard]] Unless<Value> unless(Value& value, std::type_identity_t<std::remove_const_t<Value>> usual) {
    return {value, std::move(usual)};
}
template <class Value>
[[nodiscard]] bool is_known(const Unless<Value>& field) {
    return field.value != field.usual;
}
template <class Value>
void write_json(JsonWriter& json, const Unless<Value>& field) {
    json.value(field.value);
}

/// A list, each item on a line of its own or all on one. Of a longer one than any that somebody makes, the
/// reader says that there are more than `most` of `what`.
template <class Items>
struct List {
    Items& items;
    std::size_t most = std::string::npos;
    std::string_view what{};
    bool on_lines = true;
};
template <class Items>
[[nodiscard]] List<Items> lines(Items& items, std::size_t most = std::string::npos,
                                std::string_view what = {}) {
    return {items, most, what};
}
template <class Items>
[[nodiscard]] bool is_known(const List<Items>& list) {
    return is_known(list.items);
}
template <class Items>
void write_json(JsonWriter& json, const List<Items>& list) {
    json.array(list.items, [&](const auto& item) {
        if (list.on_lines) json.next_line();
        json.value(item);
    });
}

/// A field without which its object is worth keeping where its number cannot be.
template <class Field>
struct Refusable {
    Field field;
};
template <class Field>
[[nodiscard]] Refusable<Field> refusable(Field&& field) {
    return {std::forward<Field>(field)};
}
template <class Field>
[[nodiscard]] bool is_known(const Refusable<Field>& refusable) {
    return is_known(refusable.field);
}
template <class Field>
void write_json(JsonWriter& json, const Refusable<Field>& refusable) {
    json.value(refusable.field);
}

/// A field that a codec reads and writes: `static void write(JsonWriter&, const auto& value)`, `static bool
/// read(const JsonValue&, auto& value)`, and where it may be left out, `static bool known(const auto&
/// value)`. Without `write` it is written as its value is.
template <class Codec, class Value>
struct Coded {
    Value& value;
};
template <class Codec, class Value>
[[nodiscard]] Coded<Codec, Value> coded(Value& value) {
    return {value};
}
template <class Codec, class Value>
[[nodiscard]] bool is_known(const Coded<Codec, Value>& field) {
    if constexpr (requires { Codec::known(field.value); })
        return Codec::known(field.value);
    else
        return is_known(field.value);
}
template <class Codec, class Value>
void write_json(JsonWriter& json, const Coded<Codec, Value>& field) {
    if constexpr (requires { Codec::write(json, field.value); })
        Codec::write(json, field.value);
    else
        json.value(field.value);
}

/// A number above 0.
struct PositiveNumber {
    static bool read(const JsonValue& value, double& target);
};
/// A number above 0 and at most 1.
struct ShareNumber {
    static bool read(const JsonValue& value, double& target);
};

/// A member that is always the same, as the format and the version of a document, which are looked at before
/// the others.
template <class Value>
struct Fixed {
    Value value;
};
template <class Value>
Fixed(Value) -> Fixed<Value>;
template <class Value>
void write_json(JsonWriter& json, const Fixed<Value>& fixed) {
    json.value(fixed.value);
}

/// A field that may stand in what is read, and is neither kept nor written.
template <class Value>
struct Dropped {};
template <class Value>
[[nodiscard]] constexpr bool is_known(Dropped<Value>) {
    return false;
}
template <class Value>
void write_json(JsonWriter&, Dropped<Value>) {}

/// Writes the fields of a description as members of the object that is open.
class FieldWriter {
  public:
    explicit FieldWriter(JsonWriter& json) : json_(json) {}

    template <class Field>
    void operator()(std::string_view name, const Field& field) {
        if (is_known(field)) json_.member(name, field);
    }
    /// The same on a new line.
    template <class Field>
    void line(std::string_view name, const Field& field) {
        if (is_known(field)) json_.line(name, field);
    }
    void next_line() { json_.next_line(); }
    /// Fields that stand in an object of their own.
    template <class EachField>
    void object(std::string_view name, EachField each) {
        json_.object(name, [&] { each(*this); });
    }
    /// The same, left out where it would be empty.
    template <class EachField>
    void object_unless_empty(std::string_view name, EachField each) {
        json_.object_unless_empty(name, [&] { each(*this); });
    }
    /// Members that no field is for, as JSON text.
    void unknown(std::string_view members) { json_.members(members); }

  private:
    JsonWriter& json_;
};

template <class Value>
concept Described = requires(FieldWriter& field, const Value& value) {
    each_field(field, value);
};

/// The fields of a value, without the object around them.
template <Described Value>
void write_fields(JsonWriter& json, const Value& value) {
    FieldWriter field(json);
    each_field(field, value);
}

template <Described Value>
void write_json(JsonWriter& json, const Value& value) {
    json.object([&] { write_fields(json, value); });
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <protozero/exception.hpp>
#include <protozero/pbf_reader.hpp>
#include <string_view>
#include <type_traits>
#include <utility>

namespace roofwalk::ncu {

/// Protobuf fields as the readers in this folder switch over them: number and wire type together, so that a
/// known number with an unexpected type is skipped like an unknown field.
constexpr std::uint32_t varint(std::uint32_t number) {
    return protozero::tag_and_type(number, protozero::pbf_wire_type::varint);
}
constexpr std::uint32_t fixed32(std::uint32_t number) {
    return protozero::tag_and_type(number, protozero::pbf_wire_type::fixed32);
}
constexpr std::uint32_t fixed64(std::uint32_t number) {
    return protozero::tag_and_type(number, protozero::pbf_wire_type::fixed64);
}
constexpr std::uint32_t bytes(std::uint32_t number) {
    return protozero::tag_and_type(number, protozero::pbf_wire_type::length_delimited);
}

/// The bytes of a string or of an embedded message.
inline std::string_view view_of(protozero::pbf_reader& field) {
    const protozero::data_view view = field.get_view();
    return {view.data(), view.size()};
}

/// Calls `visit(field)` at every field of a message; `visit` consumes the field or skips it. Throws
/// protozero::exception on bytes that are no message.
template <class Visit>
void for_each_field(std::string_view message, Visit visit) {
    protozero::pbf_reader field(message.data(), message.size());
    while (field.next())
        visit(field);
}

/// A field of a message and where it goes: a variable of its type, or what is called with it. Texts and
/// embedded messages are std::string_view, numbers varints.
template <class Target>
struct Field {
    std::uint32_t number;
    Target target;

    /// False when it is another field.
    bool read(protozero::pbf_reader& reader) {
        using Plain = std::remove_reference_t<Target>;
        constexpr bool is_called = std::invocable<Plain&, std::string_view>;
        constexpr bool is_bytes = is_called || std::same_as<Plain, std::string_view>;
        if (reader.tag_and_type() != (is_bytes ? bytes(number) : varint(number))) return false;
        if constexpr (is_called)
            target(view_of(reader));
        else if constexpr (is_bytes)
            target = view_of(reader);
        else if constexpr (std::invocable<Plain&, std::uint64_t>)
            target(reader.get_uint64());
        else if constexpr (std::same_as<Plain, bool>)
            target = reader.get_bool();
        else if constexpr (std::same_as<Plain, std::uint64_t>)
            target = reader.get_uint64();
        else
            target = reader.get_uint32();
        return true;
    }
};
template <class Target>
[[nodiscard]] Field<Target> field(std::uint32_t number, Target&& target) {
    return {number, std::forward<Target>(target)};
}

/// Reads a message by its fields, and skips those that are not named. Throws as for_each_field() does.
template <class... Targets>
void read_fields(std::string_view message, Field<Targets>... fields) {
    for_each_field(message, [&](protozero::pbf_reader& reader) {
        if (!(fields.read(reader) || ...)) reader.skip();
    });
}

/// A message lists more parts than any report has: keeping them would take many times the bytes of the file.
struct TooManyParts : protozero::exception {
    [[nodiscard]] const char* what() const noexcept override { return "too many parts"; }
};

/// Adds a part of a message to a list of at most so many. Throws TooManyParts.
template <class List, class Part>
void add_part(List& list, Part&& part, std::size_t most) {
    if (list.size() >= most) throw TooManyParts();
    list.push_back(std::forward<Part>(part));
}

/// A 64-bit number from a file where the model has 32 bits.
inline std::uint32_t saturated(std::uint64_t value) {
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(value, std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace roofwalk::ncu

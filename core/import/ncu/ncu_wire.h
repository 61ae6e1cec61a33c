// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <protozero/exception.hpp>
#include <protozero/pbf_reader.hpp>
#include <string_view>
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

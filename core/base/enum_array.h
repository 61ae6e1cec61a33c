// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace roofwalk {

/// The stable names of the enumerators in files: EnumIds beside each enumeration that has such.
template <class Enum>
inline constexpr std::array<std::string_view, 0> enum_ids{};

/// How many enumerators `Enum` has, numbered from 0. Given beside each enumeration without such names that
/// arrays of several files are indexed by.
template <class Enum>
inline constexpr std::size_t enum_size = enum_ids<Enum>.size();

/// All of them, in their order.
template <class Enum>
inline constexpr std::array<Enum, enum_size<Enum>> enumerators = [] {
    std::array<Enum, enum_size<Enum>> all{};
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = static_cast<Enum>(i);
    return all;
}();

/// A `T` for each enumerator, indexed by them.
template <class Enum, class T, std::size_t Size = enum_size<Enum>>
struct EnumArray {
    static_assert(Size > 0, "enum_size is not given for this enumeration");

    T values[Size]{};

    [[nodiscard]] constexpr T& operator[](Enum index) { return values[static_cast<std::size_t>(index)]; }
    [[nodiscard]] constexpr const T& operator[](Enum index) const {
        return values[static_cast<std::size_t>(index)];
    }

    [[nodiscard]] constexpr T* begin() { return values; }
    [[nodiscard]] constexpr T* end() { return values + Size; }
    [[nodiscard]] constexpr const T* begin() const { return values; }
    [[nodiscard]] constexpr const T* end() const { return values + Size; }
    [[nodiscard]] static constexpr std::size_t size() { return Size; }

    friend constexpr bool operator==(const EnumArray&, const EnumArray&) = default;
};

/// The enumerator that stands where `ids` holds `id`.
template <class Enum, std::size_t Size>
[[nodiscard]] constexpr std::optional<Enum> from_id(const EnumArray<Enum, std::string_view, Size>& ids,
                                                    std::string_view id) {
    for (std::size_t i = 0; i < Size; ++i)
        if (ids.values[i] == id) return static_cast<Enum>(i);
    return std::nullopt;
}

template <class Enum, std::size_t Size>
using EnumIds = EnumArray<Enum, std::string_view, Size>;
template <class Enum>
concept HasIds = (enum_ids<Enum>.size() > 0);

template <HasIds Enum>
[[nodiscard]] constexpr std::string_view id_of(Enum value) {
    return enum_ids<Enum>[value];
}
template <HasIds Enum>
[[nodiscard]] constexpr std::optional<Enum> enum_from_id(std::string_view id) {
    return from_id(enum_ids<Enum>, id);
}

/// Whether each row of a table stands at the place of the enumerator that it names by `key`.
template <class Enum, class Row, std::size_t Size>
[[nodiscard]] constexpr bool is_in_order(const EnumArray<Enum, Row, Size>& table, Enum Row::*key) {
    for (std::size_t i = 0; i < Size; ++i)
        if (table.values[i].*key != static_cast<Enum>(i)) return false;
    return true;
}

}  // namespace roofwalk

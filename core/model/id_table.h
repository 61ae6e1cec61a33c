// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace roofwalk {

/// The enumerator that stands where `ids` holds `id`.
template <class Enum, std::size_t Count>
[[nodiscard]] std::optional<Enum> from_id(const std::array<std::string_view, Count>& ids,
                                          std::string_view id) {
    const auto it = std::ranges::find(ids, id);
    if (it == ids.end()) return std::nullopt;
    return static_cast<Enum>(it - ids.begin());
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/enum_array.h"
#include "core/compare/match_kernels.h"

namespace roofwalk {

/// What a kernel can be recognised by.
enum class Trait : std::uint8_t { device, name, base_name, shape, nvtx };

template <>
inline constexpr std::size_t enum_size<Trait> = 5;

/// Numbers that are equal where the traits are. 0: the trait tells nothing.
using MatchTraits = EnumArray<Trait, std::uint32_t>;

/// The traits of every point of two reports, with numbers that both share.
struct SharedTraits {
    std::vector<MatchTraits> before;
    std::vector<MatchTraits> after;
};

[[nodiscard]] SharedTraits traits_of(const RunView& before, const RunView& after);

}  // namespace roofwalk

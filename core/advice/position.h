// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/roofline/analysis.h"

namespace roofwalk {

/// Where a kernel stands under its roof. Which roof is the one that binds; near or below it is what the class
/// says.
enum class Position : std::uint8_t {
    at_memory_roof,
    below_memory_roof,
    at_compute_roof,
    below_compute_roof,
    below_both,  ///< neither memory nor compute is busy, at any intensity
};
template <>
inline constexpr std::size_t enum_size<Position> = 5;

/// "below_memory_roof": the stable name used in files.
[[nodiscard]] std::string_view id_of(Position position);

/// What a position means, whatever the kernel.
struct PositionGuide {
    Position position;
    std::string_view title;
    std::string_view symptom;  ///< what the counters show there
    std::string_view meaning;  ///< what that says of the kernel
};

[[nodiscard]] const PositionGuide& guide_of(Position position);

/// Absent where nobody can tell: no roof is known, a part of the work was not counted, the work is integer
/// and not counted as such, or the kernel is above its roof.
[[nodiscard]] std::optional<Position> position_of(const KernelPoint& point, const Thresholds& limits);

}  // namespace roofwalk

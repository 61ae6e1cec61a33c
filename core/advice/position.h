// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
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
    below_both,  ///< neither memory nor compute is busy, near the ridge
};

inline constexpr std::size_t position_count = 5;

/// "below_memory_roof": the stable name used in files.
[[nodiscard]] std::string_view id_of(Position position);

/// What a position means and where to begin.
struct PositionGuide {
    Position position;
    std::string_view title;
    std::string_view symptom;    ///< what the counters show there
    std::string_view meaning;    ///< what that says of the kernel
    std::string_view primary;    ///< what to do first
    std::string_view secondary;  ///< what to do then
};

[[nodiscard]] const PositionGuide& guide_of(Position position);

/// The same for one kernel at its position, with its figures.
struct KernelGuide {
    std::string_view title;
    std::string symptom;
    std::string_view meaning;
    std::string primary;
    std::string_view secondary;
};

/// What to do first is about the level or the pipe that binds, and near the practical roof about fewer bytes
/// rather than more of them under way; where the class rests on a unit that the profiler found busy, symptom,
/// meaning and what to do first are about that unit.
[[nodiscard]] KernelGuide guide_of(Position position, const KernelPoint& point,
                                   const PracticalLimits& limits);

/// Absent where nobody can tell: no roof is known, a part of the work was not counted, the work is integer
/// and not counted as such, or the kernel is above its roof.
[[nodiscard]] std::optional<Position> position_of(const KernelPoint& point, const Thresholds& limits);

}  // namespace roofwalk

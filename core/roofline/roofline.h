// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/enum_array.h"
#include "core/base/units.h"

/// The roofline model itself: Williams, Waterman, Patterson, "Roofline: An Insightful Visual Performance
/// Model", CACM 52(4), 2009; with one bandwidth ceiling for each memory level.
namespace roofwalk {

/// min(pi, beta * I): the most that can be attained under one compute and one bandwidth ceiling.
[[nodiscard]] constexpr FlopRate attainable(FlopRate peak, ByteRate bandwidth, Intensity intensity) {
    const FlopRate slope = bandwidth * intensity;
    return slope < peak ? slope : peak;
}

/// pi / beta: the intensity where both ceilings meet. A property of the machine, not of a kernel.
[[nodiscard]] constexpr Intensity ridge_point(FlopRate peak, ByteRate bandwidth) {
    return peak / bandwidth;
}

/// Lower bounds of time.
[[nodiscard]] constexpr Seconds time_bound(Flops work, FlopRate peak) {
    return work / peak;
}
[[nodiscard]] constexpr Seconds time_bound(Bytes bytes, ByteRate bandwidth) {
    return bytes / bandwidth;
}

/// On which side of a ridge an intensity lies.
enum class Side : std::uint8_t { memory, at_ridge, compute };
template <>
inline constexpr EnumIds<Side, 3> enum_ids<Side>{"memory", "at_ridge", "compute"};

/// `tolerance` is relative: within it the point is at the ridge.
[[nodiscard]] constexpr Side side_of_ridge(Intensity intensity, Intensity ridge, double tolerance = 1e-3) {
    const double ratio = intensity / ridge;
    if (ratio < 1 - tolerance) return Side::memory;
    if (ratio > 1 + tolerance) return Side::compute;
    return Side::at_ridge;
}

}  // namespace roofwalk

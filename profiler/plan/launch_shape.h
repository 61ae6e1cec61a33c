// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>

namespace roofwalk {

/// Launches that may be expected to do the same: one kernel with one geometry on one device.
struct LaunchShape {
    std::string name;
    std::uint32_t device = 0;
    std::array<std::uint32_t, 3> grid{1, 1, 1};
    std::array<std::uint32_t, 3> block{1, 1, 1};
    std::uint32_t dynamic_shared = 0;  ///< per block [byte]

    friend auto operator<=>(const LaunchShape&, const LaunchShape&) = default;
};

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/roofline/analysis.h"

namespace roofwalk {

/// An analysis beside the profile that it is of.
struct Analysed {
    const Profile& profile;
    const Analysis& analysis;
};

/// Where each of `points` of `before` is in `after`: the point with its first launch. A launch of a file that
/// was read again is the one of the same kernel name at the same place in the order of that kernel's
/// launches. Absent: it is gone.
[[nodiscard]] std::vector<std::optional<std::uint32_t>> follow_points(const Analysed& before,
                                                                      std::span<const std::uint32_t> points,
                                                                      const Analysed& after);

}  // namespace roofwalk

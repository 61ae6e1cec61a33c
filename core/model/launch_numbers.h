// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/profile.h"

namespace roofwalk {

/// The number of each launch among those read from its own file, from 0: the ID that Nsight Compute shows
/// where every result of a report could be read.
class LaunchNumbers {
  public:
    explicit LaunchNumbers(const Profile& profile);

    [[nodiscard]] std::uint32_t of(LaunchIndex launch) const {
        return numbers_[static_cast<std::size_t>(launch)];
    }

  private:
    std::vector<std::uint32_t> numbers_;
};

}  // namespace roofwalk

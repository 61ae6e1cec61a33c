// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/model/profile.h"

namespace roofwalk {

/// Launches of which a file tells the average alone: each of them is shown alike, so that a sum over them is
/// what they took together. At most 1,000,000 beyond the first of each average.
class AveragedLaunches {
  public:
    /// So many launches like `average`; one without a time where their number is none, or too many.
    void add(std::vector<Launch>& launches, Launch average, double count, StringPool& texts);
    /// Tells of those that are shown once.
    void warn(Profile& profile, std::string hint);

  private:
    std::size_t copies_ = 0;
    std::vector<LaunchIndex> shown_once_;
};

}  // namespace roofwalk

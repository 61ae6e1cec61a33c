// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/launch_numbers.h"

#include <map>

namespace roofwalk {

LaunchNumbers::LaunchNumbers(const Profile& profile) {
    std::map<SourceIndex, std::uint32_t> next;
    numbers_.reserve(profile.launches.size());
    for (const Launch& launch : profile.launches)
        numbers_.push_back(next[launch.source]++);
}

}  // namespace roofwalk

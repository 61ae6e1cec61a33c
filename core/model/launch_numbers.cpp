// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/launch_numbers.h"

#include <cstddef>

namespace roofwalk {

LaunchNumbers::LaunchNumbers(const Profile& profile) {
    std::vector<std::uint32_t> next(profile.sources.size());
    numbers_.reserve(profile.launches.size());
    for (const Launch& launch : profile.launches) {
        const auto source = static_cast<std::size_t>(launch.source);
        if (source >= next.size()) next.resize(source + 1);
        numbers_.push_back(next[source]++);
    }
}

}  // namespace roofwalk

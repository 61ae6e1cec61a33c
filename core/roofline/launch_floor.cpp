// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/roofline/launch_floor.h"

#include <fmt/format.h>

#include "core/base/enum_array.h"
#include "core/base/text.h"
#include "core/model/profile.h"

namespace roofwalk {

std::string_view id_of(LaunchFloorSource source) {
    constexpr EnumArray<LaunchFloorSource, std::string_view, 3> ids{"usual", "typed", "report"};
    return ids[source];
}

std::string describe(const LaunchFloor& floor) {
    constexpr EnumArray<LaunchFloorSource, std::string_view, 3> words{"usual", "typed",
                                                                      "the shortest launch of the report"};
    return fmt::format("{} ({})", format(floor.time), words[floor.source]);
}

std::vector<LaunchFloor> launch_floors(const Profile& profile, const std::optional<Seconds>& typed) {
    const LaunchFloor start = typed ? LaunchFloor{*typed, LaunchFloorSource::typed} : LaunchFloor{};
    std::vector<LaunchFloor> floors(profile.devices.size(), start);
    for (const Launch& launch : profile.launches) {
        if (launch.failed || !launch.duration || launch.duration->value() <= 0) continue;
        LaunchFloor& floor = floors[static_cast<std::size_t>(launch.device)];
        if (*launch.duration < floor.time) floor = {*launch.duration, LaunchFloorSource::report};
    }
    return floors;
}

}  // namespace roofwalk

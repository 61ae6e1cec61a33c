// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/roofline/launch_floor.h"

#include <fmt/format.h>

#include "core/base/enum_array.h"
#include "core/base/text.h"
#include "core/model/profile.h"
#include "core/roofline/analysis.h"

namespace roofwalk {

std::string describe(const LaunchFloor& floor) {
    constexpr EnumArray<LaunchFloorSource, std::string_view, 4> words{
        "usual", "typed", "measured on this GPU", "the report's shortest launch"};
    return fmt::format("{} ({})", format(floor.time), words[floor.source]);
}

std::vector<LaunchFloor> launch_floors(const Profile& profile, const AnalysisOptions& options) {
    std::vector<LaunchFloor> floors;
    for (const Device& device : profile.devices) {
        if (options.launch_floor)
            floors.push_back({*options.launch_floor, LaunchFloorSource::typed});
        else if (const auto measured = measured_of(options, device).launch_floor)
            floors.push_back({*measured, LaunchFloorSource::measured});
        else
            floors.push_back({});
    }
    for (const Launch& launch : profile.launches) {
        if (launch.failed || !launch.duration || launch.duration->value() <= 0) continue;
        LaunchFloor& floor = floors[static_cast<std::size_t>(launch.device)];
        if (*launch.duration < floor.time) floor = {*launch.duration, LaunchFloorSource::report};
    }
    return floors;
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/derived_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

#include "core/base/text.h"

namespace roofwalk {

namespace {

/// The longest of those alike.
struct KnownTimes {
    std::optional<Seconds> timed;
    std::optional<Seconds> derived_without_work;
};

/// GPU, where there are several, kernel and geometry.
using Alike = std::tuple<std::string_view, std::string_view, Dim3, Dim3>;

Alike alike(const Profile& profile, bool several_gpus, const Launch& launch) {
    return {several_gpus ? std::string_view(profile.device_of(launch).name) : std::string_view(),
            profile.kernel_of(launch).name, launch.grid, launch.block};
}

/// A device without a name may be the one that has one.
bool has_several_gpus(const Profile& profile) {
    const auto named = std::ranges::find_if_not(profile.devices, &std::string::empty, &Device::name);
    return std::any_of(named, profile.devices.end(), [&](const Device& device) {
        return !device.name.empty() && device.name != named->name;
    });
}

bool is_derived(const Launch& launch) {
    return launch.duration && launch.duration_origin == TimeOrigin::derived;
}

std::map<Alike, KnownTimes> known_times(const Profile& profile, bool several_gpus) {
    std::map<Alike, KnownTimes> known;
    for (const Launch& launch : profile.launches) {
        if (!launch.duration || (is_derived(launch) && !launch.work.empty())) continue;
        KnownTimes& times = known[alike(profile, several_gpus, launch)];
        std::optional<Seconds>& longest = is_derived(launch) ? times.derived_without_work : times.timed;
        longest = std::max(longest.value_or(Seconds()), *launch.duration);
    }
    return known;
}

}  // namespace

bool is_of_counting_pass(Seconds derived, Seconds other) {
    constexpr double most = 10;  // no change of clocks comes near
    return other.value() > 0 && derived.value() > most * other.value();
}

void refuse_derived_times(Profile& profile) {
    if (std::ranges::none_of(profile.launches, is_derived)) return;
    const bool several_gpus = has_several_gpus(profile);
    const std::map<Alike, KnownTimes> known = known_times(profile, several_gpus);
    std::vector<LaunchIndex> refused;
    std::string first;
    for (std::size_t i = 0; i < profile.launches.size(); ++i) {
        Launch& launch = profile.launches[i];
        const auto times =
            is_derived(launch) ? known.find(alike(profile, several_gpus, launch)) : known.end();
        if (times == known.end()) continue;
        const std::optional<Seconds>& other = times->second.timed    ? times->second.timed
                                              : !launch.work.empty() ? times->second.derived_without_work
                                                                     : std::nullopt;
        if (!other || !is_of_counting_pass(*launch.duration, *other)) continue;
        if (refused.empty()) first = fmt::format("{} beside {}", format(*launch.duration), format(*other));
        refused.push_back(static_cast<LaunchIndex>(i));
        launch.duration.reset();
    }
    if (refused.empty()) return;
    const Launch& launch = profile.at(refused.front());
    const std::string many =
        refused.size() == 1 ? "" : fmt::format(" and of {} launches more", refused.size() - 1);
    profile.warnings.push_back(
        {{ErrorCode::contradiction,
          fmt::format("The time of {}{} is refused: it is derived from cycles, and launches alike took far "
                      "less, {}. Counting instructions slowed them down",
                      profile.kernel_of(launch).name, many, first),
          profile.at(launch.source).path,
          "Join it with the report of a run that was timed and nothing else."},
         std::move(refused),
         true});
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/roofline/timeline/idle_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/text.h"

namespace roofwalk {

namespace {

using SourceDevice = std::pair<SourceIndex, DeviceIndex>;

bool has_own_times(const Launch& launch) {
    return launch.start && launch.duration && launch.duration_origin == TimeOrigin::measured &&
           !launch.failed;
}

/// Of each source, whether its start times are those of a run that nothing held up and that is listed whole.
std::vector<bool> undisturbed(const Profile& profile) {
    std::vector<bool> known;
    for (const SourceInfo& source : profile.sources)
        known.push_back(source.range_results == 0 && source.left_out == 0 && !source.partial);
    // What was joined to a run was counted in another one.
    std::vector<bool> completed(known.size());
    for (const SourceInfo& source : profile.sources)
        if (source.joined_with) completed[static_cast<std::size_t>(*source.joined_with)] = true;
    for (const Launch& launch : profile.launches) {
        const auto source = static_cast<std::size_t>(launch.source);
        if (!completed[source] && (!launch.work.empty() || !launch.traffic.empty())) known[source] = false;
    }
    return known;
}

/// Adds the launches of one device, in the order of their starts.
IdleTime idle_of(const Profile& profile, const SourceDevice& place, const std::vector<LaunchIndex>& launches,
                 std::vector<Seconds>& idle_before) {
    IdleTime found{place.first, place.second, launches.size(), {}, {}};
    const Seconds first = *profile.at(launches.front()).start;
    Seconds end = first;
    for (const LaunchIndex index : launches) {
        const Launch& launch = profile.at(index);
        const Seconds gap = std::max(Seconds(), *launch.start - end);
        idle_before[static_cast<std::size_t>(index)] = gap;
        found.idle += gap;
        end = std::max(end, *launch.start + *launch.duration);
    }
    found.wall = end - first;
    return found;
}

}  // namespace

std::optional<Seconds> Timeline::before(std::span<const LaunchIndex> launches) const {
    if (known.empty()) return std::nullopt;
    Seconds sum;
    for (const LaunchIndex launch : launches) {
        if (!known[static_cast<std::size_t>(launch)]) return std::nullopt;
        sum += idle_before[static_cast<std::size_t>(launch)];
    }
    return sum;
}

Timeline timeline_of(const Profile& profile) {
    Timeline timeline;
    if (std::ranges::none_of(profile.launches, has_own_times)) return timeline;
    const std::vector<bool> whole = undisturbed(profile);
    std::map<SourceDevice, std::vector<LaunchIndex>> by_device;
    std::map<SourceDevice, bool> lacks_times;
    for (std::size_t i = 0; i < profile.launches.size(); ++i) {
        const Launch& launch = profile.launches[i];
        if (!whole[static_cast<std::size_t>(launch.source)]) continue;
        const SourceDevice place(launch.source, launch.device);
        by_device[place].push_back(static_cast<LaunchIndex>(i));
        if (!has_own_times(launch)) lacks_times[place] = true;
    }
    std::erase_if(by_device, [&](const auto& entry) { return lacks_times.contains(entry.first); });
    if (by_device.empty()) return timeline;
    timeline.idle_before.resize(profile.launches.size());
    timeline.known.resize(profile.launches.size());
    for (auto& [place, launches] : by_device) {
        std::ranges::stable_sort(launches, {}, [&](LaunchIndex index) { return *profile.at(index).start; });
        timeline.devices.push_back(idle_of(profile, place, launches, timeline.idle_before));
        for (const LaunchIndex launch : launches)
            timeline.known[static_cast<std::size_t>(launch)] = true;
    }
    return timeline;
}

std::string idle_sentence(std::span<const IdleTime> devices) {
    Seconds wall;
    Seconds idle;
    bool several_sources = false;
    for (const IdleTime& device : devices) {
        wall += device.wall;
        idle += device.idle;
        several_sources = several_sources || device.source != devices.front().source;
    }
    if (wall.value() <= 0) return {};
    return fmt::format("No kernel ran in {} ({}) of the {} from the first kernel to the end of the last{}.",
                       format(idle), format_percent(idle / wall), format(wall),
                       devices.size() == 1 ? std::string()
                                           : fmt::format(", summed over {} {}",
                                                         format_count(static_cast<double>(devices.size())),
                                                         several_sources ? "runs" : "devices"));
}

}  // namespace roofwalk

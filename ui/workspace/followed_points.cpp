// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/followed_points.h"

#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace roofwalk {

namespace {

/// Numbers for the kernels of files, shared by two profiles: path of the file, name of the kernel.
using KernelNumbers = std::map<std::pair<std::string_view, std::string_view>, std::size_t>;

/// For each launch in file order, the number of its kernel.
std::vector<std::size_t> kernels_of_launches(const Profile& profile, KernelNumbers& numbers) {
    std::unordered_map<std::uint64_t, std::size_t> known;  // names are long: compared once each
    std::vector<std::size_t> kernels;
    kernels.reserve(profile.launches.size());
    for (const Launch& launch : profile.launches) {
        const auto source_and_kernel = std::uint64_t{static_cast<std::uint32_t>(launch.source)} << 32 |
                                       static_cast<std::uint32_t>(launch.kernel);
        const auto [place, fresh] = known.try_emplace(source_and_kernel);
        if (fresh) {
            const std::string_view path = profile.sources[static_cast<std::size_t>(launch.source)].path;
            const std::string_view name = profile.kernel_of(launch).name;
            place->second = numbers.try_emplace({path, name}, numbers.size()).first->second;
        }
        kernels.push_back(place->second);
    }
    return kernels;
}

/// By launch of `before`: the same launch of `after`.
std::vector<std::optional<LaunchIndex>> same_launches(const Profile& before, const Profile& after) {
    KernelNumbers numbers;
    const std::vector<std::size_t> kernels_before = kernels_of_launches(before, numbers);
    const std::vector<std::size_t> kernels_after = kernels_of_launches(after, numbers);
    std::vector<std::vector<LaunchIndex>> launches(numbers.size());
    for (std::size_t i = 0; i < kernels_after.size(); ++i)
        launches[kernels_after[i]].push_back(static_cast<LaunchIndex>(i));
    std::vector<std::size_t> seen(numbers.size());
    std::vector<std::optional<LaunchIndex>> same;
    same.reserve(kernels_before.size());
    for (const std::size_t kernel : kernels_before) {
        const std::size_t place = seen[kernel]++;
        same.push_back(place < launches[kernel].size() ? std::optional(launches[kernel][place])
                                                       : std::nullopt);
    }
    return same;
}

/// By launch: the point that holds it.
std::vector<std::uint32_t> points_of_launches(const Analysis& analysis) {
    std::vector<std::uint32_t> points(analysis.grouping.order.size());
    for (std::uint32_t i = 0; i < analysis.points.size(); ++i)
        for (const LaunchIndex launch :
             analysis.grouping.launches_of(analysis.grouping.groups[analysis.points[i].group]))
            points[static_cast<std::size_t>(launch)] = i;
    return points;
}

}  // namespace

std::vector<std::optional<std::uint32_t>> follow_points(const Analysed& before,
                                                        std::span<const std::uint32_t> points,
                                                        const Analysed& after) {
    const bool same_profile = &before.profile == &after.profile;
    const auto same = same_profile ? std::vector<std::optional<LaunchIndex>>()
                                   : same_launches(before.profile, after.profile);
    const std::vector<std::uint32_t> point_of = points_of_launches(after.analysis);
    std::vector<std::optional<std::uint32_t>> found;
    found.reserve(points.size());
    for (const std::uint32_t point : points) {
        const Grouping& grouping = before.analysis.grouping;
        const KernelGroup& group = grouping.groups[before.analysis.points[point].group];
        const LaunchIndex first = grouping.launches_of(group).front();
        const std::optional<LaunchIndex> launch =
            same_profile ? std::optional(first) : same[static_cast<std::size_t>(first)];
        found.push_back(launch ? std::optional(point_of[static_cast<std::size_t>(*launch)]) : std::nullopt);
    }
    return found;
}

}  // namespace roofwalk

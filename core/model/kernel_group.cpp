// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/kernel_group.h"

#include <map>
#include <tuple>

namespace roofwalk {

namespace {

constexpr EnumArray<GroupBy, std::string_view, 4> nouns{"launch", "kernel", "NVTX range", "operation"};
constexpr EnumArray<GroupBy, std::string_view, 4> plurals{"launches", "kernels", "NVTX ranges", "operations"};

/// The last are the kernel, range or launch, and the label.
using GroupKey = std::tuple<SourceIndex, DeviceIndex, std::uint32_t, std::uint32_t>;

GroupKey key_of(const Launch& launch, std::size_t index, GroupBy group_by, std::uint32_t label) {
    switch (group_by) {
        case GroupBy::kernel:
            return {launch.source, launch.device, static_cast<std::uint32_t>(launch.kernel), 0};
        case GroupBy::operation:
            return {launch.source, launch.device, label == 0 ? static_cast<std::uint32_t>(launch.kernel) : 0,
                    label};
        case GroupBy::nvtx:
            return {launch.source, launch.device, static_cast<std::uint32_t>(launch.nvtx), 0};
        case GroupBy::launch:
            break;
    }
    return {launch.source, launch.device, static_cast<std::uint32_t>(index), 0};
}

}  // namespace

std::string_view noun_of(GroupBy group_by, std::size_t count) {
    return (count == 1 ? nouns : plurals)[group_by];
}

std::span<const LaunchIndex> Grouping::launches_of(const KernelGroup& group) const {
    return std::span(order).subspan(group.first, group.count);
}

Grouping group_launches(const Profile& profile, GroupBy group_by, LaunchLabels labels) {
    Grouping grouping;
    const std::size_t count = profile.launches.size();
    std::vector<std::uint32_t> group_of(count);
    if (group_by == GroupBy::launch) {
        for (std::size_t i = 0; i < count; ++i)
            group_of[i] = static_cast<std::uint32_t>(i);
        grouping.groups.resize(count);
    } else {
        std::map<GroupKey, std::uint32_t> numbers;
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t label = labels.of_launch.empty() ? 0 : labels.of_launch[i];
            const GroupKey key = key_of(profile.launches[i], i, group_by, label);
            group_of[i] = numbers.emplace(key, static_cast<std::uint32_t>(numbers.size())).first->second;
        }
        grouping.groups.resize(numbers.size());
        if (group_by == GroupBy::operation) {
            for (const auto& [key, number] : numbers)
                grouping.groups[number].label = std::get<3>(key);
            grouping.labels = std::move(labels.texts);
        }
    }
    for (const std::uint32_t number : group_of)
        ++grouping.groups[number].count;
    std::uint32_t next = 0;
    for (KernelGroup& group : grouping.groups) {
        group.first = next;
        next += group.count;
    }
    std::vector<std::uint32_t> cursor(grouping.groups.size());
    for (std::size_t i = 0; i < cursor.size(); ++i)
        cursor[i] = grouping.groups[i].first;
    grouping.order.resize(count);
    for (std::size_t i = 0; i < count; ++i)
        grouping.order[cursor[group_of[i]]++] = static_cast<LaunchIndex>(i);
    return grouping;
}

std::string name_of_group(const Profile& profile, const Grouping& grouping, const KernelGroup& group,
                          GroupBy group_by) {
    if (group.label != 0) return grouping.labels[group.label - 1];
    const Launch& first = profile.at(grouping.order[group.first]);
    if (group_by != GroupBy::nvtx) return profile.kernel_of(first).name;
    const NvtxStack& stack = profile.nvtx_of(first);
    if (stack.empty()) return "(outside any NVTX range)";
    return nvtx_path(stack);
}

}  // namespace roofwalk

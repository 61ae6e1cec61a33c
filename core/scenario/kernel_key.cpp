// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/kernel_key.h"

#include <unordered_map>

namespace roofwalk {

namespace {

constexpr std::uint32_t no_point = 0xFFFFFFFF;

/// The key of a group, its occurrence left out.
KernelKey plain_key(const Profile& profile, const Analysis& analysis, const KernelGroup& group) {
    KernelKey key;
    key.group_by = analysis.options.group_by;
    key.name = name_of_group(profile, analysis.grouping, group, key.group_by);
    if (key.group_by == GroupBy::launch) {
        const Launch& launch = profile.at(analysis.grouping.order[group.first]);
        key.grid = launch.grid;
        key.block = launch.block;
    }
    return key;
}

bool same_shape(const KernelKey& a, const KernelKey& b) {
    return a.grid == b.grid && a.block == b.block;
}

/// Index into Analysis::points by group; no_point where a filter left none.
std::vector<std::uint32_t> points_of_groups(const Analysis& analysis) {
    std::vector<std::uint32_t> points(analysis.grouping.groups.size(), no_point);
    for (std::uint32_t i = 0; i < analysis.points.size(); ++i)
        points[analysis.points[i].group] = i;
    return points;
}

}  // namespace

KernelKey key_of(const Profile& profile, const Analysis& analysis, const KernelPoint& point) {
    const auto& groups = analysis.grouping.groups;
    KernelKey key = plain_key(profile, analysis, groups[point.group]);
    const bool by_range = key.group_by == GroupBy::nvtx;
    for (std::uint32_t i = 0; i < point.group; ++i) {
        // There may be a million rows: a key is made only of those that have the name.
        const Launch& first = profile.at(analysis.grouping.order[groups[i].first]);
        if (!by_range && profile.kernel_of(first).name != key.name) continue;
        const KernelKey other = plain_key(profile, analysis, groups[i]);
        if (other.name == key.name && same_shape(other, key)) ++key.occurrence;
    }
    return key;
}

std::vector<FoundKernel> find_kernels(const Profile& profile, const Analysis& analysis,
                                      std::span<const KernelKey* const> keys) {
    /// A key still looked for, and how many rows like it were passed.
    struct Wanted {
        std::size_t key;
        std::uint32_t passed = 0;
    };
    std::vector<FoundKernel> found(keys.size());
    std::unordered_map<std::string_view, std::vector<Wanted>> by_name;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (keys[i]->group_by == analysis.options.group_by)
            by_name[keys[i]->name].push_back({i});
        else
            found[i].match = KeyMatch::other_grouping;
    }
    if (by_name.empty()) return found;
    const std::vector<std::uint32_t> points = points_of_groups(analysis);
    for (std::size_t group = 0; group < points.size(); ++group) {
        const KernelKey plain = plain_key(profile, analysis, analysis.grouping.groups[group]);
        const auto wanted = by_name.find(plain.name);
        if (wanted == by_name.end()) continue;
        for (Wanted& one : wanted->second) {
            if (!same_shape(*keys[one.key], plain)) continue;
            if (one.passed++ != keys[one.key]->occurrence) continue;
            const bool shown = points[group] != no_point;
            found[one.key] = {shown ? KeyMatch::found : KeyMatch::hidden, shown ? points[group] : 0};
        }
    }
    return found;
}

}  // namespace roofwalk

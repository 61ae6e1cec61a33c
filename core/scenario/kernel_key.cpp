// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/kernel_key.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <unordered_map>

namespace roofwalk {

namespace {

constexpr std::uint32_t no_point = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t not_wanted = 0;

/// Numbers the names that are looked for, those of kernels or those of NVTX ranges, so that rows are compared
/// by numbers: there may be a million.
class WantedNames {
  public:
    void want(const std::string& name) {
        numbers_.try_emplace(name, static_cast<std::uint32_t>(numbers_.size()) + 1);
    }
    /// After the last want().
    void look_among_kernels(const Profile& profile) {
        if (numbers_.empty()) return;
        for (const Kernel& kernel : profile.kernels)
            by_index_.push_back(number_of(kernel.name));
        note_occurring();
    }
    /// `grouping` is by NVTX range.
    void look_among_ranges(const Profile& profile, const Grouping& grouping) {
        if (numbers_.empty()) return;
        by_index_.resize(profile.nvtx_stacks.size());
        for (const KernelGroup& group : grouping.groups)
            by_index_[static_cast<std::size_t>(profile.at(grouping.order[group.first]).nvtx)] =
                number_of(name_of_group(profile, grouping, group, GroupBy::nvtx));
        note_occurring();
    }
    /// Operations stand behind the kernels, which are the names of launches without one.
    void look_among_operations(const Profile& profile, std::span<const std::string> operations) {
        if (numbers_.empty()) return;
        for (const Kernel& kernel : profile.kernels)
            by_index_.push_back(number_of(kernel.name));
        for (const std::string& operation : operations)
            by_index_.push_back(number_of(operation));
        note_occurring();
    }
    [[nodiscard]] std::uint32_t number_of(const std::string& name) const {
        const auto known = numbers_.find(name);
        return known == numbers_.end() ? not_wanted : known->second;
    }
    /// By KernelIndex or NvtxIndex.
    [[nodiscard]] std::uint32_t at(std::size_t index) const { return by_index_[index]; }
    /// Whether the profile has a name that is wanted.
    [[nodiscard]] bool occurs(const std::string& name) const { return occurs_[number_of(name)]; }

  private:
    void note_occurring() {
        occurs_.resize(numbers_.size() + 1);
        for (const std::uint32_t number : by_index_)
            occurs_[number] = true;
    }

    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::vector<std::uint32_t> by_index_;
    std::vector<bool> occurs_;  // by number
};

/// What rows are alike in: the number of the name, grid and block.
using Likeness = std::array<std::uint32_t, 7>;

Likeness likeness(std::uint32_t name, const Dim3& grid, const Dim3& block) {
    return {name, grid.x, grid.y, grid.z, block.x, block.y, block.z};
}

struct LikenessHash {
    std::size_t operator()(const Likeness& row) const {
        std::size_t hash = 0;
        for (const std::uint32_t number : row)
            hash = (hash ^ number) * 0x9E3779B97F4A7C15U + (hash >> 29U);
        return hash;
    }
};

/// Absent for a row whose name nobody looks for.
std::optional<Likeness> likeness_of(const Profile& profile, const Analysis& analysis, std::size_t group,
                                    const WantedNames& names) {
    const KernelGroup& row = analysis.grouping.groups[group];
    const Launch& launch = profile.at(analysis.grouping.order[row.first]);
    const GroupBy group_by = analysis.options.group_by;
    const std::uint32_t name =
        names.at(row.label != 0              ? profile.kernels.size() + row.label - 1
                 : group_by == GroupBy::nvtx ? static_cast<std::size_t>(launch.nvtx)
                                             : static_cast<std::size_t>(launch.kernel));
    if (name == not_wanted) return std::nullopt;
    if (group_by != GroupBy::launch) return likeness(name, {}, {});
    return likeness(name, launch.grid, launch.block);
}

/// Index into Analysis::points by group; no_point where the analysis was cancelled before it.
std::vector<std::uint32_t> points_of_groups(const Analysis& analysis) {
    std::vector<std::uint32_t> points(analysis.grouping.groups.size(), no_point);
    for (std::uint32_t i = 0; i < analysis.points.size(); ++i)
        points[analysis.points[i].group] = i;
    return points;
}

/// Keys that are alike but for their occurrence, and how many rows like them were passed.
struct Alike {
    std::uint32_t passed = 0;
    std::unordered_multimap<std::uint32_t, std::size_t> keys;  ///< by occurrence, their index
};

/// Names of kernels, of NVTX ranges and of operations are looked for apart.
struct NamesByKind {
    WantedNames kernels;
    WantedNames ranges;
    WantedNames operations;

    [[nodiscard]] WantedNames& of(GroupBy group_by) {
        return group_by == GroupBy::nvtx ? ranges : group_by == GroupBy::operation ? operations : kernels;
    }
};

NamesByKind names_wanted(const Profile& profile, const Analysis& analysis,
                         std::span<const KernelKey* const> keys) {
    NamesByKind names;
    bool ranges = false;
    for (const KernelKey* key : keys) {
        names.of(key->group_by).want(key->name);
        ranges = ranges || key->group_by == GroupBy::nvtx;
    }
    names.kernels.look_among_kernels(profile);
    const auto& bound = analysis.options.launch_operations;
    names.operations.look_among_operations(profile, analysis.options.group_by == GroupBy::operation
                                                        ? analysis.grouping.labels
                                                        : (bound ? labels_of(*bound) : LaunchLabels()).texts);
    if (ranges)
        names.ranges.look_among_ranges(profile, analysis.options.group_by == GroupBy::nvtx
                                                    ? analysis.grouping
                                                    : group_launches(profile, GroupBy::nvtx));
    return names;
}

}  // namespace

std::vector<KernelKey> keys_of(const Profile& profile, const Analysis& analysis,
                               std::span<const std::uint32_t> points) {
    const GroupBy group_by = analysis.options.group_by;
    std::vector<KernelKey> keys;
    WantedNames names;
    std::uint32_t last = 0;
    for (const std::uint32_t point : points) {
        const KernelGroup& group = analysis.grouping.groups[analysis.points[point].group];
        KernelKey& key = keys.emplace_back();
        key.group_by = group_by;
        key.name = name_of_group(profile, analysis.grouping, group, group_by);
        if (group_by == GroupBy::launch) {
            const Launch& launch = profile.at(analysis.grouping.order[group.first]);
            key.grid = launch.grid;
            key.block = launch.block;
        }
        names.want(key.name);
        last = std::max(last, analysis.points[point].group);
    }
    if (keys.empty()) return keys;
    if (group_by == GroupBy::nvtx)
        names.look_among_ranges(profile, analysis.grouping);
    else if (group_by == GroupBy::operation)
        names.look_among_operations(profile, analysis.grouping.labels);
    else
        names.look_among_kernels(profile);
    std::unordered_map<Likeness, std::uint32_t, LikenessHash> passed;
    for (const KernelKey& key : keys)
        passed.try_emplace(likeness(names.number_of(key.name), key.grid, key.block));
    std::unordered_map<std::uint32_t, std::uint32_t> occurrences;  // by group
    for (const std::uint32_t point : points)
        occurrences.try_emplace(analysis.points[point].group);
    for (std::uint32_t group = 0; group <= last; ++group) {
        const auto row = likeness_of(profile, analysis, group, names);
        if (!row) continue;
        const auto alike = passed.find(*row);
        if (alike == passed.end()) continue;
        if (const auto wanted = occurrences.find(group); wanted != occurrences.end())
            wanted->second = alike->second;
        ++alike->second;
    }
    for (std::size_t i = 0; i < keys.size(); ++i)
        keys[i].occurrence = occurrences[analysis.points[points[i]].group];
    return keys;
}

KernelKey key_of(const Profile& profile, const Analysis& analysis, const KernelPoint& point) {
    const auto index = static_cast<std::uint32_t>(&point - analysis.points.data());
    return keys_of(profile, analysis, {&index, 1}).front();
}

std::vector<FoundKernel> find_kernels(const Profile& profile, const Analysis& analysis,
                                      std::span<const KernelKey* const> keys, const Progress& progress) {
    const GroupBy shown = analysis.options.group_by;
    NamesByKind kinds = names_wanted(profile, analysis, keys);
    const WantedNames& names = kinds.of(shown);
    std::vector<FoundKernel> found(keys.size());
    std::unordered_map<Likeness, Alike, LikenessHash> wanted;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const KernelKey& key = *keys[i];
        if (!kinds.of(key.group_by).occurs(key.name)) continue;
        found[i].match = key.group_by == shown ? KeyMatch::other_row : KeyMatch::other_grouping;
        if (key.group_by == shown)
            wanted[likeness(names.number_of(key.name), key.grid, key.block)].keys.emplace(key.occurrence, i);
    }
    if (wanted.empty()) return found;
    const std::vector<std::uint32_t> points = points_of_groups(analysis);
    for (std::size_t group = 0; group < points.size() && !progress.cancelled(); ++group) {
        const auto row = likeness_of(profile, analysis, group, names);
        const auto alike = row ? wanted.find(*row) : wanted.end();
        if (alike == wanted.end()) continue;
        const auto [first, last] = alike->second.keys.equal_range(alike->second.passed++);
        if (points[group] == no_point) continue;
        for (auto key = first; key != last; ++key)
            found[key->second] = {KeyMatch::found, points[group]};
    }
    return found;
}

}  // namespace roofwalk

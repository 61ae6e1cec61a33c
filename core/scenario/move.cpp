// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/move.h"

#include <array>
#include <cmath>
#include <limits>
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

bool is_one(double factor) {
    return std::abs(factor - 1) < factor_rounding;
}

void change_amounts(KernelState& state, const KernelRoofs& roofs, const Move& move) {
    for (const Pipe pipe : all_pipes)
        state.work[pipe] = state.work[pipe] * move.work;
    state.needs.bytes = bounded_factor(state.needs.bytes * move.needs.bytes);
    state.needs.work = bounded_factor(state.needs.work * move.needs.work);
    state.inputs = bounded_factor(state.inputs * move.inputs);
    state.launches = bounded_factor(state.launches * move.launches);
    state.calls = bounded_factor(state.calls * move.launches * move.calls);
    if (move.pipe && move.pipe->from != move.pipe->to) {
        state.work[move.pipe->to] += state.work[move.pipe->from];
        state.work[move.pipe->from] = Flops();
    }
    // From the near end: a factor of L1 itself overrules what shared memory does to it.
    const auto before = state.bytes;
    for (auto level = all_levels.rbegin(); level != all_levels.rend(); ++level)
        if (before[*level] && move.bytes[*level] != 1)
            set_bytes(state, roofs, *level, *before[*level] * move.bytes[*level]);
    const auto& shared = state.bytes[MemoryLevel::smem];
    if (move.smem_of_l2 > 0 && shared && before[MemoryLevel::l2])
        set_bytes(state, roofs, MemoryLevel::smem, *shared + *before[MemoryLevel::l2] * move.smem_of_l2);
}

Seconds changed_time(const KernelState& from, const KernelState& to, const KernelModel& model,
                     const Move& move) {
    const Seconds time = *time_by_roofs(from);
    if (move.time_rule == MoveTime::factor) return time * move.time;
    if (move.time_rule == MoveTime::to_roof) {
        const auto limit = time_at_limit(to, model);
        return limit ? std::min(*limit * model.apart, time) : time;
    }
    const auto before = speed_of_light(from, model.roofs);
    const auto after = speed_of_light(to, model.roofs);
    return before && after ? time * (after->time / before->time) : time;
}

bool has_same_amounts(const KernelState& a, const KernelState& b) {
    return a.bytes == b.bytes && a.work == b.work;
}

/// That of the nearest limit, or less where the kernel was beyond it already; absent where none is known.
std::optional<Seconds> nearest_time(const KernelState& state, const KernelModel& model) {
    const auto time = time_at_limit(state, model);
    return time ? std::optional(std::min(*time * std::min(1.0, model.apart), *time_by_roofs(state)))
                : std::nullopt;
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

bool changes_nothing(const Move& move) {
    const bool same_time = move.time_rule == MoveTime::keep_efficiency ||
                           (move.time_rule == MoveTime::factor && is_one(move.time));
    return same_time && std::ranges::all_of(move.bytes, is_one) && is_one(move.work) &&
           is_one(move.needs.bytes) && is_one(move.needs.work) && is_one(move.launches) &&
           is_one(move.calls) && move.smem_of_l2 == 0 && (!move.pipe || move.pipe->from == move.pipe->to);
}

std::optional<Seconds> least_time(const KernelState& from, const KernelState& state,
                                  const KernelModel& model) {
    const auto bound = speed_of_light(state, model.roofs);
    if (!bound) return std::nullopt;
    const auto before = speed_of_light(from, model.roofs);
    if (!before || !from.time) return bound->time;
    if (has_same_amounts(from, state)) return nearest_time(from, model);
    return std::min(bound->time, *time_by_roofs(from) * (bound->time / before->time));
}

KernelState moved(const KernelState& state, const KernelModel& model, const Move& move) {
    KernelState result = state;
    change_amounts(result, model.roofs, move);
    if (!state.time) return result;
    Seconds time =
        without_saved_launches(state, result, model.roofs, changed_time(state, result, model, move));
    if (move.time_rule == MoveTime::to_roof) result.others_save = model.others_recoverable;
    if (move.beyond_model) {
        result.time = time;
        result.below_floor.reset();
        return result;
    }
    auto least = least_time(state, result, model);
    if (!least && has_same_amounts(state, result)) least = nearest_time(state, model);
    if (least) time = std::max(time, *least);
    set_time_by_roofs(state, result, model, time);
    return result;
}

}  // namespace roofwalk

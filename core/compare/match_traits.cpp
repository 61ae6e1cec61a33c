// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/match_traits.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/model/kernel_name.h"

namespace roofwalk {

namespace {

/// Of launches that differ in a trait, as far as they are one group.
constexpr std::uint32_t various = 1;
constexpr std::uint32_t first_number = 2;

/// Gives equal things the same number.
template <class Map>
class Numbers {
  public:
    std::uint32_t of(const typename Map::key_type& thing) {
        return given_.try_emplace(thing, static_cast<std::uint32_t>(given_.size()) + first_number)
            .first->second;
    }

  private:
    Map given_;
};

using Texts = Numbers<std::unordered_map<std::string, std::uint32_t>>;
using Shapes = Numbers<std::map<std::pair<Dim3, Dim3>, std::uint32_t>>;

std::string path_of(const NvtxStack& stack) {
    std::string path;
    for (const std::string& range : stack)
        path += range + '\x1F';
    return path;
}

/// The value that `value_of` has for every launch; absent where they differ.
template <class ValueOf>
auto common(std::span<const LaunchIndex> launches, ValueOf value_of)
    -> std::optional<decltype(value_of(launches.front()))> {
    const auto first = value_of(launches.front());
    for (const LaunchIndex launch : launches.subspan(1))
        if (value_of(launch) != first) return std::nullopt;
    return first;
}

class TraitReader {
  public:
    explicit TraitReader(bool several_devices) : several_devices_(several_devices) {}

    std::vector<MatchTraits> read(const RunView& run) {
        const Profile& profile = *run.profile;
        const Analysis& analysis = *run.analysis;
        std::vector<std::uint32_t> paths;
        for (const NvtxStack& stack : profile.nvtx_stacks)
            paths.push_back(stack.empty() ? 0 : paths_.of(path_of(stack)));
        std::vector<MatchTraits> list;
        list.reserve(analysis.points.size());
        for (const KernelPoint& point : analysis.points) {
            const auto launches = run.launches_of(point);
            const auto shape = common(launches, [&](LaunchIndex i) {
                const Launch& launch = profile.at(i);
                return std::pair(launch.grid, launch.block);
            });
            const auto path = common(
                launches, [&](LaunchIndex i) { return paths[static_cast<std::size_t>(profile.at(i).nvtx)]; });
            MatchTraits& traits = list.emplace_back();
            if (several_devices_)
                traits[Trait::device] = names_.of(profile.device_of(profile.at(launches.front())).name);
            traits[Trait::name] = names_.of(point.name);
            if (analysis.options.group_by != GroupBy::nvtx)
                traits[Trait::base_name] = base_number(traits[Trait::name], point.name);
            traits[Trait::shape] = shape ? shapes_.of(*shape) : various;
            traits[Trait::nvtx] = path.value_or(various);
        }
        return list;
    }

  private:
    /// Taking a name apart costs more than everything else: once for each name, not for each launch.
    std::uint32_t base_number(std::uint32_t name_number, const std::string& name) {
        const auto [known, fresh] = base_of_.try_emplace(name_number);
        if (fresh) known->second = base_names_.of(kernel_base_name(name));
        return known->second;
    }

    bool several_devices_;
    Texts names_;
    Texts base_names_;
    Texts paths_;
    Shapes shapes_;
    std::unordered_map<std::uint32_t, std::uint32_t> base_of_;
};

}  // namespace

SharedTraits traits_of(const RunView& before, const RunView& after) {
    TraitReader reader(before.analysis->models.size() > 1 || after.analysis->models.size() > 1);
    return {.before = reader.read(before), .after = reader.read(after)};
}

}  // namespace roofwalk

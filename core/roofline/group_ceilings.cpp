// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/roofline/group_ceilings.h"

#include <algorithm>
#include <unordered_map>

namespace roofwalk {

namespace {

/// Rates of different sources are no samples of one quantity: 0 is the source that is believed first.
constexpr EnumArray<CeilingSource, int, 5> ranks{1, 2, 3, 4, 0};
static_assert(ranks[CeilingSource::user] == 0 && ranks[CeilingSource::table] == 4);

/// Nor are rates of one source at two clocks: those at the clock that was measured come first.
int rank_of(const Provenance& provenance) {
    return 2 * ranks[provenance.source] + (provenance.basis == ClockBasis::boost ? 1 : 0);
}

/// Sums up one target over several sets, of those that are believed first.
template <class Ceiling>
struct Mean {
    Ceiling ceiling;  ///< of the first set among them that has the target
    double rate = 0;
    double clock = 0;
    double weight = 0;
    bool every_clock_known = true;
    bool varies = false;

    void add(const Ceiling& other, double w) {
        const int rank = rank_of(ceiling.provenance);
        const int other_rank = rank_of(other.provenance);
        if (other_rank > rank) return;
        if (other_rank < rank) *this = Mean{.ceiling = other};
        rate += other.rate.value() * w;
        weight += w;
        if (other.provenance.clock)
            clock += other.provenance.clock->value() * w;
        else
            every_clock_known = false;
        varies = varies || other.rate != ceiling.rate;
    }

    [[nodiscard]] Ceiling result() const {
        Ceiling mean = ceiling;
        if (!varies) return mean;
        mean.rate = decltype(mean.rate)(rate / weight);
        mean.provenance.clock = every_clock_known ? std::optional(Hertz(clock / weight)) : std::nullopt;
        if (!std::exchange(mean.provenance.mean, true))
            mean.provenance.detail += "; mean over launches, weighted by time";
        return mean;
    }
};

template <class Ceiling>
void accumulate(std::vector<Mean<Ceiling>>& means, const std::vector<Ceiling>& ceilings, double weight,
                auto target) {
    for (const Ceiling& ceiling : ceilings) {
        auto it = std::ranges::find_if(
            means, [&](const Mean<Ceiling>& mean) { return mean.ceiling.*target == ceiling.*target; });
        if (it == means.end()) it = means.insert(means.end(), Mean<Ceiling>{.ceiling = ceiling});
        it->add(ceiling, weight);
    }
}

/// Weights by distinct set, in order of first appearance.
std::vector<WeightedCeilings> distinct(std::span<const WeightedCeilings> sets) {
    std::vector<WeightedCeilings> list;
    std::unordered_map<const CeilingSet*, std::size_t> places;
    for (const WeightedCeilings& set : sets) {
        if (!set.ceilings) continue;
        const auto [it, added] = places.emplace(set.ceilings.get(), list.size());
        if (added)
            list.push_back(set);
        else
            list[it->second].weight += set.weight;
    }
    const bool weighted =
        std::ranges::any_of(list, [](const WeightedCeilings& set) { return set.weight > 0; });
    if (weighted)
        std::erase_if(list, [](const WeightedCeilings& set) { return !(set.weight > 0); });
    else
        for (WeightedCeilings& set : list)
            set.weight = 1;
    return list;
}

}  // namespace

SharedCeilings blend_ceilings(std::span<const WeightedCeilings> sets) {
    const std::vector<WeightedCeilings> list = distinct(sets);
    if (list.empty()) return nullptr;
    if (list.size() == 1) return list.front().ceilings;
    std::vector<Mean<ComputeCeiling>> compute;
    std::vector<Mean<BandwidthCeiling>> bandwidth;
    for (const WeightedCeilings& set : list) {
        accumulate(compute, set.ceilings->compute, set.weight, &ComputeCeiling::pipe);
        accumulate(bandwidth, set.ceilings->bandwidth, set.weight, &BandwidthCeiling::boundary);
    }
    auto blend = std::make_shared<CeilingSet>();
    for (const auto& mean : compute)
        blend->compute.push_back(mean.result());
    for (const auto& mean : bandwidth)
        blend->bandwidth.push_back(mean.result());
    return blend;
}

const SharedCeilings& LaunchCeilings::of(const Launch& launch) {
    SharedCeilings& resolved = resolved_[{launch.device, launch.ceilings.get()}];
    if (resolved) return resolved;
    const Device& device = profile_.device_of(launch);
    resolved = std::make_shared<CeilingSet>(resolve_ceilings(device, launch.ceilings.get(), options_.clock,
                                                             overrides_of(options_, device),
                                                             measured_of(options_, device)));
    return resolved;
}

SharedCeilings LaunchCeilings::of(std::span<const LaunchIndex> launches) {
    if (launches.size() == 1) return of(profile_.at(launches.front()));
    std::vector<WeightedCeilings> sets;
    for (const LaunchIndex index : launches) {
        const Launch& launch = profile_.at(index);
        if (!launch.failed) sets.push_back({of(launch), launch.duration.value_or(Seconds()).value()});
    }
    return sets.empty() ? of(profile_.at(launches.front())) : blend_ceilings(sets);
}

}  // namespace roofwalk

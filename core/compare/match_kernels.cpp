// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/match_kernels.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/model/kernel_name.h"

namespace roofwalk {

namespace {

/// What a kernel can be recognised by.
enum class Trait : std::uint8_t { device, name, base_name, shape, nvtx };

/// Numbers that are equal where the traits are. 0: the trait tells nothing.
using MatchTraits = EnumArray<Trait, std::uint32_t, 5>;

/// The traits of every point of two reports, with numbers that both share.
struct SharedTraits {
    std::vector<MatchTraits> before;
    std::vector<MatchTraits> after;
};

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

bool has_names_of_kernels(const Analysis& analysis) {
    return analysis.options.group_by != GroupBy::nvtx && analysis.options.group_by != GroupBy::operation;
}

struct Spelt {
    std::string_view name;
    KernelSpelling spelling;
};

/// The one that may be it; nothing where several may.
const Spelt* only_match(const Spelt& of, const std::vector<Spelt>& among) {
    const Spelt* found = nullptr;
    for (const Spelt& one : among)
        if (one.spelling.may_be(of.spelling)) {
            if (found) return nullptr;
            found = &one;
        }
    return found;
}

/// The names of the newer report that stand in the older one in another spelling, and may be no other.
using OlderNames = std::unordered_map<std::string_view, std::string>;
OlderNames older_names(const Analysis& before, const Analysis& after) {
    OlderNames older;
    if (!has_names_of_kernels(before) || !has_names_of_kernels(after)) return older;
    constexpr unsigned both = 3;
    std::unordered_map<std::string_view, unsigned> sides;  // 1: the older report has the name, 2: the newer
    for (const KernelPoint& point : before.points)
        sides[point.name] |= 1U;
    for (const KernelPoint& point : after.points)
        sides[point.name] |= 2U;
    std::unordered_map<std::string, std::array<std::vector<Spelt>, 2>> by_function;
    for (const auto& [name, side] : sides)
        if (side != both)
            if (const KernelSpelling spelling(name); !spelling.function().empty())
                by_function[spelling.function()].at(side - 1).push_back({name, spelling});
    for (const auto& [function, spelt] : by_function)
        for (const Spelt& name : spelt[1])
            if (const Spelt* other = only_match(name, spelt[0]); other && only_match(*other, spelt[1]))
                older.emplace(name.name, other->name);
    return older;
}

class TraitReader {
  public:
    explicit TraitReader(bool several_devices) : several_devices_(several_devices) {}

    std::vector<MatchTraits> read(const AnalysedProfile& run, const OlderNames& older = {}) {
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
            const auto other = older.find(point.name);
            traits[Trait::name] = names_.of(other == older.end() ? point.name : other->second);
            if (has_names_of_kernels(analysis))
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

SharedTraits traits_of(const AnalysedProfile& before, const AnalysedProfile& after) {
    TraitReader reader(before.analysis->models.size() > 1 || after.analysis->models.size() > 1);
    return {.before = reader.read(before),
            .after = reader.read(after, older_names(*before.analysis, *after.analysis))};
}

constexpr EnumArray<MatchBasis, std::string_view> basis_labels{
    "same name, grid and NVTX range", "same name and grid, other NVTX range",
    "same name, other grid or block", "same name, other template arguments", "same NVTX range, other name"};

/// One way to recognise a kernel: by some traits, where others are one and the same for all candidates of a
/// report.
struct Pass {
    MatchBasis basis;
    std::vector<Trait> key;
    std::vector<Trait> single;
};

const std::vector<Pass>& passes() {
    using enum Trait;
    static const std::vector<Pass> list{
        {MatchBasis::same, {device, name, shape, nvtx}, {}},
        {MatchBasis::other_nvtx, {device, name, shape}, {}},
        {MatchBasis::other_shape, {device, name, nvtx}, {shape}},
        {MatchBasis::other_shape, {device, name}, {shape}},
        {MatchBasis::other_arguments, {device, base_name, shape}, {name}},
        {MatchBasis::other_arguments, {device, base_name}, {name, shape}},
        {MatchBasis::other_name, {device, nvtx}, {name}},
    };
    return list;
}

struct KeyHash {
    std::size_t operator()(const MatchTraits& key) const {
        std::size_t hash = 0;
        for (const std::uint32_t number : key)
            hash = (hash ^ number) * 0x9E3779B97F4A7C15U + (hash >> 29U);
        return hash;
    }
};

struct Candidates {
    std::vector<std::uint32_t> before;
    std::vector<std::uint32_t> after;
};

/// Those of both reports with the same key, in the order in which keys first occur.
class Buckets {
  public:
    explicit Buckets(const Pass& pass) : pass_(pass) {}

    void add(std::span<const std::uint32_t> points, const std::vector<MatchTraits>& traits,
             std::vector<std::uint32_t> Candidates::*side) {
        for (const std::uint32_t point : points) {
            MatchTraits key;
            for (const Trait trait : pass_.key)
                key[trait] = traits[point][trait];
            const auto [place, fresh] = places_.try_emplace(key, list_.size());
            if (fresh) list_.emplace_back();
            (list_[place->second].*side).push_back(point);
        }
    }
    [[nodiscard]] std::vector<Candidates> take() { return std::move(list_); }

  private:
    const Pass& pass_;
    std::unordered_map<MatchTraits, std::size_t, KeyHash> places_;
    std::vector<Candidates> list_;
};

class Matcher {
  public:
    Matcher(const AnalysedProfile& before, const AnalysedProfile& after) : traits_(traits_of(before, after)) {
        left_.before.resize(traits_.before.size());
        left_.after.resize(traits_.after.size());
        std::iota(left_.before.begin(), left_.before.end(), 0U);
        std::iota(left_.after.begin(), left_.after.end(), 0U);
    }

    KernelMatches match() {
        for (const Pass& pass : passes())
            if (!left_.before.empty() && !left_.after.empty()) apply(pass);
        std::ranges::sort(found_.pairs, {}, &KernelMatch::before);
        found_.removed = std::move(left_.before);
        found_.added = std::move(left_.after);
        return std::move(found_);
    }

  private:
    /// NVTX ranges alone recognise nothing where there are none, nor do names that are no signatures.
    static bool tells(const Pass& pass, const MatchTraits& traits) {
        switch (pass.basis) {
            case MatchBasis::other_arguments:
                return traits[Trait::base_name] != 0;
            case MatchBasis::other_name:
                return traits[Trait::nvtx] > 1;
            case MatchBasis::same:
            case MatchBasis::other_nvtx:
            case MatchBasis::other_shape:
                break;
        }
        return true;
    }

    static bool is_single(const Pass& pass, std::span<const std::uint32_t> points,
                          const std::vector<MatchTraits>& traits) {
        return std::ranges::all_of(pass.single, [&](Trait trait) {
            return std::ranges::all_of(points, [&](std::uint32_t point) {
                return traits[point][trait] == traits[points.front()][trait];
            });
        });
    }

    static std::vector<std::uint32_t> taken_out(std::vector<std::uint32_t>& points, const Pass& pass,
                                                const std::vector<MatchTraits>& traits) {
        const auto rest = std::stable_partition(
            points.begin(), points.end(), [&](std::uint32_t point) { return !tells(pass, traits[point]); });
        std::vector<std::uint32_t> out(rest, points.end());
        points.erase(rest, points.end());
        return out;
    }

    void apply(const Pass& pass) {
        Buckets buckets(pass);
        buckets.add(taken_out(left_.before, pass, traits_.before), traits_.before, &Candidates::before);
        buckets.add(taken_out(left_.after, pass, traits_.after), traits_.after, &Candidates::after);
        for (Candidates& alike : buckets.take()) {
            if (alike.before.empty() || alike.after.empty())
                put_back(alike);
            else if (alike.before.size() == alike.after.size() &&
                     is_single(pass, alike.before, traits_.before) &&
                     is_single(pass, alike.after, traits_.after))
                pair_up(alike, pass.basis);
            else
                found_.ambiguous.push_back({std::move(alike.before), std::move(alike.after)});
        }
        std::ranges::sort(left_.before);
        std::ranges::sort(left_.after);
    }

    void put_back(const Candidates& alike) {
        left_.before.insert(left_.before.end(), alike.before.begin(), alike.before.end());
        left_.after.insert(left_.after.end(), alike.after.begin(), alike.after.end());
    }

    void pair_up(const Candidates& alike, MatchBasis basis) {
        const bool by_order = alike.before.size() > 1;
        for (std::size_t i = 0; i < alike.before.size(); ++i)
            found_.pairs.push_back({alike.before[i], alike.after[i], basis, by_order});
    }

    SharedTraits traits_;
    Candidates left_;
    KernelMatches found_;
};

}  // namespace

std::string_view label_of(MatchBasis basis) {
    return basis_labels[basis];
}

KernelMatches match_kernels(const AnalysedProfile& before, const AnalysedProfile& after) {
    return Matcher(before, after).match();
}

}  // namespace roofwalk

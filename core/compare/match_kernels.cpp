// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/match_kernels.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/model/kernel_name.h"

namespace roofwalk {

namespace {

/// What a kernel can be recognised by.
enum class Trait : std::uint8_t { device, name, spelling, base_name, shape, nvtx };

/// Numbers that are equal where the traits are. 0: the trait tells nothing.
using MatchTraits = EnumArray<Trait, std::uint32_t, 6>;

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

struct KeyHash {
    std::size_t operator()(const auto& key) const {
        std::size_t hash = 0;
        for (const std::uint32_t number : key)
            hash = (hash ^ number) * 0x9E3779B97F4A7C15U + (hash >> 29U);
        return hash;
    }
};

/// Function, template arguments and parameters; 0: not told.
using PartNumbers = std::array<std::uint32_t, 3>;

struct Spelt {
    std::string_view name;
    PartNumbers whole{};
    PartNumbers bare{};
    bool mangled = false;

    [[nodiscard]] bool is_bare() const { return whole == bare; }
};

/// How far two spellings agree, in turn: so that a name goes to the one that is it as a whole, and no part of
/// a name is held against it.
enum class Agreement : std::uint8_t { whole, without_namespaces, in_what_both_tell };

/// The names of one report that the other one lacks, by every part of them that another spelling may tell.
class SpeltNames {
  public:
    explicit SpeltNames(std::vector<Spelt> names) : names_(std::move(names)) {
        for (std::size_t i = 0; i < names_.size(); ++i)
            count(i, 1);
    }

    [[nodiscard]] const std::vector<Spelt>& names() const { return names_; }
    void remove(std::size_t index) { count(index, -1); }

    /// The one that agrees; nothing where several do.
    [[nodiscard]] std::optional<std::size_t> only(const Spelt& other, Agreement agreement) const {
        const bool in_part = agreement == Agreement::in_what_both_tell;
        const auto alike = [in_part](std::uint32_t part) {
            return !in_part ? std::vector{part} : part == 0 ? std::vector{various} : std::vector{part, 0U};
        };
        Found all;
        for (const bool mangled : {false, true})
            for (const bool bare : {false, true}) {
                const bool by_bare = bare != other.is_bare();
                if ((mangled && other.mangled) || (by_bare && agreement == Agreement::whole)) continue;
                const auto& [function, arguments, parameters] = by_bare ? other.bare : other.whole;
                for (const std::uint32_t argument : alike(arguments))
                    for (const std::uint32_t parameter : alike(parameters))
                        if (const auto found =
                                found_.find({kind_of(mangled, bare, by_bare), function, argument, parameter});
                            found != found_.end()) {
                            all.names += found->second.names;
                            all.sum += found->second.sum;
                        }
            }
        return all.names == 1 ? std::optional(static_cast<std::size_t>(all.sum)) : std::nullopt;
    }

  private:
    using Key = std::array<std::uint32_t, 4>;
    /// With one name, `sum` is its index.
    struct Found {
        std::ptrdiff_t names = 0;
        std::ptrdiff_t sum = 0;
    };

    static std::uint32_t kind_of(bool mangled, bool bare, bool by_bare) {
        return (mangled ? 4U : 0U) + (bare ? 2U : 0U) + (by_bare ? 1U : 0U);
    }

    void count(std::size_t index, std::ptrdiff_t sign) {
        const Spelt& one = names_[index];
        for (const bool by_bare : {false, true}) {
            const auto& [function, arguments, parameters] = by_bare ? one.bare : one.whole;
            for (const std::uint32_t argument : {arguments, various})
                for (const std::uint32_t parameter : {parameters, various}) {
                    Found& found =
                        found_[{kind_of(one.mangled, one.is_bare(), by_bare), function, argument, parameter}];
                    found.names += sign;
                    found.sum += sign * static_cast<std::ptrdiff_t>(index);
                }
        }
    }

    std::vector<Spelt> names_;
    std::unordered_map<Key, Found, KeyHash> found_;
};

}  // namespace

OlderNames older_names(const Analysis& before, const Analysis& after) {
    OlderNames older;
    if (!has_names_of_kernels(before) || !has_names_of_kernels(after)) return older;
    std::array<std::unordered_set<std::string_view>, 2> names;
    for (const KernelPoint& point : before.points)
        names[0].insert(point.name);
    for (const KernelPoint& point : after.points)
        names[1].insert(point.name);
    Texts numbers;
    const auto number = [&](const std::string& part) { return part.empty() ? 0 : numbers.of(part); };
    const auto spelt = [&](std::size_t side) {
        std::vector<Spelt> list;
        for (const std::string_view name : names[side]) {
            if (names[1 - side].contains(name)) continue;
            const KernelSpelling spelling = spelling_of(name);
            if (spelling.bare.function.empty()) continue;
            const auto numbers_of = [&](const KernelSpelling::Parts& parts) {
                return PartNumbers{number(parts.function), number(parts.arguments), number(parts.parameters)};
            };
            list.push_back({name, numbers_of(spelling.whole), numbers_of(spelling.bare), spelling.mangled});
        }
        return SpeltNames(std::move(list));
    };
    SpeltNames there = spelt(0);
    SpeltNames here = spelt(1);
    for (const Agreement agreement :
         {Agreement::whole, Agreement::without_namespaces, Agreement::in_what_both_tell})
        for (std::size_t i = 0; i < here.names().size(); ++i) {
            const Spelt& name = here.names()[i];
            if (older.contains(name.name)) continue;
            const auto other = there.only(name, agreement);
            if (!other || here.only(there.names()[*other], agreement) != i) continue;
            older.emplace(name.name, there.names()[*other].name);
            there.remove(*other);
            here.remove(i);
        }
    return older;
}

namespace {

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
            traits[Trait::name] = names_.of(point.name);
            const auto other = older.find(point.name);
            traits[Trait::spelling] = other == older.end() ? traits[Trait::name] : names_.of(other->second);
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
    "same name, grid and NVTX range",      "same name and grid, other NVTX range",
    "same name, other grid or block",      "same name, other spelling",
    "same name, other template arguments", "same NVTX range, other name"};

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
        {MatchBasis::other_spelling, {device, spelling, shape, nvtx}, {}},
        {MatchBasis::other_spelling, {device, spelling, shape}, {}},
        {MatchBasis::other_spelling, {device, spelling, nvtx}, {shape}},
        {MatchBasis::other_spelling, {device, spelling}, {shape}},
        {MatchBasis::other_arguments, {device, base_name, shape}, {name}},
        {MatchBasis::other_arguments, {device, base_name}, {name, shape}},
        {MatchBasis::other_name, {device, nvtx}, {name}},
    };
    return list;
}

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
            case MatchBasis::other_spelling:
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

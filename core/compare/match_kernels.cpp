// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/match_kernels.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <unordered_map>

#include "core/compare/match_traits.h"

namespace roofwalk {

namespace {

constexpr EnumArray<MatchBasis, std::string_view> basis_ids{"same", "other_nvtx", "other_shape",
                                                            "other_arguments", "other_name"};
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
    Matcher(const RunView& before, const RunView& after) : traits_(traits_of(before, after)) {
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

std::string_view id_of(MatchBasis basis) {
    return basis_ids[basis];
}

std::string_view label_of(MatchBasis basis) {
    return basis_labels[basis];
}

KernelMatches match_kernels(const RunView& before, const RunView& after) {
    return Matcher(before, after).match();
}

}  // namespace roofwalk

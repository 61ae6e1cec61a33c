// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/nearest_names.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/text.h"

namespace roofwalk {

namespace {

constexpr std::size_t most_names = 3;
constexpr std::size_t longest_word = 40;

std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = std::exchange(row[j + 1], std::min({replaced, row[j] + 1, row[j + 1] + 1}));
        }
    }
    return row.back();
}

}  // namespace

std::vector<std::string_view> nearest_names(std::string_view word, std::span<const std::string_view> names) {
    if (word.empty() || word.size() > longest_word) return {};
    std::vector<std::pair<std::size_t, std::string_view>> near;
    for (const std::string_view name : names) {
        const bool inside = word.size() >= 3 && contains(name, word);
        const std::size_t steps = inside ? 1 : distance(word, name);
        const std::size_t shorter = std::min(word.size(), name.size());
        if (steps <= std::max<std::size_t>(1, shorter / 3 + (shorter > 3 ? 1 : 0)) &&
            steps < std::max(word.size(), name.size()))
            near.emplace_back(steps, name);
    }
    std::ranges::stable_sort(near, {}, &std::pair<std::size_t, std::string_view>::first);
    std::vector<std::string_view> list;
    for (const auto& [steps, name] : near)
        if (list.size() < most_names) list.push_back(name);
    return list;
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/similar_names.h"

#include <algorithm>

#include "core/model/kernel_name.h"

namespace roofwalk {

namespace {

std::size_t common_start(std::string_view a, std::string_view b) {
    return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

}  // namespace

SimilarNames::SimilarNames(std::vector<std::string_view> names) {
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::size_t before = i > 0 ? common_start(names[i], names[i - 1]) : 0;
        const std::size_t after = i + 1 < names.size() ? common_start(names[i], names[i + 1]) : 0;
        if (before > 0 || after > 0) listed_[names[i]].similar = names[before > after ? i - 1 : i + 1];
    }
}

std::string_view SimilarNames::to(std::string_view name) const {
    const auto found = listed_.find(name);
    return found != listed_.end() ? found->second.similar : std::string_view();
}

std::string SimilarNames::shortened(std::string_view name, std::size_t max_chars) const {
    const auto found = listed_.find(name);
    if (found == listed_.end()) return shorten_kernel_name(name, max_chars);
    const auto& [similar, shortened] = found->second;
    const auto [known, is_new] = shortened.try_emplace(max_chars);
    if (is_new) known->second = shorten_kernel_name(name, max_chars, similar);
    return known->second;
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/op_suggestions.h"

#include <fmt/format.h>

#include <map>
#include <unordered_map>

#include "core/operations/operation_evidence.h"

namespace roofwalk {

namespace {

constexpr std::size_t suggestions_between_reports = 4096;

}  // namespace

std::vector<Suggestion> suggest_operations(const Profile& profile, const LaunchOperations& operations,
                                           const Progress& progress) {
    std::vector<Suggestion> suggestions;
    std::map<std::pair<std::string_view, std::string>, std::size_t> place;
    std::unordered_map<std::string_view, std::uint32_t> launches_of;
    const std::size_t count = profile.launches.size();
    for (std::size_t i = 0; i < count; ++i) {
        if (i % suggestions_between_reports == 0) {
            if (progress.cancelled()) break;
            progress.at(static_cast<double>(i) / static_cast<double>(count));
        }
        const Launch& launch = profile.launches[i];
        const std::string& kernel = profile.kernel_of(launch).name;
        const std::uint32_t number = launches_of[kernel]++;
        if (launch.failed || operations.of(static_cast<LaunchIndex>(i))) continue;
        auto evidence = evidence_of(kernel, launch);
        if (!evidence) continue;
        const auto [known, fresh] = place.try_emplace({kernel, evidence->operation}, suggestions.size());
        if (fresh)
            suggestions.push_back({kernel, {}, 0, std::move(evidence->operation), std::move(evidence->why)});
        suggestions[known->second].launches.push_back(number);
    }
    for (Suggestion& suggestion : suggestions) {
        suggestion.count = static_cast<std::uint32_t>(suggestion.launches.size());
        if (suggestion.count == launches_of[suggestion.kernel]) suggestion.launches.clear();
    }
    return suggestions;
}

std::vector<UserBinding> bindings_of(const Suggestion& suggestion) {
    if (suggestion.launches.empty()) return {{suggestion.kernel, std::nullopt, suggestion.operation, true}};
    std::vector<UserBinding> bindings;
    for (const std::uint32_t launch : suggestion.launches)
        bindings.push_back({suggestion.kernel, launch, suggestion.operation, true});
    return bindings;
}

}  // namespace roofwalk

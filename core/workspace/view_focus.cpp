// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/view_focus.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace roofwalk {

namespace {

/// Numbers for the kernels of files, shared by two profiles: path of the file, name of the kernel.
using KernelNumbers = std::map<std::pair<std::string_view, std::string_view>, std::size_t>;

/// For each launch in file order, the number of its kernel.
std::vector<std::size_t> kernels_of_launches(const Profile& profile, KernelNumbers& numbers) {
    std::unordered_map<std::uint64_t, std::size_t> known;  // names are long: compared once each
    std::vector<std::size_t> kernels;
    kernels.reserve(profile.launches.size());
    for (const Launch& launch : profile.launches) {
        const auto source_and_kernel = std::uint64_t{static_cast<std::uint32_t>(launch.source)} << 32 |
                                       static_cast<std::uint32_t>(launch.kernel);
        const auto [place, fresh] = known.try_emplace(source_and_kernel);
        if (fresh) {
            const std::string_view path = profile.at(launch.source).path;
            const std::string_view name = profile.kernel_of(launch).name;
            place->second = numbers.try_emplace({path, name}, numbers.size()).first->second;
        }
        kernels.push_back(place->second);
    }
    return kernels;
}

/// By launch of `before`: the same launch of `after`.
std::vector<std::optional<LaunchIndex>> same_launches(const Profile& before, const Profile& after) {
    KernelNumbers numbers;
    const std::vector<std::size_t> kernels_before = kernels_of_launches(before, numbers);
    const std::vector<std::size_t> kernels_after = kernels_of_launches(after, numbers);
    std::vector<std::vector<LaunchIndex>> launches(numbers.size());
    for (std::size_t i = 0; i < kernels_after.size(); ++i)
        launches[kernels_after[i]].push_back(static_cast<LaunchIndex>(i));
    std::vector<std::size_t> seen(numbers.size());
    std::vector<std::optional<LaunchIndex>> same;
    same.reserve(kernels_before.size());
    for (const std::size_t kernel : kernels_before) {
        const std::size_t place = seen[kernel]++;
        same.push_back(place < launches[kernel].size() ? std::optional(launches[kernel][place])
                                                       : std::nullopt);
    }
    return same;
}

/// By launch: the point that holds it.
std::vector<std::uint32_t> points_of_launches(const Analysis& analysis) {
    std::vector<std::uint32_t> points(analysis.grouping.order.size());
    for (std::uint32_t i = 0; i < analysis.points.size(); ++i)
        for (const LaunchIndex launch :
             analysis.grouping.launches_of(analysis.grouping.groups[analysis.points[i].group]))
            points[static_cast<std::size_t>(launch)] = i;
    return points;
}

}  // namespace

std::vector<std::optional<std::uint32_t>> follow_points(const AnalysedProfile& before,
                                                        std::span<const std::uint32_t> points,
                                                        const AnalysedProfile& after) {
    const bool same_profile = before.profile == after.profile;
    const auto same = same_profile ? std::vector<std::optional<LaunchIndex>>()
                                   : same_launches(*before.profile, *after.profile);
    const std::vector<std::uint32_t> point_of = points_of_launches(*after.analysis);
    std::vector<std::optional<std::uint32_t>> found;
    found.reserve(points.size());
    for (const std::uint32_t point : points) {
        const Grouping& grouping = before.analysis->grouping;
        const KernelGroup& group = grouping.groups[before.analysis->points[point].group];
        const LaunchIndex first = grouping.launches_of(group).front();
        const std::optional<LaunchIndex> launch =
            same_profile ? std::optional(first) : same[static_cast<std::size_t>(first)];
        found.push_back(launch ? std::optional(point_of[static_cast<std::size_t>(*launch)]) : std::nullopt);
    }
    return found;
}

std::vector<std::uint32_t> ViewFocus::points() const {
    std::vector<std::uint32_t> points = also_selected;
    if (selected) points.insert(std::ranges::lower_bound(points, *selected), *selected);
    return points;
}

ViewFocus ViewFocus::with_selected(std::span<const std::uint32_t> points,
                                   std::optional<std::uint32_t> foremost,
                                   std::span<const std::uint32_t> ranking) const {
    std::vector<bool> wanted(ranking.size());
    for (const std::uint32_t point : points)
        wanted[point] = true;
    if (!foremost || !wanted[*foremost]) {
        const auto first = std::ranges::find_if(ranking, [&](std::uint32_t point) { return wanted[point]; });
        foremost = first != ranking.end() ? std::optional(*first) : std::nullopt;
    }
    ViewFocus focus{foremost, {}, roofs_of};
    for (std::uint32_t point = 0; point < wanted.size(); ++point)
        if (wanted[point] && point != foremost) focus.also_selected.push_back(point);
    return focus;
}

ViewFocus ViewFocus::with_toggled(std::uint32_t point, std::span<const std::uint32_t> ranking) const {
    std::vector<std::uint32_t> all = points();
    if (std::erase(all, point) > 0) return with_selected(all, selected, ranking);
    all.push_back(point);
    return with_selected(all, point, ranking);
}

namespace {

/// Of the points that hold the launches of one now, the first of `ranking`.
std::optional<std::uint32_t> foremost_part(const AnalysedProfile& before, std::uint32_t point,
                                           const AnalysedProfile& after,
                                           std::span<const std::uint32_t> ranking) {
    const std::vector<std::uint32_t> point_of = points_of_launches(*after.analysis);
    std::vector<bool> holds(after.analysis->points.size());
    for (const LaunchIndex launch : before.launches_of(before.point(point)))
        holds[point_of[static_cast<std::size_t>(launch)]] = true;
    const auto first = std::ranges::find_if(ranking, [&](std::uint32_t i) { return holds[i]; });
    return first != ranking.end() ? std::optional(*first) : std::nullopt;
}

}  // namespace

ViewFocus followed(const ViewFocus& focus, const AnalysedProfile& before, const AnalysedProfile& after,
                   std::span<const std::uint32_t> ranking) {
    const bool same_points = after.profile == before.profile &&
                             after.analysis->options.group_by == before.analysis->options.group_by;
    if (!focus.selected || same_points) return focus;
    std::vector<std::uint32_t> points{*focus.selected};
    points.insert(points.end(), focus.also_selected.begin(), focus.also_selected.end());
    const std::vector<std::optional<std::uint32_t>> found = follow_points(before, points, after);
    points.clear();
    for (const std::optional<std::uint32_t> point : found)
        if (point) points.push_back(*point);
    if (after.profile != before.profile) return focus.with_selected(points, found.front(), ranking);
    // Of the launches of a kernel the one to look at first is selected, which need not be its first one.
    const auto foremost = foremost_part(before, *focus.selected, after, ranking);
    if (foremost && points.size() == 1) points = {*foremost};
    return focus.with_selected(points, foremost, ranking);
}

std::vector<KernelKey> selection_of(const ViewFocus& focus, const AnalysedProfile& now) {
    if (!focus.selected) return {};
    std::vector<std::uint32_t> points = focus.points();
    const auto foremost = std::ranges::find(points, *focus.selected);
    std::rotate(points.begin(), foremost, foremost + 1);
    points.resize(std::min(points.size(), most_selected));
    return keys_of(*now.profile, *now.analysis, points);
}

ViewFocus focus_of(const SessionView& view, const AnalysedProfile& now) {
    const Profile& profile = *now.profile;
    const Analysis& analysis = *now.analysis;
    ViewFocus focus;
    const auto same_name = [&](const ModelCeilings& model) {
        const Device& device = profile.at(model.device);
        return model_name(profile, device) == view.roofs_of;
    };
    if (const auto model = std::ranges::find_if(analysis.models, same_name);
        !view.roofs_of.empty() && model != analysis.models.end())
        focus.roofs_of = model->device;
    std::vector<const KernelKey*> keys;
    for (const KernelKey& key : view.selection)
        keys.push_back(&key);
    for (const FoundKernel& kernel : find_kernels(profile, analysis, keys)) {
        if (kernel.match != KeyMatch::found) continue;
        if (!focus.selected)
            focus.selected = kernel.point;
        else
            focus.also_selected.push_back(kernel.point);
    }
    std::vector<std::uint32_t>& others = focus.also_selected;
    std::ranges::sort(others);
    others.erase(std::unique(others.begin(), others.end()), others.end());
    std::erase_if(others, [&](std::uint32_t point) { return point == focus.selected; });
    return focus;
}

SceneOptions scene_options(const WorkspaceSpec& spec, const ViewFocus& focus, Theme theme) {
    SceneOptions options = spec.view.scene;
    options.levels = spec.view.analysis.levels;
    options.theme = theme;
    options.selected = focus.selected;
    options.also_selected = focus.also_selected;
    options.roofs_of = focus.roofs_of;
    return options;
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/picture.h"

#include <algorithm>
#include <utility>

#include "core/roofline/summary.h"

namespace roofwalk {

namespace {

/// Takes away the dots, names and marks of points that do not match.
void keep_matches(Scene& scene, const std::vector<bool>& matches) {
    constexpr auto gone = static_cast<std::uint32_t>(-1);
    std::vector<std::uint32_t> moved_to(scene.dots.size(), gone);
    std::uint32_t kept = 0;
    for (std::size_t i = 0; i < scene.dots.size(); ++i) {
        if (!matches[scene.dots[i].point]) continue;
        moved_to[i] = kept;
        scene.dots[kept++] = scene.dots[i];
    }
    scene.dots.resize(kept);
    for (DotName& name : scene.names)
        name.dot = moved_to[name.dot];
    std::erase_if(scene.names, [](const DotName& name) { return name.dot == gone; });
    std::erase_if(scene.gaps, [&](const GapMark& gap) { return !matches[gap.point]; });
    std::erase_if(scene.mixed, [&](const MixedCeiling& mixed) { return !matches[mixed.point]; });
    std::erase_if(scene.joins, [&](const LevelJoin& join) { return !matches[join.point]; });
    if (scene.dots.empty() && scene.empty_note.empty()) scene.empty_note = "No kernel matches the filter";
}

}  // namespace

std::vector<bool> matching_points(const Analysis& analysis, const KernelFilter& filter) {
    if (!filter) return {};
    std::vector<bool> matches(analysis.points.size());
    std::transform(analysis.points.begin(), analysis.points.end(), matches.begin(), filter);
    return matches;
}

std::shared_ptr<const Scene> make_scene(const Profile& profile, const Analysis& analysis,
                                        const SceneOptions& options, const std::vector<bool>& matches) {
    const bool hidden = options.selected && !matches.empty() && !matches[*options.selected];
    SceneOptions shown = options;
    if (hidden) shown.selected.reset();  // nothing is drawn of a kernel that the filter hides
    Scene scene = build_scene(profile, analysis, shown);
    scene.options.selected = options.selected;
    if (!matches.empty()) keep_matches(scene, matches);
    return std::make_shared<const Scene>(std::move(scene));
}

std::optional<Picture> make_picture(const Profile& profile, const AnalysisOptions& options,
                                    const SceneOptions& scene_options, const KernelFilter& filter,
                                    const Progress& progress) {
    Picture picture;
    picture.analysis = std::make_shared<const Analysis>(analyse(profile, options, progress));
    if (picture.analysis->points.size() < picture.analysis->grouping.groups.size()) return std::nullopt;
    picture.by_time = points_by_time(*picture.analysis);
    picture.matches = matching_points(*picture.analysis, filter);
    picture.scene = make_scene(profile, *picture.analysis, scene_options, picture.matches);
    return picture;
}

std::optional<std::uint32_t> same_point(const Analysis& before, std::uint32_t selected,
                                        const Analysis& after) {
    const KernelGroup& group = before.grouping.groups[before.points[selected].group];
    const LaunchIndex launch = before.grouping.launches_of(group).front();
    for (std::uint32_t i = 0; i < after.points.size(); ++i) {
        const auto launches = after.grouping.launches_of(after.grouping.groups[after.points[i].group]);
        if (std::ranges::find(launches, launch) != launches.end()) return i;
    }
    return std::nullopt;
}

}  // namespace roofwalk

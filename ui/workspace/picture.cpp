// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/picture.h"

#include <algorithm>
#include <utility>

#include "core/chart/scene/scene_comparison.h"
#include "core/chart/scene/scene_measured_roof.h"
#include "core/roofline/summary.h"
#include "core/scenario/scenario_report.h"

namespace roofwalk {

namespace {

void find_again(const Gaze& gaze, const Profile& profile, const Analysis& analysis, SceneOptions& options) {
    const auto same_name = [&](const ModelCeilings& model) {
        const Device& device = profile.devices[static_cast<std::size_t>(model.device)];
        return model_name(profile, device) == gaze.roofs_of;
    };
    if (const auto model = std::ranges::find_if(analysis.models, same_name);
        !gaze.roofs_of.empty() && model != analysis.models.end())
        options.roofs_of = model->device;
    std::vector<const KernelKey*> keys;
    for (const KernelKey& key : gaze.selection)
        keys.push_back(&key);
    if (keys.empty()) return;
    options.selected.reset();
    for (const FoundKernel& kernel : find_kernels(profile, analysis, keys)) {
        if (kernel.match != KeyMatch::found) continue;
        if (!options.selected)
            options.selected = kernel.point;
        else
            options.also_selected.push_back(kernel.point);
    }
    std::vector<std::uint32_t>& others = options.also_selected;
    std::ranges::sort(others);
    others.erase(std::unique(others.begin(), others.end()), others.end());
    std::erase_if(others, [&](std::uint32_t point) { return point == options.selected; });
}

}  // namespace

std::optional<std::uint32_t> drawn_selection(const Analysis& analysis, const SceneOptions& options,
                                             const std::vector<bool>& matches) {
    if (!options.selected || matches.empty() || matches[*options.selected]) return options.selected;
    const auto time = [&](std::uint32_t point) {
        return analysis.points[point].time.value_or(Seconds(-1)).value();
    };
    std::optional<std::uint32_t> longest;
    for (const std::uint32_t point : options.also_selected)
        if (matches[point] && (!longest || time(point) > time(*longest))) longest = point;
    return longest;
}

std::shared_ptr<const Scene> make_scene(const DrawnOf& of, const Overlays& overlays, SceneOptions options,
                                        const std::vector<bool>& matches, std::uint32_t arrows) {
    const auto& [profile, analysis, measured] = of;
    options.selected = drawn_selection(analysis, options, matches);
    std::erase_if(options.also_selected, [&](std::uint32_t point) { return point == options.selected; });
    const WhatIf& what_if = *overlays.what_if;
    const Analysis& drawn = what_if.moved ? *what_if.moved : analysis;
    options.levels = drawn.options.levels;  // L1 too where it binds
    Scene scene = build_scene(profile, drawn, options, matches);
    if (const auto device = board_in_use(profile, drawn, options))
        if (const MeasuredCeilings* own =
                measured_for(profile.devices[static_cast<std::size_t>(*device)], measured))
            add_measured_roof(scene, drawn, *own);
    if (overlays.elsewhere) add_other_roofs(scene, drawn, {&overlays.elsewhere->device, 1});
    if (what_if.moved)
        add_ghosts(scene, analysis, *what_if.moved, scenario_sentence(what_if.scenario, what_if.effect));
    if (const Compared* compared = overlays.compared.get())
        add_comparison(scene, compared->comparison,
                       {.arrows = arrows, .baseline = name_of(compared->older.front()).toStdString()});
    return std::make_shared<const Scene>(std::move(scene));
}

std::optional<Picture> make_picture(const std::shared_ptr<const Profile>& profile, PictureOrder order,
                                    const Progress& progress) {
    Picture picture;
    order.analysis.launch_operations =
        std::make_shared<const LaunchOperations>(bind_operations(*profile, order.bindings, progress));
    picture.bindings = std::move(order.bindings);
    order.analysis.measured = measured_sets(*profile, order.measured);
    picture.analysis = std::make_shared<const Analysis>(analyse(*profile, order.analysis, progress));
    if (picture.analysis->points.size() < picture.analysis->grouping.groups.size()) return std::nullopt;
    picture.by_time = points_by_time(*picture.analysis);
    std::optional<std::vector<bool>> matches = matching_points(*picture.analysis, order.filter, progress);
    if (!matches) return std::nullopt;
    picture.matches = std::move(*matches);
    picture.overlays.compared = make_compared(std::move(order.baselines), profile, picture.analysis,
                                              order.measured, {.noise = order.comparison.noise}, progress);
    picture.overlays.elsewhere = make_elsewhere(order.other_device, profile, picture.analysis, progress);
    picture.overlays.what_if = make_what_if(order.scenario, *profile, *picture.analysis, progress);
    if (progress.cancelled()) return std::nullopt;
    find_again(order.gaze, *profile, *picture.analysis, order.scene);
    picture.scene = ChartScene(make_scene({*profile, *picture.analysis, order.measured}, picture.overlays,
                                          order.scene, picture.matches, order.comparison.arrows));
    picture.measured = std::move(order.measured);
    picture.scene_options = std::move(order.scene);
    return picture;
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/atlas/atlas_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <utility>

#include "core/atlas/measured_places.h"
#include "core/base/text.h"
#include "core/chart/scene/scene_projected_roofs.h"
#include "core/model/profile_builder.h"

namespace roofwalk {

namespace {

constexpr std::uint32_t named_operations = 24;
constexpr std::size_t longest_title = 48;

void add_launches(ProfileBuilder& builder, LaunchOperations& bound, const Atlas& atlas, std::size_t device) {
    Profile& profile = builder.profile();
    for (std::size_t i = 0; i < atlas.work.operations.size(); ++i) {
        const ModelOperation& operation = atlas.work.operations[i];
        Launch launch;
        launch.kernel = builder.kernel({operation.name}, [&] {
            return Kernel{operation.name, operation.name, {}};
        });
        launch.device = static_cast<DeviceIndex>(device);
        launch.source = static_cast<SourceIndex>(device);
        launch.duration = atlas.devices[device].places[i].time;
        launch.duration_source = profile.texts.intern("least time under the roofs, or of a launch");
        const auto times = static_cast<std::size_t>(operation.times);
        profile.launches.insert(profile.launches.end(), times, launch);
        bound.of_launch.insert(bound.of_launch.end(), times, static_cast<std::uint32_t>(i + 1));
    }
}

std::shared_ptr<LaunchOperations> bound_operations(const Atlas& atlas) {
    auto bound = std::make_shared<LaunchOperations>();
    for (const ModelOperation& operation : atlas.work.operations)
        bound->operations.push_back(std::make_shared<const BoundOperation>(
            BoundOperation{std::make_shared<const OperationModel>(operation.model), operation.text,
                           BindingSource::profile, atlas.model.name}));
    return bound;
}

/// A kernel that was timed only has no class of its own; an operation has that of what binds it.
void classify(const Atlas& atlas, Analysis& analysis) {
    const std::size_t operations = atlas.work.operations.size();
    for (KernelPoint& point : analysis.points) {
        if (is_measured(atlas, point)) continue;
        const AtlasPlace& place = atlas.devices[point.group / operations].places[point.group % operations];
        point.verdict.kernel_class =
            place.launch_binds ? KernelClass::latency_bound : place.bounds.verdict.kernel_class;
        point.verdict.launch_binds = place.launch_binds;
    }
}

/// "ridge of H100 SXM / A100 SXM at 328 / 162 tokens for gate_proj, up_proj, 345 / 166 for q_proj".
std::string ridge_words(const Atlas& atlas) {
    std::map<std::vector<double>, std::string> names;  // by the ridge on each device, 0 without one
    for (std::size_t i = 0; i < atlas.work.operations.size(); ++i) {
        std::vector<double> ridges;
        for (const DeviceAtlas& on : atlas.devices)
            ridges.push_back(std::ceil(on.places[i].items_to_ridge.value_or(0)));
        if (std::ranges::count(ridges, 0.0) == std::ssize(ridges)) continue;
        std::string& list = names[ridges];
        list += (list.empty() ? "" : ", ") + atlas.work.operations[i].name;
    }
    std::string text;
    for (const auto& [ridges, list] : names) {
        const std::string at = joined(ridges, " / ", [](double items) {
            return items > 0 ? format_count(items) : std::string("none");
        });
        text += text.empty() ? fmt::format("ridge of {} at {} {}s for {}",
                                           joined(atlas.devices, " / ",
                                                  [](const DeviceAtlas& on) { return on.device.name; }),
                                           at, atlas.item(), list)
                             : fmt::format(", {} for {}", at, list);
    }
    return text;
}

void append(LaunchOperations& bound, std::size_t launches, const MeasuredRun& measured) {
    const auto before = static_cast<std::uint32_t>(bound.operations.size());
    const LaunchOperations& others = *measured.options.launch_operations;
    bound.operations.insert(bound.operations.end(), others.operations.begin(), others.operations.end());
    for (const std::uint32_t operation : others.of_launch)
        bound.of_launch.push_back(operation == 0 ? 0 : before + operation);
    bound.of_launch.resize(launches + measured.profile->launches.size());
    bound.launches_of_execution = others.launches_of_execution;
    if (others.execution_of.empty()) return;
    bound.execution_of.resize(launches);
    bound.execution_of.insert(bound.execution_of.end(), others.execution_of.begin(),
                              others.execution_of.end());
}

/// All launches that carry out one operation are one kernel, since a function runs products of many sizes: of
/// the name that the model has for it, else of its text.
void name_by_operation(const Atlas& atlas, const LaunchOperations& bound, std::size_t first,
                       Profile& profile) {
    std::map<std::string_view, KernelIndex> kernels;
    for (std::size_t launch = first; launch < profile.launches.size(); ++launch) {
        const std::uint32_t number = bound.of_launch[launch];
        if (number == 0) continue;
        const BoundOperation& operation = *bound.operations[number - 1];
        const auto next = static_cast<KernelIndex>(profile.kernels.size());
        const auto [kernel, fresh] = kernels.try_emplace(operation.text, next);
        profile.launches[launch].kernel = kernel->second;
        if (!fresh) continue;
        const std::string names = names_of(atlas.work, operations_like(atlas, *operation.model));
        profile.kernels.push_back({names.empty() ? operation.text : names, {}, {}});
    }
}

/// GPUs that the atlas has are called as there.
void name_devices(const Atlas& atlas, Profile& profile) {
    for (Device& device : std::span(profile.devices).subspan(atlas.devices.size()))
        if (const auto on = device_in(atlas, device)) device.name = atlas.devices[*on].device.name;
}

/// The roofs are those that the operations of the atlas stand under, whatever a report measured its own at.
void draw_roofs_of(const Atlas& atlas, Analysis& analysis) {
    for (ModelCeilings& model : analysis.models) {
        const auto device = static_cast<std::size_t>(model.device);
        if (device >= atlas.devices.size()) continue;
        model.ceilings = *atlas.devices[device].places.front().bounds.ceilings;
        if (device == 0) analysis.ceilings = model.ceilings;
    }
}

/// What the scene says of a report does not hold of several devices that ran nothing.
std::string caption_of(const Atlas& atlas, bool measured, const std::string& of_scene) {
    const DeviceAtlas& first = atlas.devices.front();
    std::string text =
        fmt::format("{}: least times, no launch below {}; ",
                    measured ? "of the atlas nothing was run" : "nothing was run", describe(first.floor));
    text += atlas.devices.size() > 1 ? "solid: roofs of " + first.device.name + "; bytes: HBM read+write"
                                     : of_scene;
    if (const std::string ridges = ridge_words(atlas); !ridges.empty()) text += "; " + ridges;
    return text;
}

}  // namespace

bool is_measured(const Atlas& atlas, const KernelPoint& point) {
    return point.group >= atlas.devices.size() * atlas.work.operations.size();
}

AtlasProfile profile_of(const Atlas& atlas, const std::optional<MeasuredRun>& measured) {
    ProfileBuilder builder;
    std::shared_ptr<LaunchOperations> bound = bound_operations(atlas);
    for (std::size_t device = 0; device < atlas.devices.size(); ++device) {
        builder.profile().devices.push_back(atlas.devices[device].device);
        builder.profile().sources.emplace_back().path = atlas.devices[device].device.name;
        add_launches(builder, *bound, atlas, device);
    }
    AnalysisOptions options = atlas.options;
    options.group_by = GroupBy::kernel;
    if (std::ranges::any_of(atlas.work.operations,
                            [](const auto& operation) { return counts_integers(operation.model); }))
        options.operations = OperationClass::all;
    AtlasProfile made;
    made.profile = builder.take();
    if (measured) {
        const std::size_t launches = made.profile.launches.size();
        append(*bound, launches, *measured);
        const std::array<const Profile*, 2> both{&made.profile, measured->profile.get()};
        made.profile = append_profiles(both);
        name_by_operation(atlas, *bound, launches, made.profile);
        name_devices(atlas, made.profile);
        options.measured.insert(measured->options.measured.begin(), measured->options.measured.end());
        options.overrides.insert(measured->options.overrides.begin(), measured->options.overrides.end());
        made.measured = measured;
    }
    options.launch_operations = std::move(bound);
    // The least bytes cross every level; they stand for HBM alone.
    for (const MemoryLevel level : all_levels)
        options = with_level(std::move(options), level, level == MemoryLevel::hbm);
    made.analysis = analyse(made.profile, options);
    if (measured) draw_roofs_of(atlas, made.analysis);
    classify(atlas, made.analysis);
    return made;
}

AtlasScene scene_of(const Atlas& atlas, const AtlasLook& look, const std::optional<MeasuredRun>& measured) {
    AtlasScene made{profile_of(atlas, measured), {}};
    SceneOptions options;
    options.theme = look.theme;
    options.labelled = named_operations;
    // What the title of a narrow figure has no room for stands below it.
    const bool apart = look.title.empty() && atlas.title().size() > longest_title;
    options.title = !look.title.empty() ? look.title
                    : apart             ? atlas.model.name + ": " + atlas.step()
                                        : atlas.title();
    options.roofs_of = DeviceIndex{};
    if (atlas.devices.size() > 1 || measured) options.colour_by = ColourBy::report;
    for (const MemoryLevel level : all_levels)
        options.levels[level] = level == MemoryLevel::hbm;
    // The caption counts no reports, since the atlas itself is none; its rows are operations.
    const bool several = std::exchange(made.shown.analysis.several_reports, false);
    made.shown.analysis.options.group_by = GroupBy::operation;
    made.scene = build_scene(made.shown.profile, made.shown.analysis, options);
    made.shown.analysis.several_reports = several;
    made.scene.caption =
        (apart ? atlas.types() + "; " : "") + caption_of(atlas, measured.has_value(), made.scene.caption);
    made.scene.caption_device = 0;
    std::vector<ProjectedDevice> others;
    for (const DeviceAtlas& on : std::span(atlas.devices).subspan(1))
        others.push_back({on.device.name, *on.places.front().bounds.ceilings});
    add_projected_roofs(made.scene, made.shown.analysis, others);
    return made;
}

}  // namespace roofwalk

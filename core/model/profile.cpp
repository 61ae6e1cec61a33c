// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "core/base/enum_array.h"
#include "core/base/text.h"
#include "core/model/derived_time.h"

namespace roofwalk {

std::string_view label_of(SourceFormat format) {
    constexpr EnumArray<SourceFormat, std::string_view, 11> labels{"",
                                                                   "Nsight Compute report",
                                                                   "Nsight Compute text",
                                                                   "Nsight Compute CSV",
                                                                   "PyTorch profiler trace",
                                                                   "Proton profile",
                                                                   "Nsight Systems export",
                                                                   "nsys stats table",
                                                                   "Roofwalk JSON",
                                                                   "Roofwalk JSON Lines",
                                                                   "table of kernels (CSV)"};
    return labels[format];
}

std::optional<double> Profile::metric(const Launch& launch, std::string_view name) const {
    const TextId id = texts.find(name);
    if (id == TextId::none) return std::nullopt;
    const auto it = std::ranges::find(launch.metrics, id, &MetricSample::name);
    return it == launch.metrics.end() ? std::nullopt : std::optional(it->value);
}

std::string place_in_file(std::string_view file, std::string_view place) {
    return fmt::format("{}{}{}", file, file.empty() || place.empty() ? "" : ", ", place);
}

Error message_of(const Warning& warning) {
    Error message = warning.message;
    message.where = place_in_file(warning.file, message.where);
    return message;
}

bool concerns(const Warning& warning, std::span<const LaunchIndex> launches) {
    std::span<const LaunchIndex> few = warning.launches;
    std::span<const LaunchIndex> many = launches;
    if (many.size() < few.size()) std::swap(few, many);
    return std::ranges::any_of(few,
                               [&](LaunchIndex launch) { return std::ranges::binary_search(many, launch); });
}

std::string nvtx_path(const NvtxStack& stack) {
    if (stack.empty()) return {};
    std::string path = stack.front();
    for (std::size_t i = 1; i < stack.size(); ++i)
        path += " / " + stack[i];
    return path;
}

void take_figures(const Launch& measured, Launch& launch) {
    if (!launch.duration) {
        launch.duration = measured.duration;
        launch.duration_origin = TimeOrigin::alike;
        launch.duration_source = measured.duration_source;
    }
    launch.work = measured.work;
    launch.uncounted = measured.uncounted;
    launch.unchecked = measured.unchecked;
    launch.traffic = measured.traffic;
    launch.metrics = measured.metrics;
    launch.ceilings = measured.ceilings;
    for (WorkSample& sample : launch.work)
        if (sample.origin == Origin::measured) sample.origin = Origin::estimated;
    for (TrafficSample& sample : launch.traffic)
        if (sample.origin == Origin::measured) sample.origin = Origin::estimated;
}

Warning warning_of_alike_launches(std::vector<LaunchIndex> launches) {
    const std::string what =
        launches.size() == 1
            ? "A launch lacks figures of its own: what it lacks is that of a measured one of the same kernel "
              "and geometry"
            : fmt::format(
                  "{} launches lack figures of their own: what they lack is that of measured ones of the "
                  "same kernel and geometry",
                  launches.size());
    return {
        {ErrorCode::not_understood, what, "",
         "Totals rest on that. Where every launch is measured, those alone are left that FLOP was counted "
         "on."},
        std::move(launches)};
}

namespace {

template <class Index>
Index shifted(Index index, std::size_t by) {
    return static_cast<Index>(static_cast<std::size_t>(index) + by);
}

void append(Profile& all, const Profile& one) {
    const std::size_t sources = all.sources.size();
    const std::size_t devices = all.devices.size();
    const std::size_t kernels = all.kernels.size();
    const std::size_t stacks = all.nvtx_stacks.size() - 1;
    const std::size_t launches = all.launches.size();

    for (SourceInfo source : one.sources) {
        if (source.joined_with) source.joined_with = shifted(*source.joined_with, sources);
        all.sources.push_back(std::move(source));
    }
    all.devices.insert(all.devices.end(), one.devices.begin(), one.devices.end());
    all.kernels.insert(all.kernels.end(), one.kernels.begin(), one.kernels.end());
    all.nvtx_stacks.insert(all.nvtx_stacks.end(), one.nvtx_stacks.begin() + 1, one.nvtx_stacks.end());

    for (Launch launch : one.launches) {
        launch.source = shifted(launch.source, sources);
        for (FilePlace& place : launch.joined)
            place.source = shifted(place.source, sources);
        launch.device = shifted(launch.device, devices);
        launch.kernel = shifted(launch.kernel, kernels);
        if (launch.nvtx != NvtxIndex::none) launch.nvtx = shifted(launch.nvtx, stacks);
        move_texts(launch, one.texts, all.texts);
        all.launches.push_back(std::move(launch));
    }
    for (Warning warning : one.warnings) {
        for (LaunchIndex& launch : warning.launches)
            launch = shifted(launch, launches);
        all.warnings.push_back(std::move(warning));
    }
}

std::optional<std::uint32_t> rank_of(const Profile* profile) {
    return profile->sources.empty() ? std::nullopt : profile->sources.front().rank;
}

const char* path_of(const Profile* profile) {
    return profile->sources.empty() ? "" : profile->sources.front().path.c_str();
}

/// "run_.json" of the ranks of a run.
std::string path_without_numbers(const Profile* profile) {
    std::string path = path_of(profile);
    std::erase_if(path, is_digit);
    return path;
}

}  // namespace

Profile append_profiles(std::span<const Profile* const> profiles) {
    Profile all;
    for (const Profile* profile : profiles)
        append(all, *profile);
    return all;
}

Profile merge_profiles(std::span<const Profile* const> profiles) {
    std::vector<const Profile*> order(profiles.begin(), profiles.end());
    if (std::ranges::all_of(order, [](const Profile* profile) { return rank_of(profile).has_value(); }))
        std::ranges::stable_sort(order, {}, rank_of);
    else if (std::ranges::all_of(order, [&](const Profile* profile) {
                 return path_without_numbers(profile) == path_without_numbers(order.front());
             }))  // 2 before 10, which is not how a shell lists them
        std::ranges::stable_sort(order, [](const Profile* one, const Profile* other) {
            return strverscmp(path_of(one), path_of(other)) < 0;
        });
    Profile all = append_profiles(order);
    refuse_derived_times(all);
    return all;
}

LaunchNumbers::LaunchNumbers(const Profile& profile) {
    std::vector<std::uint32_t> next(profile.sources.size());
    numbers_.reserve(profile.launches.size());
    for (const Launch& launch : profile.launches) {
        const auto source = static_cast<std::size_t>(launch.source);
        if (source >= next.size()) next.resize(source + 1);
        numbers_.push_back(next[source]++);
    }
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/launch.h"

#include <algorithm>

namespace roofwalk {

namespace {

constexpr EnumArray<Origin, std::string_view, 3> origin_ids{"measured", "estimated", "modelled"};
constexpr EnumArray<TimeOrigin, std::string_view> time_origin_ids{"measured", "derived", "alike"};
constexpr EnumArray<LaunchKind, std::string_view> launch_kind_ids{"kernel", "graph", "range"};
constexpr EnumArray<LaunchKind, std::string_view> launch_kind_labels{"kernel", "CUDA graph", "range"};

}  // namespace

std::string labels_of(const UncountedWork& uncounted) {
    std::string list;
    for (const UncountedKind& kind : uncounted_kinds)
        if (uncounted.*kind.member) list.append(list.empty() ? "" : ", ").append(kind.label);
    return list;
}

std::string_view id_of(Origin origin) {
    return origin_ids[origin];
}

std::optional<Origin> origin_from_id(std::string_view id) {
    return from_id(origin_ids, id);
}

std::string_view id_of(TimeOrigin origin) {
    return time_origin_ids[origin];
}

std::optional<TimeOrigin> time_origin_from_id(std::string_view id) {
    return from_id(time_origin_ids, id);
}

std::string_view id_of(LaunchKind kind) {
    return launch_kind_ids[kind];
}

std::optional<LaunchKind> launch_kind_from_id(std::string_view id) {
    return from_id(launch_kind_ids, id);
}

std::string_view label_of(LaunchKind kind) {
    return launch_kind_labels[kind];
}

const TrafficSample* Launch::find(Boundary boundary) const {
    const auto it = std::ranges::find(traffic, boundary, &TrafficSample::boundary);
    return it == traffic.end() ? nullptr : &*it;
}

const WorkSample* Launch::find(Pipe pipe) const {
    const auto it = std::ranges::find(work, pipe, &WorkSample::pipe);
    return it == work.end() ? nullptr : &*it;
}

void move_texts(Launch& launch, const StringPool& from, StringPool& to) {
    const auto move = [&](TextId& text) { text = to.intern(from.view(text)); };
    move(launch.algorithm);
    move(launch.duration_source);
    for (WorkSample& sample : launch.work)
        move(sample.source);
    for (TrafficSample& sample : launch.traffic)
        move(sample.source);
    for (MetricSample& sample : launch.metrics)
        move(sample.name);
}

}  // namespace roofwalk

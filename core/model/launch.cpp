// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/launch.h"

#include <algorithm>

namespace roofwalk {

namespace {

constexpr EnumArray<LaunchKind, std::string_view> launch_kind_labels{"kernel", "CUDA graph", "range"};

}  // namespace

std::string labels_of(const UncountedWork& uncounted) {
    std::string list;
    for (const UncountedKind& kind : uncounted_kinds)
        if (uncounted.*kind.member) list.append(list.empty() ? "" : ", ").append(kind.label);
    return list;
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

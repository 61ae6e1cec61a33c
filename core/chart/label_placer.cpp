// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/label_placer.h"

#include <algorithm>

namespace roofwalk {

namespace {

constexpr int cost_of_a_line = 1;
constexpr int cost_of_a_leader = 2;
constexpr int cost_of_a_dot = 3;
constexpr double air_around_dots = 1;  // [px]

}  // namespace

bool LabelPlacer::free(const LabelBox& box) const {
    return box.inside(plot_) &&
           std::ranges::none_of(labels_, [&](const LabelBox& label) { return label.overlaps(box); });
}

int LabelPlacer::cost(const LabelBox& box) const {
    const auto crossed =
        std::ranges::count_if(lines_, [&](const Line& line) { return box.crosses(line.from, line.to); });
    const auto covered = std::ranges::count_if(dots_, [&](const Circle& dot) {
        return box.touches_circle(dot.centre, dot.radius + air_around_dots);
    });
    return static_cast<int>(crossed) * cost_of_a_line + static_cast<int>(covered) * cost_of_a_dot;
}

std::optional<LaidText> LabelPlacer::place(std::span<const LaidText> candidates) {
    const LaidText* best = nullptr;
    int best_cost = 0;
    for (const LaidText& candidate : candidates) {
        const LabelBox box(candidate);
        if (!free(box)) continue;
        const int candidate_cost = cost(box) + (candidate.leader ? cost_of_a_leader : 0);
        if (best && candidate_cost >= best_cost) continue;
        best = &candidate;
        best_cost = candidate_cost;
        if (best_cost == 0) break;
    }
    if (!best) return std::nullopt;
    add_label(*best);
    LaidText placed = *best;
    placed.covers = cost(labels_.back()) > 0;
    return placed;
}

}  // namespace roofwalk

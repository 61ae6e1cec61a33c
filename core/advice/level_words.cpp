// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/level_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/roofline/utilisation.h"

namespace roofwalk {

namespace {

struct TargetBound {
    CeilingTarget target;
    Seconds time;
};

/// Longest first.
std::vector<TargetBound> bounds_of(const KernelPoint& point) {
    std::vector<TargetBound> bounds;
    for (const auto& level : point.levels)
        if (level && level->bound && level->bound->value() > 0)
            bounds.push_back({level->boundary, *level->bound});
    for (const PipeLoad& load : point.pipes)
        if (load.bound && load.bound->value() > 0) bounds.push_back({load.pipe, *load.bound});
    std::ranges::stable_sort(bounds, std::ranges::greater(), &TargetBound::time);
    return bounds;
}

}  // namespace

std::vector<LevelReuse> level_reuse(const KernelPoint& point) {
    std::vector<LevelReuse> reuse;
    const LevelPoint* from = nullptr;
    for (const auto& level : point.levels) {
        if (!level) continue;
        if (from)
            reuse.push_back(
                {level_of(from->boundary), level_of(level->boundary), level->bytes / from->bytes});
        else if (level->bytes.value() > 0)
            from = &*level;
    }
    return reuse;
}

std::string reuse_sentence(const KernelPoint& point) {
    const std::vector<LevelReuse> reuse = level_reuse(point);
    if (reuse.empty()) return {};
    const std::string_view from = label_of(reuse.front().from, point.memory);
    const auto mark = [&](const LevelReuse& level, const std::string& factor) {
        return marked_if(is_inexact(point, level.from) || is_inexact(point, level.level), factor);
    };
    std::vector<std::string> used;
    std::vector<std::string> zero;
    std::string fewer;
    for (const auto& level : point.levels)
        if (level && level->bytes.value() <= 0)
            zero.emplace_back(label_of(level_of(level->boundary), point.memory));
    for (const LevelReuse& level : reuse) {
        // Every byte for the SMs passes through L2; shared memory is used as the program likes.
        if (level.factor > 0 && level.factor < 1 && level.level == MemoryLevel::l2)
            fewer = fmt::format("L2 is asked for only {} bytes for each byte that {} moves. ",
                                mark(level, format_number(level.factor)), from);
        else if (level.factor > 0)
            used.push_back(fmt::format("{} cross {}", mark(level, format_number(level.factor)),
                                       label_of(level.level, point.memory)));
    }
    std::string text;
    if (!used.empty()) text = fmt::format("For each byte that {} moves, {}. ", from, joined_with_and(used));
    text += fewer;
    if (!zero.empty()) text += fmt::format("No byte was counted at {}. ", joined_with_and(zero));
    text.pop_back();
    return text;
}

std::string binding_sentence(const KernelPoint& point) {
    if (!point.binding) return {};
    const std::string name = label_of(*point.binding, point.memory);
    std::string others;
    for (const TargetBound& bound : bounds_of(point))
        if (bound.target != *point.binding)
            others += fmt::format("{}{} {}", others.empty() ? "" : ", ", label_of(bound.target, point.memory),
                                  marked_if(is_inexact(point, bound.target), format(bound.time)));
    return fmt::format("{} binds: at its ceiling it would take {}{}{}.", name,
                       marked_if(is_inexact(point, *point.binding), format(*point.speed_of_light)),
                       others.empty() ? "" : ". That is longer than ", others);
}

}  // namespace roofwalk

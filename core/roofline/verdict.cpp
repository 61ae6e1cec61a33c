// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/roofline/verdict.h"

#include <fmt/format.h>

#include <array>

#include "core/roofline/analysis.h"
#include "core/roofline/utilisation.h"
#include "core/text.h"

namespace roofwalk {

namespace {

constexpr std::array<std::string_view, kernel_class_count> labels{
    "memory-bound",   "compute-bound", "latency-bound", "well optimised",
    "above the roof", "no FLOP",       "no traffic",    "not measured"};
constexpr std::array<std::string_view, kernel_class_count> ids{
    "memory_bound", "compute_bound", "latency_bound", "well_optimised",
    "above_roof",   "no_flop",       "no_traffic",    "not_measured"};

/// The farthest level of which bytes were counted and whose ceiling is known.
const LevelPoint* farthest_level(const KernelPoint& point) {
    for (const auto& level : point.levels)
        if (level && level->intensity && level->ceiling) return &*level;
    return nullptr;
}

void find_side(const KernelPoint& point, const Thresholds& thresholds, Verdict& verdict) {
    const LevelPoint* level = farthest_level(point);
    if (!level || !point.compute_ceiling) {
        const bool by_pipe = point.binding && std::holds_alternative<Pipe>(*point.binding);
        verdict.side = by_pipe ? Side::compute : Side::memory;
        return;
    }
    const Intensity ridge = ridge_point(*point.compute_ceiling, *level->ceiling);
    const double ratio = *level->intensity / ridge;
    verdict.side = side_of_ridge(*level->intensity, ridge, thresholds.ridge_tolerance);
    verdict.near_ridge = ratio >= thresholds.near_ridge_low && ratio <= thresholds.near_ridge_high;
}

/// Class and the words of the rule.
struct Ruling {
    KernelClass kernel_class;
    std::string rule;
};

std::string reached(const Utilisation& use) {
    return fmt::format("{} at {} of its ceiling", label_of(use.target), format_percent(use.share));
}

std::string what_is_missing(const KernelPoint& point) {
    std::string list;
    const auto add = [&](bool missing, std::string_view what) {
        if (missing) list += fmt::format("{}{}", list.empty() ? "" : ", ", what);
    };
    add(!point.time, "time");
    add(!point.work, "work");
    add(!has_known_bytes(point), "bytes");
    return list;
}

std::optional<Ruling> rule_on_missing(const KernelPoint& point) {
    if (point.launches > 0 && point.failed == point.launches)
        return Ruling{KernelClass::not_measured, "the profiler could not measure any launch"};
    const auto memory = memory_utilisation(point);
    const std::string also = memory ? "; " + reached(*memory) : "";
    if (const std::string missing = what_is_missing(point); !missing.empty())
        return Ruling{KernelClass::not_measured, "not measured: " + missing + also};
    if (point.time->value() <= 0) return Ruling{KernelClass::not_measured, "the measured time is zero"};
    if (point.work->value() <= 0) return Ruling{KernelClass::no_flop, "the measured work is zero" + also};
    if (point.placement == Placement::rail_no_traffic) {
        const auto compute = compute_utilisation(point);
        return Ruling{KernelClass::no_traffic,
                      "no bytes at any level shown" + (compute ? "; " + reached(*compute) : std::string())};
    }
    if (!point.gap)
        return Ruling{KernelClass::not_measured, "no ceiling of what it uses is known for this device"};
    return std::nullopt;
}

std::string side_in_words(const KernelPoint& point, const Verdict& verdict) {
    const LevelPoint* level = farthest_level(point);
    if (!level || !point.compute_ceiling) return "";
    const Intensity ridge = ridge_point(*point.compute_ceiling, *level->ceiling);
    constexpr std::array<std::string_view, 3> sides{"left of", "at", "right of"};
    return fmt::format("; {} the {} ridge (AI {}, ridge {}{})", sides[static_cast<std::size_t>(verdict.side)],
                       label_of(level_of(level->boundary)), format_number(level->intensity->value()),
                       format_number(ridge.value()), verdict.near_ridge ? ", near it" : "");
}

/// A kernel below both kinds of ceiling waits for something else; nobody can tell without both figures.
std::string unknown_half(const KernelPoint& point) {
    if (!memory_utilisation(point)) return "; no memory figure, so latency cannot be told apart";
    if (!compute_utilisation(point)) return "; no compute figure, so latency cannot be told apart";
    return "";
}

Ruling rule_on_efficiency(const KernelPoint& point, const Thresholds& limits, const Verdict& verdict) {
    const double efficiency = point.gap->efficiency();
    const std::string figure =
        fmt::format("{} of the {} ceiling", format_percent(efficiency), label_of(*point.binding));
    const auto with_limit = [&](std::string_view word, double limit) {
        return fmt::format("{}: {} (limit {})", word, figure, format_percent(limit));
    };
    const std::string side = side_in_words(point, verdict);
    if (efficiency > limits.above_roof)
        return {KernelClass::above_roof, with_limit("above the roof", limits.above_roof)};
    if (efficiency >= limits.well_optimised)
        return {KernelClass::well_optimised, with_limit("well optimised", limits.well_optimised) + side};
    const auto memory = memory_utilisation(point);
    const auto compute = compute_utilisation(point);
    if (memory && compute && memory->share < limits.latency && compute->share < limits.latency)
        return {KernelClass::latency_bound,
                fmt::format("latency-bound or under-occupied: {}, {} (both below {})", reached(*memory),
                            reached(*compute), format_percent(limits.latency))};
    const bool memory_binds = std::holds_alternative<Boundary>(*point.binding);
    return {memory_binds ? KernelClass::memory_bound : KernelClass::compute_bound,
            fmt::format("{} binds: {}{}{}", label_of(*point.binding), figure, side, unknown_half(point))};
}

std::string pipes_without_ceiling(const KernelPoint& point) {
    std::string list;
    for (const PipeLoad& load : point.pipes)
        if (!load.ceiling && load.work.value() > 0)
            list += (list.empty() ? "; no ceiling known for " : ", ") + label_of(load.pipe);
    return list;
}

}  // namespace

std::string_view label_of(KernelClass kernel_class) {
    return labels[static_cast<std::size_t>(kernel_class)];
}

std::string_view id_of(KernelClass kernel_class) {
    return ids[static_cast<std::size_t>(kernel_class)];
}

Verdict judge(const KernelPoint& point, const Thresholds& thresholds) {
    Verdict verdict;
    find_side(point, thresholds, verdict);
    std::optional<Ruling> ruling = rule_on_missing(point);
    if (!ruling) ruling = rule_on_efficiency(point, thresholds, verdict);
    verdict.kernel_class = ruling->kernel_class;
    verdict.rule = ruling->rule + pipes_without_ceiling(point);
    return verdict;
}

}  // namespace roofwalk

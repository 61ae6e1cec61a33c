// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text.h"
#include "core/roofline/analysis.h"
#include "core/roofline/utilisation.h"
#include "core/roofline/verdict.h"

namespace roofwalk {

namespace {

constexpr std::string_view no_ceiling = "no ceiling is known for what it uses";

std::string reached(const Utilisation& use) {
    return fmt::format("{} at {} of its ceiling", label_of(use.target), format_percent(use.share));
}

/// "HBM at 59.96 % of its ceiling, FP32 at 10.0 % of its ceiling (both below 60.00 %)": with as many digits
/// as it takes to see that.
std::string both_below(const Utilisation& memory, const Utilisation& compute, double limit) {
    const auto apart = [&](const Utilisation& use) { return format_percents_apart(use.share, limit); };
    const Utilisation& larger = memory.share > compute.share ? memory : compute;
    return fmt::format("{} at {} of its ceiling, {} at {} of its ceiling (both below {})",
                       label_of(memory.target), apart(memory).first, label_of(compute.target),
                       apart(compute).first, apart(larger).second);
}

std::string after_semicolon(const std::optional<Utilisation>& use) {
    return use && use->share > 0 ? "; " + reached(*use) : std::string();
}

std::string pipes_without_ceiling(const KernelPoint& point) {
    std::string list;
    for (const PipeLoad& load : point.pipes)
        if (!load.ceiling && load.work.value() > 0)
            list += (list.empty() ? "no ceiling known for " : ", ") + label_of(load.pipe);
    return list;
}

std::string what_is_missing(const KernelPoint& point) {
    if (point.launches > 0 && point.failed == point.launches)
        return "the profiler could not measure " + std::string(point.launches == 1 ? "it" : "any launch");
    if (point.time && point.time->value() <= 0) return "the measured time is zero";
    std::string list;
    const auto add = [&](bool missing, std::string_view what) {
        if (missing) list += fmt::format("{}{}", list.empty() ? "" : ", ", what);
    };
    add(!point.time, "time");
    add(!point.work, "work");
    add(!has_known_bytes(point), "bytes");
    if (!list.empty()) return "not measured: " + list;
    const bool some_bound = memory_utilisation(point) || compute_utilisation(point);
    return some_bound ? pipes_without_ceiling(point) + ", which may bind" : std::string(no_ceiling);
}

std::string after_semicolon(const std::string& words) {
    return words.empty() ? words : "; " + words;
}

/// A kernel below both kinds of ceiling waits for something else; nobody can tell without both figures.
std::string unknown_half(const KernelPoint& point) {
    if (!memory_utilisation(point)) return "; no memory figure, so latency cannot be told apart";
    if (!compute_is_known(point)) return "; no whole compute figure, so latency cannot be told apart";
    return {};
}

std::string of_the_ceiling(const KernelPoint& point) {
    return fmt::format("{} of the {} ceiling", format_percent(point.gap->efficiency()),
                       label_of(*point.binding));
}

std::string of_class(const KernelPoint& point, const Thresholds& limits) {
    const auto memory = memory_utilisation(point);
    const auto compute = compute_utilisation(point);
    if (point.verdict.busy)
        return fmt::format("{} is busy: {} of its peak by {} (limit {}){}{}",
                           label_of(point.verdict.busy->unit), format_percent(point.verdict.busy->share),
                           metric_of(point.verdict.busy->unit), format_percent(limits.latency),
                           after_semicolon(memory), after_semicolon(compute));
    if (const auto& nearest = point.verdict.nearest)
        return fmt::format("{}: {} at {} of its limit is the nearest (limits {}, {}); {}",
                           label_of(point.verdict.kernel_class), label_of(*nearest),
                           format_percent(nearest->share), format_percent(limits.latency),
                           format_percent(limits.near_roof), why_no_roof(point)) +
               (not_judged(point).empty()
                    ? ""
                    : fmt::format("; {} not judged", fmt::join(not_judged(point), ", ")));
    switch (point.verdict.kernel_class) {
        case KernelClass::not_measured:
            return what_is_missing(point) + after_semicolon(memory) + after_semicolon(compute);
        case KernelClass::only_timed:
            return "its work and bytes were not counted: they are those that its operation needs" +
                   after_semicolon(memory) + after_semicolon(compute);
        case KernelClass::no_flop:
            return "the measured work is zero" + after_semicolon(memory) + after_semicolon(compute);
        case KernelClass::no_traffic:
            return "no bytes at any level" + after_semicolon(compute);
        case KernelClass::work_incomplete:
            return fmt::format("work incomplete: {} instructions were not counted",
                               labels_of(point.uncounted)) +
                   after_semicolon(memory);
        case KernelClass::above_roof:
            return fmt::format("above the roof: {} (limit {})", of_the_ceiling(point),
                               format_percent(limits.above_roof));
        case KernelClass::near_roof:
            return fmt::format("near the roof: {} (limit {}){}", of_the_ceiling(point),
                               format_percent(limits.near_roof), after_semicolon(ridge_words(point)));
        case KernelClass::latency_bound:
            return "latency-bound or under-occupied: " + both_below(*memory, *compute, limits.latency) +
                   after_semicolon(judged_by_profiler_words(point));
        case KernelClass::low_use:
            return fmt::format("low use: {}; {} not judged, and may bind",
                               both_below(*memory, *compute, limits.latency),
                               fmt::join(levels_not_judged(point), ", "));
        case KernelClass::memory_bound:
        case KernelClass::compute_bound:
            return fmt::format("{} binds: {}{}{}", label_of(*point.binding), of_the_ceiling(point),
                               after_semicolon(ridge_words(point)), unknown_half(point));
    }
    return {};
}

}  // namespace

std::string ridge_words(const KernelPoint& point) {
    const auto place = ridge_place(point);
    if (!place || !point.verdict.side) return {};
    constexpr EnumArray<Side, std::string_view, 3> sides{"left of", "at", "right of"};
    return fmt::format("{} the {} ridge (AI {}, ridge {}{})", sides[*point.verdict.side],
                       label_of(place->level), format_number(place->intensity.value()),
                       format_number(place->ridge.value()), point.verdict.near_ridge ? ", near it" : "");
}

std::string rule_text(const KernelPoint& point, const Thresholds& thresholds) {
    std::string text = of_class(point, thresholds);
    const std::string pipes = pipes_without_ceiling(point);
    if (!pipes.empty() && !text.starts_with(pipes) && !text.starts_with(no_ceiling)) text += "; " + pipes;
    if (point.mostly_integer)
        text += fmt::format("; its work is integer operations ({})", integer_work(point));
    return text;
}

}  // namespace roofwalk

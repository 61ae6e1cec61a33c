// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/roofline/analysis.h"
#include "core/roofline/utilisation.h"
#include "core/roofline/verdict.h"

namespace roofwalk {

namespace {

/// "1.94 TB/s", "19.5 TFLOP/s"; only asked for targets that have a ceiling.
std::string rate_of(const KernelPoint& point, const CeilingTarget& target) {
    if (const Boundary* boundary = std::get_if<Boundary>(&target))
        return format(point.at(level_of(*boundary))->ceiling.value());
    const Pipe pipe = std::get<Pipe>(target);
    const auto load = std::ranges::find(point.pipes, pipe, &PipeLoad::pipe);
    return format(load->ceiling.value(), counts_integers(pipe) ? "OP/s" : "FLOP/s");
}

/// "HBM at 29.4 % of 1.94 TB/s"
std::string reached(const KernelPoint& point, const Utilisation& use) {
    return fmt::format("{} at {} of {}", label_of(use.target), format_percent(use.share),
                       rate_of(point, use.target));
}

std::string both_reached(const KernelPoint& point) {
    std::string text;
    for (const auto& use : {memory_utilisation(point), compute_utilisation(point)})
        if (use && use->share > 0) text += (text.empty() ? "" : ", ") + reached(point, *use);
    return text;
}

/// Bytes need no work: what memory reached is known without it.
std::string memory_reached(const KernelPoint& point) {
    const auto use = memory_utilisation(point);
    return use && use->share > 0 ? "; " + reached(point, *use) : std::string();
}

std::string with_figures(std::string head, const KernelPoint& point) {
    const std::string figures = both_reached(point);
    return figures.empty() ? head + "." : head + "; " + figures + ".";
}

/// A single unit that is nearer to its own limit than the kernel is to its roof: what would bind next.
std::string busier_unit(const KernelPoint& point) {
    const auto busy = busiest(point.throughput);
    if (!busy || busy->unit == HardwareUnit::memory || busy->share <= point.gap->efficiency()) return {};
    return fmt::format("; {} is busy to {} by the profiler's own measure", label_of(busy->unit),
                       format_percent(busy->share));
}

/// The roof that binds is far: what the profiler found busy is said beside it, not in its place.
std::string busy_sentence(const KernelPoint& point, const std::string& roof, const std::string& factor) {
    const BusyUnit& busy = *point.verdict.busy;
    const std::string head = point.verdict.kernel_class == KernelClass::low_use
                                 ? fmt::format("Low use of every roof: {} below {}", factor, roof)
                                 : fmt::format("{}-bound: {} below the {} roof", roof, factor, roof);
    return fmt::format("{}, while {} is busy to {} by the profiler's own measure; {}.", head,
                       label_of(busy.unit), format_percent(busy.share), both_reached(point));
}

/// What the class rests on where bytes are missing.
std::string judged_otherwise(const KernelPoint& point) {
    const std::string words = judged_by_profiler_words(point);
    return words.empty() ? words : "; " + words;
}

/// Near the roof says nothing of the bytes: a kernel is well optimised where it moves no more than its
/// algorithm needs.
std::string near_roof_sentence(const KernelPoint& point, const std::string& roof, const std::string& share) {
    const std::string place = fmt::format("{} roof reached to {}", roof, share);
    const std::optional<bool> frugal = moves_needed_bytes_only(point);
    if (!frugal)
        return fmt::format("Near the roof: {}{}; the bytes that its algorithm needs are not known.", place,
                           busier_unit(point));
    const std::string clause = horizontal_clause(point);
    if (*frugal) return fmt::format("Well optimised: {}{}; {}.", place, busier_unit(point), clause);
    if (*point.target->byte_gap < noticeable_gap)
        return fmt::format("Near the roof: {}{}; {}; in intensity it stands {} left of its algorithm.", place,
                           busier_unit(point), clause,
                           format_factor(point.target->gap.value_or(*point.target->useful)));
    const double worth = point.target->useful.value_or(1);
    if (worth < noticeable_gap)
        return fmt::format("Near the roof: {}{}; {}.", place, busier_unit(point), clause);
    if (const auto busy = unit_in_the_way(point))
        return fmt::format(
            "Near the roof: {}; {}. Closing that gap would be worth {}, but {} is busy to {} by the profiler's "
            "own measure: at most {} before it is relieved.",
            place, clause, format_factor(worth), label_of(busy->unit), format_percent(busy->share),
            format_factor(1 / busy->share));
    return fmt::format("Its traffic is the lever: it {}, near the roof ({}{}); closing that gap is worth {}.",
                       clause, place, busier_unit(point), format_factor(worth));
}

/// How far it is from what its operation needs, by both gaps at once: which of them it is nobody counted.
std::string timed_sentence(const KernelPoint& point) {
    const std::string head = std::string("Only timed: its work and bytes were not counted") +
                             (point.work ? ", and stand here as those that its operation needs" : "");
    if (!point.gap) return head + ".";
    return fmt::format("{}. With these the {} roof would allow it to be {} as fast ({} of {}).", head,
                       label_of(*point.binding), format_factor(point.gap->factor),
                       format_percent(point.gap->efficiency()), rate_of(point, *point.binding));
}

/// "HBM at 15.9 % of 1.53 TB/s; by throughput: SM 22.0 %, L1TEX 15.1 %, Memory 47.3 %": all that a class
/// without a roof rests on.
std::string known_shares(const KernelPoint& point) {
    std::string text = both_reached(point);
    std::string units;
    for (const HardwareUnit unit : all_hardware_units)
        if (const auto& share = point.throughput[unit])
            units +=
                fmt::format("{}{} {}", units.empty() ? "" : ", ", label_of(unit), format_percent(*share));
    if (units.empty()) return text;
    return text + (text.empty() ? "" : "; ") + "by throughput: " + units;
}

/// Of a kernel without a roof: how far from its limit what is nearest to one stands.
std::string nearest_sentence(const KernelPoint& point) {
    const NearestLimit& nearest = *point.verdict.nearest;
    const std::string limit = label_of(nearest);
    const std::string below =
        nearest.share > 0 ? fmt::format("{} below the limit of {}", format_factor(1 / nearest.share), limit)
                          : "nothing is used";
    const auto head = [&]() -> std::string {
        switch (point.verdict.kernel_class) {
            case KernelClass::above_roof:
                return fmt::format("Above the {} roof", limit);
            case KernelClass::near_roof:
                return fmt::format("Near its limit: {} is used to {}", limit, format_percent(nearest.share));
            case KernelClass::latency_bound:
                return "Latency-bound or under-occupied: " + below;
            case KernelClass::low_use:
                return "Low use of what is known: " + below;
            default:
                return fmt::format("{}-bound: {}", limit, below);
        }
    };
    const std::vector<std::string_view> unknown = not_judged(point);
    return fmt::format("{} ({}; {}{}).", head(), known_shares(point), why_no_roof(point),
                       unknown.empty() ? "" : fmt::format("; {} not judged", fmt::join(unknown, ", ")));
}

std::string of_class(const KernelPoint& point) {
    const KernelClass kernel_class = point.verdict.kernel_class;
    if (point.verdict.nearest) return nearest_sentence(point);
    if (kernel_class == KernelClass::not_measured) {
        std::string rule = rule_text(point, {});
        rule[0] = static_cast<char>(rule[0] - 'a' + 'A');
        return rule + ".";
    }
    if (kernel_class == KernelClass::work_incomplete)
        return fmt::format("Work incomplete: {} instructions were not counted, so W is a lower bound{}.",
                           labels_of(point.uncounted), memory_reached(point));
    if (kernel_class == KernelClass::no_flop)
        return with_figures(point.mostly_integer ? "No floating-point work" : "No FLOP", point);
    if (kernel_class == KernelClass::only_timed) return timed_sentence(point);
    if (kernel_class == KernelClass::no_traffic) return with_figures("No bytes at any level", point);

    const std::string roof = label_of(*point.binding);
    const std::string share =
        fmt::format("{} of {}", format_percent(point.gap->efficiency()), rate_of(point, *point.binding));
    const std::string factor = format_factor(point.gap->factor);
    switch (kernel_class) {
        case KernelClass::above_roof:
            if (point.modelled)
                return fmt::format(
                    "Above the {} roof: {}, with the work and bytes that its operation needs, for "
                    "its own were not counted.",
                    roof, share);
            return fmt::format("Above the {} roof: {}.", roof, share);
        case KernelClass::near_roof:
            return near_roof_sentence(point, roof, share);
        case KernelClass::low_use:
            if (point.verdict.busy) return busy_sentence(point, roof, factor);
            return fmt::format("Low use of {} and {} ({} not judged): {} below the {} roof; {}.",
                               label_of(memory_utilisation(point)->target),
                               label_of(compute_utilisation(point)->target),
                               fmt::join(levels_not_judged(point), ", "), factor, roof, both_reached(point));
        case KernelClass::latency_bound:
            return fmt::format("Latency-bound or under-occupied: {} below the {} roof; {}{}.", factor, roof,
                               both_reached(point), judged_otherwise(point));
        default:
            if (point.verdict.busy) return busy_sentence(point, roof, factor);
            return fmt::format("{}-bound: {} below the {} roof ({}).", roof, factor, roof, share);
    }
}

}  // namespace

std::string integer_work(const KernelPoint& point) {
    Flops work;
    std::string pipes;
    for (const PipeLoad& load : point.pipes)
        if (counts_integers(load.pipe) && load.work.value() > 0) {
            work += load.work;
            pipes += ", " + label_of(load.pipe);
        }
    return format(work, "OP") + pipes;
}

std::string sentence(const KernelPoint& point) {
    std::string text = of_class(point);
    const bool told_already = point.verdict.kernel_class == KernelClass::near_roof && point.gap;
    if (const std::string clause = horizontal_clause(point); !clause.empty() && !told_already)
        text.insert(text.size() - 1, "; " + clause);
    if (point.contradicted) text += " Its counters contradict each other.";
    if (!point.mostly_integer || point.verdict.kernel_class == KernelClass::not_measured) return text;
    return fmt::format("{} Its work is integer operations ({}), which are not counted as FLOP.", text,
                       integer_work(point));
}

}  // namespace roofwalk

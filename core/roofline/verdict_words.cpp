// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/roofline/verdict_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/devices/match_device.h"
#include "core/operations/measured_type.h"
#include "core/roofline/analysis.h"
#include "core/roofline/launch_floor.h"
#include "core/roofline/utilisation.h"

namespace roofwalk {

namespace {

/// "1.08 TOP, INT8 Tensor": the integer work of a kernel.
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
    return fmt::format("{} at {} of {}", label_of(use.target, point.memory),
                       marked(point, use.target, format_percent(use.share)), rate_of(point, use.target));
}

std::string both_reached(const KernelPoint& point) {
    std::string text;
    for (const auto& use : {memory_utilisation(point), compute_utilisation(point)})
        if (use && use->share > 0) text += (text.empty() ? "" : ", ") + reached(point, *use);
    return text;
}

/// "HBM and FP32": what is used most of memory and, where there is work, of the pipes.
std::string both_targets(const KernelPoint& point) {
    const auto compute = compute_utilisation(point);
    const std::string memory = label_of(memory_utilisation(point)->target, point.memory);
    return compute && compute->share > 0 ? memory + " and " + label_of(compute->target, point.memory)
                                         : memory;
}

/// Bytes need no work: what memory reached is known without it.
std::string memory_reached(const KernelPoint& point) {
    const auto use = memory_utilisation(point);
    return use && use->share > 0 ? "; " + reached(point, *use) : std::string();
}

std::string with_figures(const std::string& head, const KernelPoint& point) {
    const std::string figures = both_reached(point);
    return figures.empty() ? head + "." : head + "; " + figures + ".";
}

/// "L1TEX is 50.5 % busy by the profiler's own measure"
std::string busy_words(const KernelPoint& point, const BusyUnit& busy) {
    return fmt::format("{} is {} busy by the profiler's own measure", label_of(busy.unit, point.memory),
                       marked(point, busy.unit, format_percent(busy.share)));
}

/// A unit beside DRAM that is nearer to its own limit than the kernel is to its roof: what would bind next.
std::string busier_unit(const KernelPoint& point) {
    constexpr double rounding = 1.005;  // of a level that both tell the figures would read the same
    const auto busy = busiest(beside_dram(point.throughput));
    if (!busy || busy->share <= point.gap->efficiency() * rounding) return {};
    return "; " + busy_words(point, *busy);
}

/// "Memory-bound", "SM-bound".
std::string class_head(const KernelPoint& point) {
    return capitalised(class_label(point));
}

/// What the profiler found busy is nearer than the roof that binds, which is told beside it.
std::string busy_sentence(const KernelPoint& point, const std::string& roof, const std::string& factor) {
    const BusyUnit& busy = *point.verdict.busy;
    return fmt::format(
        "{}: {}{} below the limit of {} ({} busy). Busy is its throughput by the profiler; by bytes and work the "
        "kernel is {} below the {} roof. {}.",
        class_head(point), above_launch_floor(point), marked(point, busy.unit, format_factor(1 / busy.share)),
        label_of(busy.unit, point.memory), marked(point, busy.unit, format_percent(busy.share)), factor, roof,
        both_reached(point));
}

std::string bytes_missing(const KernelPoint& point) {
    return has_known_bytes(point) ? "" : "; bytes not measured";
}

/// What the class rests on where bytes are missing.
std::string judged_otherwise(const KernelPoint& point) {
    const std::string words = judged_by_profiler_words(point);
    return words.empty() ? words : "; " + words;
}

std::string after_semicolon(const std::string& words) {
    return words.empty() ? words : "; " + words;
}

/// Near the roof says nothing of the bytes: it tells whether the kernel moves more than its algorithm needs.
std::string near_roof_sentence(const KernelPoint& point, const std::string& roof, const std::string& share) {
    const std::string place = fmt::format("{} reaches {}", roof, share);
    const std::optional<bool> frugal = moves_needed_bytes_only(point);
    if (!frugal)
        return fmt::format("Near the roof: {}{}{}.", place, busier_unit(point),
                           after_semicolon(size_mismatch_words(point)));
    const std::string clause = horizontal_clause(point);
    const std::string_view next = next_near_roof(point);
    const std::string what = next.empty() ? "Near the roof" : fmt::format("Near the roof, {}", next);
    const std::string near = fmt::format("{}: {}{}; {}", what, place, busier_unit(point), clause);
    if (!*frugal && *point.target->byte_gap < noticeable_gap)
        return fmt::format("{}; in intensity it stands {} left of its algorithm.", near,
                           format_factor(point.target->gap.value_or(*point.target->useful)));
    const double worth = point.target->useful.value_or(1);
    if (*frugal || worth < noticeable_gap) return near + ".";
    if (const auto busy = unit_in_the_way(point))
        return fmt::format(
            "{}: {}; {}. Closing that gap would be worth {}, but {}: at most {} before it is relieved.", what,
            place, clause, format_factor(worth), busy_words(point, *busy),
            marked(point, busy->unit, format_factor(1 / busy->share)));
    return fmt::format("Its bytes cost most: it {}, near the roof ({}{}); closing that gap is worth {}.",
                       clause, place, busier_unit(point), format_factor(worth));
}

/// How far it is from what its operation needs, by both gaps at once: which of them it is nobody counted.
std::string timed_sentence(const KernelPoint& point) {
    const std::string head = std::string("Only timed: its work and bytes were not counted") +
                             (point.work ? ", and stand here as those that its operation needs" : "");
    if (!point.gap) return head + ".";
    const auto unit = unit_beyond_roof(point);
    return fmt::format("{}. With these the {} roof would allow it to be {} as fast ({} of {}){}.", head,
                       label_of(*point.binding, point.memory),
                       marked_gap(point, format_factor(point.gap->factor)),
                       marked_gap(point, format_percent(point.gap->efficiency())),
                       rate_of(point, *point.binding), unit ? ". " + busy_words(point, *unit) : "");
}

std::string samples_counted(const KernelPoint& point) {
    return fmt::format("{} PM sample{}", format_count(point.sampled.samples),
                       point.sampled.samples == 1 ? "" : "s");
}

/// "SM, HBM at least, the mean of 488 PM samples"; why these tell nothing where they are too few.
std::string sample_words(const KernelPoint& point) {
    std::string units;
    for (const HardwareUnit unit : all_hardware_units)
        if (point.sampled.units[unit])
            units += fmt::format("{}{}", units.empty() ? "" : ", ", label_of(unit, point.memory));
    if (!units.empty()) return fmt::format("{} at least, the mean of {}", units, samples_counted(point));
    if (point.sampled.samples == 0) return {};
    return fmt::format("{} within its time: a mean takes {} a launch, over half its time",
                       samples_counted(point), least_pm_samples);
}

/// "HBM at 15.9 % of 1.53 TB/s. Throughput (how busy units were): SM 22.0 %, L1TEX 15.1 %, Memory 47.3 %":
/// all that a class without a roof rests on; memory as a whole where no part of it tells the same.
std::string known_shares(const KernelPoint& point) {
    std::string text = both_reached(point);
    if (const auto limit = judged_nearest(point); limit && is_of_half_the_bytes(point, limit->of))
        text +=
            fmt::format("{}{} at {} at least, by {} alone", text.empty() ? "" : ", ", label_of(point.memory),
                        format_percent(limit->share), format(*point.hbm_at_least));
    std::string units;
    // What is near its limit the headline tells.
    const bool near = point.verdict.kernel_class == KernelClass::near_roof && point.verdict.nearest;
    for (const HardwareUnit unit : all_hardware_units)
        if (const auto& share = point.throughput[unit];
            share && !(near && point.verdict.nearest->of == LimitTarget(unit)) &&
            (unit != HardwareUnit::memory || !is_share_of_part(point.throughput)))
            units += fmt::format("{}{} {}", units.empty() ? "" : ", ", label_of(unit, point.memory),
                                 marked(point, unit, format_percent(*share)));
    const std::string samples = sample_words(point);
    if (units.empty()) return text + (text.empty() ? samples : after_semicolon(samples));
    return fmt::format("{}{}Throughput (how busy units were): {}{}", text, text.empty() ? "" : ". ", units,
                       after_semicolon(samples));
}

/// "HBM to 90.0 %, FP32 to 88.0 %": what launches reach of their own limits.
std::string launch_limits_words(const KernelPoint& point) {
    std::string text;
    for (const NearestLimit& limit : point.verdict.launch_limits)
        text += fmt::format("{}{} to {}", text.empty() ? "" : ", ", label_of(limit, point.memory),
                            marked(point, limit.of, format_percent(limit.share)));
    return text;
}

/// Of a kernel without a roof: how far from its limit what is nearest to one stands.
std::string nearest_sentence(const KernelPoint& point) {
    const NearestLimit& nearest = *point.verdict.nearest;
    const std::string limit = label_of(nearest, point.memory);
    const std::string below = nearest.share > 0
                                  ? fmt::format("{}{}{} below the limit of {}",
                                                nearer_than_the_roof(point, ". "), bound_words(point, true),
                                                marked_gap(point, format_factor(1 / nearest.share)), limit)
                                  : "nothing is used";
    const auto head = [&]() -> std::string {
        if (share_of_launches(point))
            return fmt::format("{}: {}{}", class_head(point), above_launch_floor(point), below);
        switch (point.verdict.kernel_class) {
            case KernelClass::above_roof:
                return fmt::format("Above the {} roof", limit);
            case KernelClass::near_roof:
                return fmt::format("Near its limit: {} reaches {}{}", limit, bound_words(point),
                                   marked_gap(point, format_percent(nearest.share)));
            case KernelClass::latency_bound:
                return "Latency-bound: " + above_launch_floor(point) + below;
            case KernelClass::low_use:
                return fmt::format("Low use{}: {}{}", may_reach_more(point) ? " of what was measured" : "",
                                   above_launch_floor(point), below);
            default:
                return fmt::format("{}: {}{}", class_head(point), above_launch_floor(point), below);
        }
    };
    const std::vector<std::string_view> unknown = not_judged(point);
    const std::string shares = known_shares(point);
    return fmt::format("{}{}{}; {}{}.", head(), shares.empty() ? "" : ". ", shares, why_no_roof(point),
                       unknown.empty() ? "" : fmt::format("; {} not judged", fmt::join(unknown, ", ")));
}

std::string of_class(const KernelPoint& point) {
    constexpr std::string_view by_bytes = ". By bytes and work ";
    const KernelClass kernel_class = point.verdict.kernel_class;
    if (!point.verdict.launch_limits.empty())
        return fmt::format("Launches are near limits of their own: {}; together far from each{}.",
                           launch_limits_words(point),
                           point.gap ? fmt::format(", {} below the {} roof",
                                                   marked_gap(point, format_factor(point.gap->factor)),
                                                   label_of(*point.binding, point.memory))
                                     : "");
    if (point.verdict.nearest) return nearest_sentence(point);
    if (kernel_class == KernelClass::not_measured)
        return (point.known_time() ? ""
                                   : "Its time was not measured: how far it is from a roof is not known. ") +
               capitalised(rule_text(point, {})) + ".";
    if (kernel_class == KernelClass::work_incomplete)
        return fmt::format("Work incomplete: {} instructions were not counted, so W is a lower bound{}.",
                           labels_of(point.uncounted), memory_reached(point));
    if (kernel_class == KernelClass::no_flop)
        return with_figures(
            (point.mostly_integer ? "No floating-point work" : "No FLOP") + bytes_missing(point), point);
    if (kernel_class == KernelClass::only_timed) return timed_sentence(point);
    if (kernel_class == KernelClass::no_traffic)
        return with_figures("No bytes at any level that was counted", point);

    const std::string roof = label_of(*point.binding, point.memory);
    const std::string share =
        fmt::format("{} of {}", marked_gap(point, format_percent(point.gap->efficiency())),
                    rate_of(point, *point.binding));
    const std::string factor = marked_gap(point, format_factor(point.gap->factor));
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
            if (share_of_launches(point))
                return fmt::format("{}: {}{}{} below the {} roof; {}.", class_head(point),
                                   above_launch_floor(point), nearer_than_the_roof(point, by_bytes), factor,
                                   roof, both_reached(point));
            return fmt::format("Low use of {} ({} not judged): {}{}{} below the {} roof; {}.",
                               both_targets(point), fmt::join(limits_not_judged(point), ", "),
                               above_launch_floor(point), nearer_than_the_roof(point, by_bytes), factor, roof,
                               both_reached(point));
        case KernelClass::latency_bound:
            return fmt::format("{}: {}{}{} below the {} roof; {}{}.", class_head(point),
                               above_launch_floor(point), nearer_than_the_roof(point, by_bytes), factor, roof,
                               both_reached(point), judged_otherwise(point));
        default:
            if (point.verdict.busy) return busy_sentence(point, roof, factor);
            return fmt::format("{}: {}{}{} below the {} roof ({}).", class_head(point),
                               above_launch_floor(point), nearer_than_the_roof(point, by_bytes), factor, roof,
                               share);
    }
}

std::string of_its_ceiling(const KernelPoint& point, const Utilisation& use, const std::string& share) {
    return fmt::format("{} at {} of its ceiling", label_of(use.target, point.memory),
                       marked(point, use.target, share));
}

/// "HBM at 59.96 % of its ceiling, FP32 at 10.0 % of its ceiling (both below 60.00 %)": with as many digits
/// as it takes to see that.
std::string both_below(const KernelPoint& point, double limit) {
    const Utilisation memory = *memory_utilisation(point);
    const Utilisation compute = compute_utilisation(point).value_or(Utilisation{});
    const auto apart = [&](const Utilisation& use) { return format_percents_apart(use.share, limit); };
    if (compute.share <= 0) {
        const auto [reached, most] = apart(memory);
        return fmt::format("{} (below {})", of_its_ceiling(point, memory, reached), most);
    }
    const Utilisation& larger = memory.share > compute.share ? memory : compute;
    return fmt::format("{}, {} (both below {})", of_its_ceiling(point, memory, apart(memory).first),
                       of_its_ceiling(point, compute, apart(compute).first), apart(larger).second);
}

std::string use_after_semicolon(const std::optional<Utilisation>& use, const KernelPoint& point) {
    return use && use->share > 0 ? "; " + of_its_ceiling(point, *use, format_percent(use->share))
                                 : std::string();
}

std::string what_is_missing(const KernelPoint& point) {
    if (point.launches > 0 && point.failed == point.launches)
        return "the profiler could not measure " + std::string(point.launches == 1 ? "it" : "any launch");
    const auto time = point.known_time();
    if (time && time->value() <= 0) return "the measured time is zero";
    std::string list;
    const auto add = [&](bool missing, std::string_view what) {
        if (missing) list += fmt::format("{}{}", list.empty() ? "" : ", ", what);
    };
    add(!time, "time");
    add(!point.work, "work");
    add(!has_known_bytes(point), "bytes");
    const std::string others = point.verdict.left_unjudged
                                   ? fmt::format("; {} of other launches of its kernel was counted",
                                                 point.others_have_throughput ? "throughput"
                                                 : point.work                 ? "traffic"
                                                                              : "work")
                                   : "";
    if (!list.empty())
        return fmt::format("{}not measured: {}{}{}",
                           lacks_ceilings(point) ? "no ceiling of its bytes is known; " : "", list, others,
                           after_semicolon(sample_words(point)));
    const bool some_bound = memory_utilisation(point) || compute_utilisation(point);
    return some_bound ? pipes_without_ceiling(point) + ", which may bind"
                      : "no ceiling is known for what it uses";
}

/// A kernel below both kinds of ceiling waits for something else; nobody can tell without both figures.
std::string unknown_half(const KernelPoint& point) {
    if (!memory_utilisation(point)) return "; no memory figure, so latency cannot be told apart";
    if (!both_sides_judged(point)) return "; no whole compute figure, so latency cannot be told apart";
    return {};
}

std::string of_the_ceiling(const KernelPoint& point) {
    return fmt::format("{} of the {} ceiling", marked_gap(point, format_percent(point.gap->efficiency())),
                       label_of(*point.binding, point.memory));
}

std::string of_class(const KernelPoint& point, const VerdictThresholds& limits) {
    const auto memory = memory_utilisation(point);
    const auto compute = compute_utilisation(point);
    if (!point.verdict.launch_limits.empty())
        return fmt::format("launches reach limits of their own, {} (limits {}, {}){}{}",
                           launch_limits_words(point), format_percent(limits.latency),
                           format_percent(limits.near_roof), use_after_semicolon(memory, point),
                           use_after_semicolon(compute, point));
    if (const auto share = share_of_launches(point))
        return fmt::format("{}: launches take at least {} of its time (limit {}){}{}", bound_by_launch,
                           format_percent(*share), format_percent(limits.near_roof),
                           use_after_semicolon(memory, point), use_after_semicolon(compute, point));
    if (point.verdict.busy)
        return fmt::format("{} is busy: {} of its peak by {} (limit {}){}{}",
                           label_of(point.verdict.busy->unit, point.memory),
                           marked(point, point.verdict.busy->unit, format_percent(point.verdict.busy->share)),
                           point.sampled.units[point.verdict.busy->unit]
                               ? samples_counted(point)
                               : metric_of(point.verdict.busy->unit),
                           format_percent(limits.latency), use_after_semicolon(memory, point),
                           use_after_semicolon(compute, point));
    if (const auto& nearest = point.verdict.nearest)
        return fmt::format("{}: {} {}{} of its limit is the nearest (limits {}, {}); {}", class_label(point),
                           label_of(*nearest, point.memory),
                           bound_words(point).empty() ? "at " : bound_words(point),
                           marked_gap(point, format_percent(nearest->share)), format_percent(limits.latency),
                           format_percent(limits.near_roof), why_no_roof(point)) +
               (not_judged(point).empty()
                    ? ""
                    : fmt::format("; {} not judged", fmt::join(not_judged(point), ", ")));
    switch (point.verdict.kernel_class) {
        case KernelClass::not_measured:
            return what_is_missing(point) + use_after_semicolon(memory, point) +
                   use_after_semicolon(compute, point);
        case KernelClass::only_timed:
            return "its work and bytes were not counted: they are those that its operation needs" +
                   use_after_semicolon(memory, point) + use_after_semicolon(compute, point);
        case KernelClass::no_flop:
            return "the measured work is zero" + bytes_missing(point) + use_after_semicolon(memory, point) +
                   use_after_semicolon(compute, point);
        case KernelClass::no_traffic:
            return "no bytes at any level that was counted" + use_after_semicolon(compute, point);
        case KernelClass::work_incomplete:
            return fmt::format("work incomplete: {} instructions were not counted",
                               labels_of(point.uncounted)) +
                   use_after_semicolon(memory, point);
        case KernelClass::above_roof:
            return fmt::format("above the roof: {} (limit {})", of_the_ceiling(point),
                               format_percent(limits.above_roof));
        case KernelClass::near_roof:
            return fmt::format("near the roof: {} (limit {}){}", of_the_ceiling(point),
                               format_percent(limits.near_roof), after_semicolon(ridge_words(point)));
        case KernelClass::latency_bound:
            return "latency-bound: " + both_below(point, limits.latency) +
                   after_semicolon(judged_by_profiler_words(point));
        case KernelClass::low_use:
            return fmt::format("low use: {}; {} not judged, and may bind", both_below(point, limits.latency),
                               fmt::join(limits_not_judged(point), ", "));
        case KernelClass::memory_bound:
        case KernelClass::compute_bound:
            return fmt::format("{} binds: {}{}{}", label_of(*point.binding, point.memory),
                               of_the_ceiling(point), after_semicolon(ridge_words(point)),
                               unknown_half(point));
    }
    return {};
}

/// Beyond this share of a ceiling no clock or cache explains the figure.
constexpr double absurd = 2;
/// DRAM bytes below this share of the L2 bytes: L2 serves nearly everything.
constexpr double cache_resident = 0.1;
/// Timers and launch effects weigh below this.
constexpr Seconds short_kernel(10e-6);

Origin origin_of(const KernelPoint& point, const CeilingTarget& target) {
    if (const Boundary* boundary = std::get_if<Boundary>(&target))
        return point.at(level_of(*boundary))->origin;
    return std::ranges::find(point.pipes, std::get<Pipe>(target), &PipeLoad::pipe)->origin;
}

void add_units(const KernelPoint& point, std::vector<std::string>& causes) {
    const auto memory = memory_utilisation(point);
    const auto compute = compute_utilisation(point);
    if (memory && compute && memory->share > 1 && compute->share > 1) {
        causes.push_back(fmt::format(
            "Performance is {} of the {} ceiling and traffic {} of the {} ceiling: check the units, the time "
            "first.",
            marked(point, compute->target, format_percent(compute->share)),
            label_of(compute->target, point.memory),
            marked(point, memory->target, format_percent(memory->share)),
            label_of(memory->target, point.memory)));
    } else if (point.gap->efficiency() > absurd) {
        causes.push_back(fmt::format("{} reaches {}: check the units of bytes, work and time.",
                                     label_of(*point.binding, point.memory),
                                     marked_gap(point, format_percent(point.gap->efficiency()))));
    }
}

/// Bytes of a formula cross HBM only where L2 does not hold them.
void add_l2_of_formula(const KernelPoint& point, const Device& device, std::vector<std::string>& causes) {
    const auto& l2 = point.at(MemoryLevel::l2);
    const Bytes bytes = l2 ? l2->bytes : point.at(MemoryLevel::hbm)->bytes;
    const BandwidthCeiling* ceiling = point.ceilings->find(l2 ? l2->boundary : Boundary::l2_sm_sectors);
    if (ceiling == nullptr || bytes / *point.known_time() > ceiling->rate * absurd) return;
    const Device* known = find_known_device(device.name, &device);
    const auto l2_size = device.l2_size || known == nullptr ? device.l2_size : known->l2_size;
    if (l2_size && point.at(MemoryLevel::hbm)->bytes / point.known_launches() > *l2_size) return;
    causes.push_back(fmt::format(
        "What L2 holds from an earlier launch does not cross {}: where these {} fit it, the L2 roof applies, of which "
        "they are {}.",
        label_of(point.memory), format(bytes), format_percent(bytes / *point.known_time() / ceiling->rate)));
}

void add_cache(const KernelPoint& point, const Device& device, std::vector<std::string>& causes) {
    const auto& hbm = point.at(MemoryLevel::hbm);
    const auto& l2 = point.at(MemoryLevel::l2);
    if (!hbm || point.binding != CeilingTarget(hbm->boundary)) return;
    if (hbm->origin == Origin::modelled) add_l2_of_formula(point, device, causes);
    if (l2 && hbm->bytes < l2->bytes * cache_resident)
        causes.push_back(fmt::format(
            "L2 serves nearly everything ({} cross {}, {} cross L2): the L2 roof is the one that applies.",
            format(hbm->bytes), label_of(point.memory), format(l2->bytes)));
}

void add_origin(const KernelPoint& point, std::vector<std::string>& causes) {
    if (point.modelled) {
        causes.emplace_back(
            "Only its time was measured: it may not do the operation it is bound to, or do less of it.");
        return;
    }
    const Origin origin = origin_of(point, *point.binding);
    if (origin == Origin::modelled)
        causes.emplace_back(
            "The bytes or the work come from a formula, not from counters: what a cache serves does not "
            "cross the boundary.");
    else if (origin == Origin::estimated)
        causes.emplace_back("The figure is an estimate, not an exact counter.");
}

void add_type(const KernelPoint& point, std::vector<std::string>& causes) {
    constexpr Pipe fp32{PipeKind::fp32};
    if (point.binding != CeilingTarget(fp32)) return;
    if ((point.modelled || point.modelled_work) && origin_of(point, fp32) == Origin::modelled &&
        multiplies_matrices(*point.target->operation->model))
        causes.emplace_back(
            "Its products count as FP32, and tensor cores may do them as TF32, as cuDNN's do unless told "
            "otherwise: give its operation dtype=tf32 then.");
    if (point.precision_assumed)
        causes.emplace_back(
            "FP32 is assumed, since its FLOP have no precision and no operation with a type: name "
            "whichever it was, such as tensor.fp16.");
}

void add_clock(const KernelPoint& point, std::vector<std::string>& causes) {
    const auto ceiling = point.ceilings->find(*point.binding);
    if (!ceiling) return;
    const Provenance* provenance = ceiling->provenance;
    if (provenance->clock)
        causes.push_back(fmt::format("The ceiling holds at {}; the kernel may have run at a higher clock.",
                                     format(*provenance->clock)));
    if (provenance->source == CeilingSource::counters)
        causes.emplace_back(
            "Counters and time may have been taken in different passes, between which clock, caches and "
            "even the launch may differ.");
    else
        causes.push_back(
            fmt::format("The ceiling was not measured in this run ({}).", describe(*provenance)));
}

}  // namespace

Sentences verdict_sentences(const KernelPoint& point) {
    std::string text = of_class(point);
    const bool told_already = point.verdict.kernel_class == KernelClass::near_roof && point.gap &&
                              point.verdict.launch_limits.empty();
    if (const std::string clause = horizontal_clause(point); !clause.empty() && !told_already)
        text.insert(text.size() - 1, "; " + clause);
    if (const std::string known = known_launches_words(point); !known.empty())
        text += fmt::format(" Judged by {}.", known);
    if (point.mostly_integer && !is_without_work(point))
        text = fmt::format("Most of its work is integer operations ({}), which FLOP/s do not count. ",
                           integer_work(point)) +
               text;
    if (point.contradicted)
        text = "Its counters contradict each other, so what follows may be wrong. " + text;
    if (point.time_doubted) text += " Its time is derived from cycles, and may be far too long.";
    if (!above_launch_floor(point).empty())
        text += fmt::format(" A launch takes {} at least.", describe(point.launch_floor));
    if (is_without_work(point) && !point.mostly_integer && point.verdict.kernel_class != KernelClass::no_flop)
        text += " It does no FLOP.";
    if (point.mostly_integer && is_without_work(point) &&
        point.verdict.kernel_class != KernelClass::not_measured)
        text += fmt::format(" Its work is integer operations ({}), which are not counted as FLOP.",
                            integer_work(point));
    return short_sentences(text);
}

std::string ridge_words(const KernelPoint& point) {
    const auto place = ridge_place(point);
    if (!place || !point.verdict.side) return {};
    constexpr EnumArray<Side, std::string_view, 3> sides{"left of", "at", "right of"};
    return fmt::format("{} the {} ridge (AI {}, ridge {}{})", sides[*point.verdict.side],
                       label_of(place->level, point.memory),
                       marked_intensity(point, place->level, format_number(place->intensity.value())),
                       format_number(place->ridge.value()), point.verdict.near_ridge ? ", near it" : "");
}

namespace {

/// Whether of_class() says which pipes have no ceiling, or that nothing has one.
bool tells_missing_ceilings(const KernelPoint& point) {
    const Verdict& verdict = point.verdict;
    if (!verdict.launch_limits.empty() || verdict.busy || !has_known_bytes(point)) return false;
    if (verdict.nearest) return point.work && !point.uncounted.any();
    return verdict.kernel_class == KernelClass::not_measured && point.performance;
}

/// Whether the rule compares or names what the profiler found of L1TEX.
bool rests_on_l1tex(const KernelPoint& point) {
    if (point.verdict.nearest) return true;
    if (point.verdict.busy) return point.verdict.busy->unit == HardwareUnit::l1tex;
    return point.verdict.kernel_class == KernelClass::latency_bound &&
           std::ranges::any_of(levels_judged_by_profiler(point), [](const ProfilerJudgement& judged) {
               return judged.unit.unit == HardwareUnit::l1tex;
           });
}

}  // namespace

std::string rule_text(const KernelPoint& point, const VerdictThresholds& thresholds) {
    std::string text = of_class(point, thresholds);
    const std::string pipes = pipes_without_ceiling(point);
    if (!pipes.empty() && !tells_missing_ceilings(point)) text += "; " + pipes;
    if (point.l1tex_scaled && rests_on_l1tex(point))
        text += "; L1TEX at least, scaled from active to elapsed cycles";
    if (point.l1tex_while_active) text += "; L1TEX at most, of the cycles in which it was active";
    if (const auto limit = judged_nearest(point); limit && is_of_half_the_bytes(point, limit->of))
        text +=
            fmt::format("; {} at least, of the reads or writes that were counted", label_of(point.memory));
    if (point.verdict.nearest || point.verdict.busy) text += after_semicolon(sample_words(point));
    if (const std::string known = known_launches_words(point); !known.empty()) text += "; judged by " + known;
    if (point.time_doubted) text += "; time derived from cycles, and may be far too long";
    if (is_without_work(point) && point.verdict.kernel_class != KernelClass::no_flop) text += "; no FLOP";
    if (point.mostly_integer)
        text += fmt::format("; its work is integer operations ({})", integer_work(point));
    return short_sentences(text).text();
}

namespace {

/// "the HBM roof with the same bytes", "the limit of SM with the same instructions".
std::string base_words(const KernelPoint& point, const NearestLimit& limit) {
    std::string_view same = std::holds_alternative<Boundary>(limit.of) ? "bytes" : "work";
    const HardwareUnit* unit = std::get_if<HardwareUnit>(&limit.of);
    if (unit) same = is_of_memory(limit) ? "requests" : "instructions";
    const std::string label = label_of(limit, point.memory);
    return fmt::format("{} with the same {}",
                       point.gap && !unit ? fmt::format("the {} roof", label) : "the limit of " + label,
                       same);
}

}  // namespace

std::string recoverable_words(const KernelPoint& point, Seconds program) {
    if (!point.recoverable) return {};
    const Recoverable& all = *point.recoverable;
    const auto limit = tightest_limit(point);
    constexpr double visible = 0.005;
    const bool approximate = has_approximate_recovery(point);
    const auto mark = [&](const std::string& figure) { return marked_if(approximate, figure); };
    const Seconds as_one = limit ? all.of * (1 - limit->share) : all.time;
    // Each launch has a limit of its own then.
    const bool summed = !point.verdict.launch_limits.empty() || all.time > as_one * (1 + visible) ||
                        (!all.held_by_launches() && all.time < as_one * (1 - visible));
    std::string text = fmt::format(
        "To {}{}: {}{}{}",
        all.held_by_launches()                 ? "the least time of the same launches"
        : limit && !summed                     ? base_words(point, *limit)
        : !point.verdict.launch_limits.empty() ? "the limits of its launches as they are"
        : all.limit
            ? "the limit of each launch as it is, mostly " + label_of(NearestLimit{*all.limit}, point.memory)
            : "the limit of each launch as it is, mostly the least time of one",
        all.launches < point.launches - point.failed
            ? fmt::format(", in {} of {} launches", format_count(all.launches), format_count(point.launches))
            : "",
        // Of the launches that it names: bound_of_recoverable() is of all.
        all.at_most == all.at_least ? "" : words_of(all.at_most ? ShareBound::at_most : ShareBound::at_least),
        mark(format(all.time)), summed ? " summed over its launches" : "");
    if (program.value() > 0)
        text += fmt::format("{}{} of the time of all kernels", summed ? ". That is " : ", ",
                            mark(format_percent(all.time / program)));
    if (!all.limit && !all.held_by_launches())
        text += fmt::format(". A launch takes {} at least", describe(point.launch_floor));
    return text + ".";
}

bool is_bound_by_unit(const Verdict& verdict) {
    return verdict.kernel_class == KernelClass::low_use && verdict.busy;
}

std::string_view words_of(ShareBound bound) {
    return EnumArray<ShareBound, std::string_view, 3>{"", "at least ", "at most "}[bound];
}

std::string_view sign_of(ShareBound bound) {
    return EnumArray<ShareBound, std::string_view, 3>{"", "≥ ", "≤ "}[bound];
}

ShareBound bound_of_distance(ShareBound of_share) {
    return EnumArray<ShareBound, ShareBound, 3>{ShareBound::exact, ShareBound::at_most,
                                                ShareBound::at_least}[of_share];
}

std::string_view bound_words(const KernelPoint& point, bool of_distance) {
    const ShareBound bound = bound_of_limit(point);
    return words_of(of_distance ? bound_of_distance(bound) : bound);
}

std::optional<double> share_of_launches(const KernelPoint& point) {
    if (!point.verdict.launch_binds || !point.recoverable) return std::nullopt;
    return 1 - point.recoverable->time / point.recoverable->of;
}

std::string above_launch_floor(const KernelPoint& point) {
    if (!point.recoverable || !point.recoverable->held_by_launches() ||
        point.verdict.kernel_class == KernelClass::near_roof)
        return {};
    const Recoverable& all = *point.recoverable;
    const auto mark = [&](Seconds time) { return marked_if(point.time_doubted, format(time)); };
    const std::string_view launches = all.launches == 1 ? "a launch takes" : "launches take";
    const std::string_view end = share_of_launches(point) ? ". No limit holds it: " : ", ";
    if (all.time <= Seconds()) return fmt::format("{} all of its {}{}", launches, mark(all.of), end);
    return fmt::format("{} at least {} of its {}{}", launches, mark(std::max(all.of - all.time, Seconds())),
                       mark(all.of), end);
}

std::string nearer_than_the_roof(const KernelPoint& point, std::string_view end) {
    const auto unit = unit_beyond_roof(point);
    if (!unit || unit->share <= 0) return {};
    return fmt::format(
        "{} below the limit of {} ({} busy){}", marked(point, unit->unit, format_factor(1 / unit->share)),
        label_of(unit->unit, point.memory), marked(point, unit->unit, format_percent(unit->share)), end);
}

std::string distance_of_unit(const BusyUnit& busy, MemoryName memory, bool approximate) {
    const std::string unit(label_of(busy.unit, memory));
    return fmt::format("{} ({} busy)",
                       vertical_distance_words(VerticalGap{1 / busy.share}, unit, approximate),
                       marked_if(approximate, format_percent(busy.share)));
}

std::string_view next_near_roof(const KernelPoint& point) {
    const bool is_near = point.verdict.kernel_class == KernelClass::near_roof && !point.verdict.nearest &&
                         point.verdict.launch_limits.empty();
    const std::optional<bool> frugal = moves_needed_bytes_only(point);
    if (!is_near || !frugal) return {};
    if (!limiting_level(point)) return "less work next";
    return *frugal ? "fusion or smaller types next" : "fewer bytes next";
}

std::string roof_beside(const KernelPoint& point) {
    if (!unit_beyond_roof(point)) return {};
    return fmt::format("{} of its {} roof", marked_gap(point, format_percent(point.gap->efficiency())),
                       label_of(*point.binding, point.memory));
}

std::string doubt_words(const KernelPoint& point) {
    constexpr double other_sizes = 2;
    if (has_size_mismatch(point)) return size_mismatch_words(point);
    if (point.target && point.target->work_ratio > other_sizes)
        return fmt::format("did {} the work of its operation: check its sizes",
                           marked_if(has_inexact_work(point), format_factor(*point.target->work_ratio)));
    const auto takes_longer = [&](const PipeLoad& load) {
        return load.pipe == Pipe() && load.bound > point.known_time();
    };
    if (point.precision_assumed && std::ranges::any_of(point.pipes, takes_longer) &&
        point.verdict.kernel_class == KernelClass::above_roof)
        return "FP32 is assumed, and it is above its roof: name the precision, such as tensor.fp16";
    return {};
}

std::vector<std::string> above_roof_causes(const KernelPoint& point, const Device& device) {
    if (!point.gap || !point.binding || point.gap->efficiency() <= 1) return {};
    std::vector<std::string> causes;
    add_units(point, causes);
    add_cache(point, device, causes);
    add_type(point, causes);
    add_origin(point, causes);
    add_clock(point, causes);
    if (*point.known_time() < short_kernel)
        causes.push_back(fmt::format("The kernel takes only {}: the time itself is uncertain.",
                                     format(*point.known_time())));
    return causes;
}

}  // namespace roofwalk

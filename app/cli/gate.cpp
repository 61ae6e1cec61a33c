// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/gate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "app/cli/console.h"
#include "app/cli/device_name.h"
#include "core/base/text.h"
#include "core/devices/match_device.h"
#include "core/model/kernel_name.h"
#include "core/roofline/summary.h"
#include "core/roofline/utilisation.h"
#include "core/roofline/verdict_words.h"

namespace roofwalk::cli {

namespace {

constexpr std::size_t gate_name_length = 80;
constexpr std::size_t kernels_said = 20;  ///< failures with a line of their own

/// "gate: and 3 kernels more `why`", for those beyond the lines of their own; nothing without any.
void say_more(std::size_t failures, std::string_view why, GroupBy rows) {
    if (failures > kernels_said)
        say(fmt::format("gate: and {} more {}", rows_counted(failures - kernels_said, rows), why));
}

/// The name of a kernel in a line for people, with its report where there are several.
std::string name_said(const Analysis& analysis, const KernelPoint& point) {
    return printable(shorten_kernel_name(point.name, gate_name_length) + in_report(analysis, point));
}

/// The kernel as the newest report has it.
std::string name_said(const Comparison& comparison, const KernelPath& path) {
    const AnalysedProfile& newest = comparison.last_run_of(path);
    return name_said(*newest.analysis, newest.point(path.points.back()));
}

/// Of every file that could be read in part only; empty when all are whole.
std::string partial_files(const Profile& profile) {
    std::string list;
    for (const SourceInfo& source : profile.sources)
        if (source.partial) list += (list.empty() ? "" : ", ") + printable(source.path);
    return list;
}

/// What a kernel is judged by.
struct Judgement {
    NearestLimit limit;
    bool by_roof = false;
};

/// Of what was measured, since what a formula says of a kernel is no measurement: it has no roof then.
KernelPoint as_counted(KernelPoint point) {
    if (!point.measured_level(MemoryLevel::hbm)) point.levels[MemoryLevel::hbm].reset();
    if (!point.measured_work()) {
        point.work.reset();
        point.performance.reset();
        point.pipes.clear();
    }
    point.gap.reset();
    point.verdict.launch_limits.clear();
    point.verdict.nearest = nearest_limit(point);
    return point;
}

/// The largest share that is known: of its roof, or of what is nearest to its limit. Absent where nothing is
/// known.
std::optional<Judgement> judged_by(const KernelPoint& point) {
    const std::optional<NearestLimit> nearest = tightest_limit(point);
    return nearest ? std::optional(Judgement{*nearest, is_judged_by_roof(point)}) : std::nullopt;
}

/// The roof of a point whose busy unit judges it instead.
std::optional<Judgement> roof_behind(const KernelPoint& point, const Judgement& judged) {
    if (judged.by_roof || !point.gap) return std::nullopt;
    return Judgement{{limit_of(*point.binding), point.gap->efficiency()}, true};
}

/// "its HBM roof", "its SM limit", "the limits of its launches (HBM and SM)".
std::string judged_limit_words(const KernelPoint& point, const Judgement& judged) {
    if (!judged.by_roof && !point.verdict.launch_limits.empty()) return "the " + limit_words(point);
    return "its " + label_of(judged.limit, point.memory) + (judged.by_roof ? " roof" : " limit");
}

/// "by throughput", "launch by launch".
std::string evidence_of(const KernelPoint& point, const Judgement& judged) {
    return point.verdict.launch_limits.empty() ? evidence_of(point, judged.limit) : "launch by launch";
}

/// What else it rests on, and what nobody measured that may hold it: " (by bytes alone; work not counted; L2,
/// compute not measured, which may explain it)".
std::string grounds(const KernelPoint& point, const Judgement& judged) {
    std::vector<MemoryLevel> levels = levels_not_judged(point);
    std::erase_if(levels, [&](MemoryLevel level) { return point.at(level).has_value(); });
    std::vector<std::string_view> unknown = labels_of(levels, point.memory);
    if (!compute_is_judged(point)) unknown.emplace_back("compute");
    std::vector<std::string> parts;
    if (const auto roof = roof_behind(point, judged)) {
        parts.push_back(fmt::format("{}; {} of {}", evidence_of(point, judged),
                                    marked(point, roof->limit.of, format_percent(roof->limit.share)),
                                    judged_limit_words(point, *roof)));
    } else if (!judged.by_roof) {
        const bool alone = !unknown.empty() && share_bound(point, judged.limit.of) == ShareBound::exact;
        parts.push_back(fmt::format("{}{}", evidence_of(point, judged), alone ? " alone" : ""));
        parts.push_back(why_no_roof(point));
    }
    if (point.of_operation()) parts.emplace_back("what its operation needs is no measurement, and left out");
    if (!unknown.empty())
        parts.push_back(fmt::format("{} not measured, which may explain it", fmt::join(unknown, ", ")));
    const std::string ceilings = levels_without_ceiling(point);
    // Else they are among the reasons for no roof.
    if (judged.by_roof || point.work || point.uncounted.any()) parts.push_back(ceilings);
    std::erase(parts, "");
    return parts.empty() ? "" : fmt::format(" ({})", fmt::join(parts, "; "));
}

/// Whether its share is known at least (at most) only, and the limit of the gate lies above (below) that, or
/// it is a bound of neither kind.
bool is_undecided(const KernelPoint& point, const Judgement& judged, double limit) {
    const ShareBound bound = share_bound(point, judged.limit.of);
    return is_of_no_bound(point, judged.limit.of) ||
           (bound != ShareBound::exact && (bound == ShareBound::at_least) == (judged.limit.share < limit));
}

/// Of a kernel that fails, or that is undecided.
std::string failure(const Analysis& analysis, const KernelPoint& point, const Judgement& judged,
                    double limit) {
    const auto [reached, asked] = format_percents_apart(judged.limit.share, limit);
    const std::string known = known_launches_words(point);
    return fmt::format("gate: {} reaches {}{} of {}, {} {}{}{}{}", name_said(analysis, point),
                       bound_words(point), marked(point, judged.limit.of, reached),
                       judged_limit_words(point, judged),
                       is_undecided(point, judged, limit) ? "which does not decide on" : "less than", asked,
                       grounds(point, judged), known.empty() ? "" : ", by ", known);
}

std::string contradiction(const Analysis& analysis, const KernelPoint& point) {
    return fmt::format("gate: {} cannot be judged: its counters contradict each other",
                       name_said(analysis, point));
}

std::string impossible(const Analysis& analysis, const KernelPoint& point, const Judgement& judged) {
    return fmt::format("gate: {} cannot be judged: it is at {} of {}, which cannot be",
                       name_said(analysis, point), format_percent(judged.limit.share),
                       judged_limit_words(point, judged));
}

std::string unknown(const Analysis& analysis, const KernelPoint& point) {
    return fmt::format("gate: {} is not judged: {}", name_said(analysis, point),
                       rule_text(point, analysis.options.thresholds));
}

struct GateCount {
    std::size_t judged = 0;
    std::size_t contradicted = 0;  ///< not judged: their figures may be of different launches
    std::size_t impossible = 0;    ///< not judged: beyond what clocks and counters explain
    std::size_t unknown = 0;       ///< not judged: no share of any limit is known
    std::size_t undecided = 0;     ///< not judged: a bound of the share is known, on the doubtful side
    std::size_t below = 0;
    std::map<std::string, std::size_t> without_roof{};  ///< reach their nearest limit, by evidence_of()
    /// reach the limit of this unit or of their launches, and not that of the roof
    std::map<std::string, std::size_t> beside_roof{};
    std::size_t doubted = 0;     ///< judged with a time that may be far too long
    std::size_t short_ones = 0;  ///< have less of the time than is asked for
};

/// ", 1 of them by bytes and 2 of them by throughput, as not every roof is known", ", 1 of them by throughput
/// of SM, nearer than the roof"; empty without any.
std::string passed_beside_roof(const GateCount& count) {
    std::vector<std::string> parts;
    for (const auto& [evidence, kernels] : count.without_roof)
        parts.push_back(fmt::format("{} of them {}", format_count(static_cast<double>(kernels)), evidence));
    std::string words =
        parts.empty() ? "" : fmt::format(", {}, as not every roof is known", joined_with_and(parts));
    parts.clear();
    for (const auto& [evidence, kernels] : count.beside_roof)
        parts.push_back(fmt::format("{} of them {}", format_count(static_cast<double>(kernels)), evidence));
    if (!parts.empty()) words += fmt::format(", {}, nearer than the roof", joined_with_and(parts));
    return words;
}

/// A kernel that passes is counted where another limit than that of its roof let it.
void count_passed(const KernelPoint& point, const Judgement& judged, double limit, GateCount& count) {
    if (judged.by_roof) return;
    const auto roof = roof_behind(point, judged);
    if (!roof)
        ++count.without_roof[evidence_of(point, judged)];
    else if (roof->limit.share < limit)
        ++count.beside_roof[point.verdict.launch_limits.empty()
                                ? "by throughput of " + label_of(judged.limit, point.memory)
                                : "launch by launch"];
}

GateCount judge_each(const Analysis& analysis, const GateLimits& limits) {
    const double limit = limits.percent / 100;
    GateCount count;
    for (const KernelPoint& each : analysis.points) {
        const KernelPoint& point = each.of_operation() ? as_counted(each) : each;
        if (point.contradicted) {
            // Its time may be of another launch too: no share of the time leaves it out.
            if (++count.contradicted <= kernels_said) say(contradiction(analysis, point));
            continue;
        }
        const std::optional<Judgement> judged = judged_by(point);
        if (judged && judged->limit.share > plausible_excess) {
            if (++count.impossible <= kernels_said) say(impossible(analysis, point, *judged));
            continue;
        }
        if (point.time && point.time_share * 100 < limits.least_share) {
            ++count.short_ones;
            continue;
        }
        if (!judged) {
            if (++count.unknown <= kernels_said) say(unknown(analysis, each));
            continue;
        }
        if (is_undecided(point, *judged, limit)) {
            if (++count.undecided <= kernels_said) say(failure(analysis, point, *judged, limit));
            continue;
        }
        ++count.judged;
        if (point.time_doubted) ++count.doubted;
        if (judged->limit.share >= limit) {
            count_passed(point, *judged, limit, count);
            continue;
        }
        if (++count.below <= kernels_said) say(failure(analysis, point, *judged, limit));
    }
    say_more(count.below, "below the limit", analysis.options.group_by);
    say_more(count.undecided, "undecided", analysis.options.group_by);
    say_more(count.unknown, "not judged", analysis.options.group_by);
    say_more(count.contradicted, "with counters that contradict each other", analysis.options.group_by);
    say_more(count.impossible, "further above the roof than can be", analysis.options.group_by);
    return count;
}

struct Count {
    std::size_t judged = 0;
    std::size_t slower = 0;
    std::size_t within_noise = 0;
    std::size_t devices_differ = 0;
    std::size_t untimed = 0;
    std::size_t contradicting = 0;  ///< their figures may be of different launches
    std::size_t times_unlike = 0;   ///< KernelChange::times_unlike
};

std::string failure(const Comparison& comparison, const KernelPath& path, double limit) {
    const KernelChange& change = path.whole;
    const auto [longer, most] = format_percents_apart(change.time->ratio - 1, limit);
    return fmt::format("gate: {} takes {} longer, more than {}{}", name_said(comparison, path), longer, most,
                       change.clock_explains ? "; the clock explains it"
                       : change.other_work   ? "; it does other work"
                                             : "");
}

std::string contradiction(const Comparison& comparison, const KernelPath& path) {
    const KernelChange& change = path.whole;
    const std::string_view where = !change.contradicts_after    ? "the older report"
                                   : !change.contradicts_before ? "the newer report"
                                                                : "both reports";
    return fmt::format("gate: {} cannot be compared: its {} in {}", name_said(comparison, path),
                       why_no_verdict(change), where);
}

Count judge_each(const Comparison& comparison, double limit) {
    Count count;
    for (const KernelPath& path : comparison.paths) {
        if (!comparison.spans(path)) continue;
        const KernelChange& change = path.whole;
        if (change.contradicts()) {
            std::size_t& refused = change.times_unlike ? count.times_unlike : count.contradicting;
            if (++refused <= kernels_said) say(contradiction(comparison, path));
            continue;
        }
        if (!change.time || change.devices_differ) {
            ++(change.time ? count.devices_differ : count.untimed);
            continue;
        }
        ++count.judged;
        if (change.time->ratio - 1 <= limit) continue;
        if (change.time->direction() == 0) {
            ++count.within_noise;
            continue;
        }
        if (++count.slower <= kernels_said) say(failure(comparison, path, limit));
    }
    say_more(count.slower, "that are slower", rows_of(comparison));
    say_more(count.contradicting, "with counters that contradict each other", rows_of(comparison));
    say_more(count.times_unlike, "with a time that may be far too long", rows_of(comparison));
    return count;
}

/// "; not judged: 1 on another device, 2 removed, 1 added".
std::string not_judged(const Comparison& comparison, const Count& count) {
    const ComparisonTotals totals = totals_of(comparison);
    std::string list;
    const auto add = [&](std::size_t kernels, std::string_view why) {
        if (kernels > 0) list += fmt::format("{}{} {}", list.empty() ? "" : ", ", kernels, why);
    };
    add(count.devices_differ, "on another device");
    add(count.untimed, "without a time");
    add(count.contradicting, "with counters that contradict each other");
    add(count.times_unlike, "with a time that may be far too long");
    add(totals.removed, "removed");
    add(totals.added, "added");
    add(totals.ambiguous, "not to be told apart");
    std::string text = list.empty() ? "" : "; not judged: " + list;
    if (count.within_noise > 0)
        text += fmt::format("; {} slower within the noise",
                            rows_counted(count.within_noise, rows_of(comparison)));
    return text;
}

std::string partial_files(const Comparison& comparison) {
    std::string list;
    for (const AnalysedProfile& run : comparison.runs)
        if (const std::string files = partial_files(*run.profile); !files.empty())
            list += (list.empty() ? "" : ", ") + files;
    return list;
}

}  // namespace

Result<void> check_no_guess(const Profile& profile, const Analysis& analysis, const std::string& typed) {
    const auto guess = [](const std::string& words, const std::string& hint) {
        return unexpected(ErrorCode::bad_argument, "A gate does not judge by a guess: " + words,
                          "--fail-below", hint);
    };
    if (const MeantDevices meant = table_devices_meant(typed); meant.devices.size() > 1)
        return guess(ambiguous_device_note(typed, meant),
                     "--device takes one of them: " + alternatives(meant.devices, 0) + ".");
    for (const ModelCeilings& model : analysis.models) {
        const BandwidthCeiling* memory = model.ceilings.find(Boundary::hbm_dram_rw);
        if (!memory || memory->provenance.source != CeilingSource::table) continue;
        if (const std::string words = ambiguous_device_note(profile.at(model.device)); !words.empty())
            return guess(words,
                         "Name the GPU in full in the file, or its memory with --ceilings or a session.");
    }
    return {};
}

bool passes_gate(const Profile& profile, const Analysis& analysis, const GateLimits& limits) {
    if (limits.percent > 0 && limits.percent < 1 && !limits.with_sign)
        say(fmt::format("gate: --fail-below {0:g} is {0:g} %; for {1:g} % write {1:g} or {1:g}%",
                        limits.percent, limits.percent * 100));
    const GateCount count = judge_each(analysis, limits);
    const std::string partial = partial_files(profile);
    const std::size_t doubtful = count.contradicted + count.impossible;
    std::string not_judged = count.unknown == 0
                                 ? ""
                                 : fmt::format("; {} not judged, because no share of a limit is known",
                                               rows_counted(count.unknown, analysis.options.group_by));
    if (count.undecided > 0)
        not_judged += fmt::format("; {} undecided, because only a bound of the share is known",
                                  rows_counted(count.undecided, analysis.options.group_by));
    if (count.short_ones > 0)
        not_judged += fmt::format("; {} with less than {} of the time left out",
                                  rows_counted(count.short_ones, analysis.options.group_by),
                                  format_percent(limits.least_share / 100));
    const GroupBy rows = analysis.options.group_by;
    if (count.doubted > 0)
        not_judged += fmt::format("; the time of {} is derived from cycles, and may be far too long",
                                  rows_counted(count.doubted, rows));
    if (count.contradicted > 0)
        say(fmt::format("gate: failed, because the counters of {} contradict each other",
                        rows_counted(count.contradicted, rows)));
    if (count.impossible > 0)
        say(fmt::format(
            "gate: failed, because of {} further above the roof than clocks and counters explain: "
            "look at the device, the units and the figures",
            rows_counted(count.impossible, rows)));
    if (count.judged == 0)
        say("gate: failed, because no kernel could be judged" + not_judged);
    else if (count.below > 0)
        say(fmt::format("gate: failed, because {} {} below the limit{}",
                        rows_among(count.below, count.judged, rows), count.below == 1 ? "is" : "are",
                        not_judged));
    else if (partial.empty() && doubtful == 0)
        say(fmt::format("gate: passed by {}{}{}", rows_counted(count.judged, rows), passed_beside_roof(count),
                        not_judged));
    if (!partial.empty())
        say("gate: failed, because kernels may be missing: not all could be read of " + partial);
    return count.judged > 0 && count.below == 0 && doubtful == 0 && partial.empty();
}

bool passes_slower_gate(const Comparison& comparison, double percent) {
    const Count count = judge_each(comparison, percent / 100);
    const std::string rest = not_judged(comparison, count);
    const std::string partial = partial_files(comparison);
    if (count.contradicting > 0)
        say(fmt::format("gate: failed, because the counters of {} contradict each other",
                        rows_counted(count.contradicting, rows_of(comparison))));
    if (count.times_unlike > 0)
        say(fmt::format(
            "gate: failed, because the time of {} is derived from cycles, and may be far too long",
            rows_counted(count.times_unlike, rows_of(comparison))));
    const bool refused = count.contradicting + count.times_unlike > 0;
    if (count.judged == 0)
        say("gate: failed, because no kernel could be compared" + rest);
    else if (count.slower > 0)
        say(fmt::format("gate: failed, because {} {} slower than the limit{}",
                        rows_among(count.slower, count.judged, rows_of(comparison)),
                        count.slower == 1 ? "is" : "are", rest));
    else if (partial.empty() && !refused)
        say(fmt::format("gate: passed by {}{}", rows_counted(count.judged, rows_of(comparison)), rest));
    if (!partial.empty())
        say("gate: failed, because kernels may be missing: not all could be read of " + partial);
    return count.judged > 0 && count.slower == 0 && !refused && partial.empty();
}

}  // namespace roofwalk::cli

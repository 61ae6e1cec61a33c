// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/compare_gate.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/console.h"
#include "app/cli/gate.h"
#include "core/base/text.h"
#include "core/roofline/summary.h"

namespace roofwalk::cli {

namespace {

struct Count {
    std::size_t judged = 0;
    std::size_t slower = 0;
    std::size_t within_noise = 0;
    std::size_t other_device = 0;
    std::size_t untimed = 0;
    std::size_t contradicting = 0;  ///< their figures may be of different launches
};

std::string failure(const Comparison& comparison, const KernelPath& path, double limit) {
    const KernelChange& change = path.whole;
    const auto [longer, most] = format_percents_apart(change.time->ratio - 1, limit);
    return fmt::format("gate: {} takes {} longer, more than {}{}",
                       name_said(comparison.last_run_of(path).point(path.points.back()).name), longer, most,
                       change.clock_explains ? "; the clock explains it"
                       : change.other_work   ? "; it does other work"
                                             : "");
}

std::string contradiction(const Comparison& comparison, const KernelPath& path) {
    const KernelChange& change = path.whole;
    const std::string_view where = !change.contradicts_after    ? "the older report"
                                   : !change.contradicts_before ? "the newer report"
                                                                : "both reports";
    return fmt::format("gate: {} cannot be compared: its counters contradict each other in {}",
                       name_said(comparison.last_run_of(path).point(path.points.back()).name), where);
}

Count judge_each(const Comparison& comparison, double limit) {
    Count count;
    for (const KernelPath& path : comparison.paths) {
        if (!comparison.spans(path)) continue;
        const KernelChange& change = path.whole;
        if (change.contradicts()) {
            if (++count.contradicting <= kernels_said) say(contradiction(comparison, path));
            continue;
        }
        if (!change.time || change.other_device) {
            ++(change.time ? count.other_device : count.untimed);
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
    return count;
}

/// "; not judged: 2 removed, 1 on another device".
std::string not_judged(const Comparison& comparison, const Count& count) {
    const ComparisonTotals totals = totals_of(comparison);
    std::string list;
    const auto add = [&](std::size_t kernels, std::string_view why) {
        if (kernels > 0) list += fmt::format("{}{} {}", list.empty() ? "" : ", ", kernels, why);
    };
    add(count.other_device, "on another device");
    add(count.untimed, "without a time");
    add(totals.contradicting, "with counters that contradict each other");
    add(totals.removed, "removed");
    add(totals.ambiguous, "not to be told apart");
    std::string text = list.empty() ? "" : "; not judged: " + list;
    if (count.within_noise > 0)
        text += fmt::format("; {} slower within the noise",
                            rows_counted(count.within_noise, rows_of(comparison)));
    return text;
}

std::string partial_files(const Comparison& comparison) {
    std::string list;
    for (const RunView& run : comparison.runs)
        if (const std::string files = cli::partial_files(*run.profile); !files.empty())
            list += (list.empty() ? "" : ", ") + files;
    return list;
}

}  // namespace

bool passes_slower_gate(const Comparison& comparison, double percent) {
    const Count count = judge_each(comparison, percent / 100);
    const std::string rest = not_judged(comparison, count);
    const std::string partial = partial_files(comparison);
    if (count.contradicting > 0)
        say(fmt::format("gate: failed, because the counters of {} contradict each other",
                        rows_counted(count.contradicting, rows_of(comparison))));
    if (count.judged == 0)
        say("gate: failed, because no kernel could be compared" + rest);
    else if (count.slower > 0)
        say(fmt::format("gate: failed, because {} {} slower than the limit{}",
                        rows_among(count.slower, count.judged, rows_of(comparison)),
                        count.slower == 1 ? "is" : "are", rest));
    else if (partial.empty() && count.contradicting == 0)
        say(fmt::format("gate: passed by {}{}", rows_counted(count.judged, rows_of(comparison)), rest));
    if (!partial.empty())
        say("gate: failed, because kernels may be missing: not all could be read of " + partial);
    return count.judged > 0 && count.slower == 0 && count.contradicting == 0 && partial.empty();
}

}  // namespace roofwalk::cli

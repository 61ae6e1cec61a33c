// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/sentences.h"
#include "core/base/text.h"
#include "core/roofline/summary.h"

namespace roofwalk {

namespace {

/// By point of the older run, the match that leads on.
using NextMatches = std::vector<std::optional<KernelMatch>>;

NextMatches next_matches(const AnalysedProfile& before, const KernelMatches& matches) {
    NextMatches next(before.analysis->points.size());
    for (const KernelMatch& match : matches.pairs)
        next[match.before] = match;
    return next;
}

/// The weakest link of a chain is what it rests on.
KernelMatch joined(const KernelMatch& first, const KernelMatch& second) {
    return {first.before, second.after, std::max(first.basis, second.basis),
            first.by_order || second.by_order};
}

class PathFinder {
  public:
    explicit PathFinder(Comparison& comparison) : comparison_(comparison) {
        for (std::size_t i = 0; i + 1 < comparison.runs.size(); ++i)
            next_.push_back(next_matches(comparison.runs[i], comparison.matches[i]));
    }

    void find() {
        std::vector<bool> reached;
        for (std::uint32_t run = 0; run < next_.size(); ++run) {
            std::vector<bool> reached_next(comparison_.runs[run + 1].analysis->points.size());
            for (std::uint32_t point = 0; point < next_[run].size(); ++point) {
                if (!next_[run][point]) continue;
                reached_next[next_[run][point]->after] = true;
                if (run == 0 || !reached[point]) follow(run, *next_[run][point]);
            }
            reached = std::move(reached_next);
        }
    }

  private:
    void follow(std::uint32_t run, KernelMatch step) {
        std::vector<KernelMatch> steps{step};
        for (std::size_t at = run + 1; at < next_.size() && next_[at][step.after]; ++at) {
            step = *next_[at][step.after];
            steps.push_back(step);
        }
        KernelPath path;
        path.first_run = run;
        path.points.push_back(steps.front().before);
        KernelMatch whole = steps.front();
        for (const KernelMatch& next : steps) {
            path.points.push_back(next.after);
            whole = joined(whole, next);
        }
        path.whole = change(run, run + steps.size(), whole);
        for (std::size_t i = 0; steps.size() > 1 && i < steps.size(); ++i)
            path.steps.push_back(change(run + i, run + i + 1, steps[i]));
        comparison_.paths.push_back(std::move(path));
    }

    [[nodiscard]] KernelChange change(std::size_t from, std::size_t to, const KernelMatch& match) const {
        KernelChange change =
            kernel_change(comparison_.runs[from], comparison_.runs[to], match, comparison_.options);
        withdraw_verdict(change, comparison_.runs[from].analysis->points[match.before].contradicted,
                         comparison_.runs[to].analysis->points[match.after].contradicted);
        return change;
    }

    Comparison& comparison_;
    std::vector<NextMatches> next_;
};

/// By run and point, whether the next run has several like it.
std::vector<std::vector<bool>> ambiguous_points(const Comparison& comparison) {
    std::vector<std::vector<bool>> list;
    for (std::size_t run = 0; run < comparison.matches.size(); ++run) {
        list.emplace_back(comparison.runs[run].analysis->points.size());
        for (const AmbiguousKernels& alike : comparison.matches[run].ambiguous)
            for (const std::uint32_t point : alike.before)
                list.back()[point] = true;
    }
    return list;
}

Seconds time_of(const KernelPoint& point) {
    return point.time.value_or(Seconds());
}

double last_time(const Comparison& comparison, const KernelPath& path) {
    return comparison.last_run_of(path).point(path.points.back()).time.value_or(Seconds(-1)).value();
}

/// The device with most time among those with a dot; empty where it has no name.
std::string device_of(const AnalysedProfile& run) {
    const std::vector<ModelCeilings>& models = run.analysis->models;
    return models.empty() ? std::string() : run.profile->at(models.front().device).name;
}

/// "1.37x faster", or what keeps two times from being compared.
std::string pace_words(const ComparisonTotals& totals, GroupBy rows, double faster) {
    if (totals.compared == 0) return "the reports have no kernel in common";
    if (totals.contradicting > 0)
        return fmt::format("no pace: counters of {} contradict each other",
                           rows_counted(totals.contradicting, rows));
    if (totals.times_unlike > 0)
        return fmt::format("no pace: the time of {} is derived from cycles, and may be far too long",
                           rows_counted(totals.times_unlike, rows));
    if (totals.timed == 0) return fmt::format("no pace: no {} has a time in both reports", noun_of(rows, 1));
    constexpr double rounding = 1e-9;
    if (std::abs(faster - 1) < rounding) return "no change";
    return marked_if(totals.doubted_before || totals.doubted_after,
                     ratio_text(faster < 1 ? 1 / faster : faster) + (faster < 1 ? " slower" : " faster"));
}

/// "; all kernels 34.1 ms → 20.2 ms (1.69x faster)"; where those compared are less than half of that the rest
/// may be another program, and the pace is theirs.
std::string whole_words(const Comparison& comparison, const ComparisonTotals& totals) {
    const std::string before = device_of(comparison.runs.front());
    const std::string after = device_of(comparison.runs.back());
    const bool other = before != after && !before.empty() && !after.empty();
    const GroupBy rows = rows_of(comparison);
    const auto times = [&](Seconds first, Seconds second) {
        return fmt::format("{}{} → {}{}", marked_if(totals.doubted_before, format(first)),
                           other ? " on " + before : "", marked_if(totals.doubted_after, format(second)),
                           other ? " on " + after : "");
    };
    constexpr double most = 0.5;
    const double old_share = totals.compared_before / totals.time_before;
    const double new_share = totals.compared_after / totals.time_after;
    const bool few = totals.timed > 0 && std::min(old_share, new_share) < most;
    const std::string pace = pace_words(
        totals, rows,
        few ? totals.compared_before / totals.compared_after : totals.time_before / totals.time_after);
    std::string words =
        fmt::format("; all {} {}", noun_of(rows, 2), times(totals.time_before, totals.time_after));
    if (few)
        words += fmt::format("; those compared {} ({}), {} of the time before and {} after",
                             times(totals.compared_before, totals.compared_after), pace,
                             format_percent(old_share), format_percent(new_share));
    else
        words += fmt::format(" ({})", pace);
    if (totals.launches_before != totals.launches_after)
        words += fmt::format("; those compared were launched {} times before and {} after",
                             format_count(static_cast<double>(totals.launches_before)),
                             format_count(static_cast<double>(totals.launches_after)));
    return words;
}

LineSide side_of(const Comparison& comparison, std::size_t run, std::uint32_t point) {
    return {&comparison.runs[run], static_cast<std::uint32_t>(run + 1), point};
}

/// Added kernels, then removed ones, longest first; then those that cannot be told apart.
void add_one_sided(const Comparison& comparison, std::vector<ComparisonLine>& lines) {
    std::vector<ComparisonLine> added;
    std::vector<ComparisonLine> removed;
    std::vector<ComparisonLine> ambiguous;
    for (std::size_t step = 0; step < comparison.matches.size(); ++step) {
        const auto before = [&](std::uint32_t point, std::string_view verdict) {
            return ComparisonLine{
                .before = side_of(comparison, step, point), .after = {}, .verdict = verdict};
        };
        const auto after = [&](std::uint32_t point, std::string_view verdict) {
            return ComparisonLine{
                .before = {}, .after = side_of(comparison, step + 1, point), .verdict = verdict};
        };
        const KernelMatches& matches = comparison.matches[step];
        for (const std::uint32_t point : matches.added)
            added.push_back(after(point, "added"));
        for (const std::uint32_t point : matches.removed)
            removed.push_back(before(point, "removed"));
        for (const AmbiguousKernels& alike : matches.ambiguous) {
            for (const std::uint32_t point : alike.before)
                ambiguous.push_back(before(point, "ambiguous"));
            for (const std::uint32_t point : alike.after)
                ambiguous.push_back(after(point, "ambiguous"));
        }
    }
    for (std::vector<ComparisonLine>* kind : {&added, &removed})
        std::ranges::stable_sort(*kind, std::ranges::greater(), [](const ComparisonLine& line) {
            return time_of((line.after ? line.after : line.before)->kernel()).value();
        });
    for (const std::vector<ComparisonLine>* kind : {&added, &removed, &ambiguous})
        lines.insert(lines.end(), kind->begin(), kind->end());
}

/// First by whether its time changed beyond the noise, then by how much it changed [s]; last where that is
/// not known.
std::pair<bool, double> change_of_time(const Comparison& comparison, const KernelPath& path) {
    const std::optional<Change>& time = path.whole.time;
    if (!time || path.whole.verdict == ChangeVerdict::not_compared) return {false, -1};
    return {time->direction() != 0, last_time(comparison, path) * std::abs(1 - 1 / time->ratio)};
}

}  // namespace

Comparison compare_runs(std::span<const AnalysedProfile> runs, const CompareOptions& options) {
    Comparison comparison;
    comparison.options = options;
    comparison.runs.assign(runs.begin(), runs.end());
    for (std::size_t i = 0; i + 1 < runs.size(); ++i)
        comparison.matches.push_back(match_kernels(runs[i], runs[i + 1]));
    PathFinder(comparison).find();
    // Each time is looked up once, and each path moved once: there may be 10^5 of them.
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < comparison.paths.size(); ++i)
        order.emplace_back(-last_time(comparison, comparison.paths[i]), i);
    std::ranges::sort(order);
    std::vector<KernelPath> longest_first;
    for (const auto& [time, i] : order)
        longest_first.push_back(std::move(comparison.paths[i]));
    comparison.paths = std::move(longest_first);
    return comparison;
}

GroupBy rows_of(const Comparison& comparison) {
    return comparison.runs.front().analysis->options.group_by;
}

const KernelPath* path_to(const Comparison& comparison, std::uint32_t point) {
    const auto path = std::ranges::find_if(comparison.paths, [&](const KernelPath& candidate) {
        return candidate.first_run + candidate.points.size() == comparison.runs.size() &&
               candidate.points.back() == point;
    });
    return path == comparison.paths.end() ? nullptr : &*path;
}

ComparisonTotals totals_of(const Comparison& comparison) {
    ComparisonTotals totals;
    const auto count = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
    const std::vector<std::vector<bool>> ambiguous = ambiguous_points(comparison);
    for (const AmbiguousKernels& alike : comparison.matches.front().ambiguous)
        totals.ambiguous += count(alike.before);
    totals.removed = count(comparison.matches.front().removed);
    totals.added = count(comparison.matches.back().added);
    for (const KernelPath& path : comparison.paths) {
        const std::size_t last = path.first_run + path.points.size() - 1;
        if (comparison.spans(path)) {
            ++totals.compared;
            if (path.whole.time) ++totals.timed;
            if (path.whole.contradicts())
                ++(path.whole.times_unlike ? totals.times_unlike : totals.contradicting);
            const KernelPoint& before = comparison.first_run_of(path).point(path.points.front());
            const KernelPoint& after = comparison.last_run_of(path).point(path.points.back());
            totals.compared_before += time_of(before);
            totals.compared_after += time_of(after);
            totals.launches_before += before.launches;
            totals.launches_after += after.launches;
            ++totals.verdicts[path.whole.verdict];
        } else if (path.first_run == 0) {
            ++(ambiguous[last][path.points.back()] ? totals.ambiguous : totals.removed);
        } else if (last + 1 == comparison.runs.size()) {
            ++totals.added;
        }
    }
    totals.time_before = comparison.runs.front().analysis->total_time;
    totals.time_after = comparison.runs.back().analysis->total_time;
    totals.doubted_before = comparison.runs.front().analysis->has_doubted_times();
    totals.doubted_after = comparison.runs.back().analysis->has_doubted_times();
    return totals;
}

std::string comparison_sentence(const Comparison& comparison) {
    const ComparisonTotals totals = totals_of(comparison);
    constexpr ChangeVerdict without = ChangeVerdict::not_compared;
    const std::uint32_t judged = totals.compared - totals.verdicts[without];
    std::string text = fmt::format("{} compared", rows_counted(judged, rows_of(comparison)));
    std::string_view separator = ": ";
    for (const ChangeVerdict verdict : enumerators<ChangeVerdict>) {
        if (totals.verdicts[verdict] == 0 || verdict == without) continue;
        text += fmt::format("{}{} {}", separator, format_count(totals.verdicts[verdict]), label_of(verdict));
        separator = ", ";
    }
    separator = "; ";
    for (const auto& [count, what] :
         {std::pair(totals.verdicts[without], "not compared"), std::pair(totals.added, "added"),
          std::pair(totals.removed, "removed"), std::pair(totals.ambiguous, "not to be told apart")}) {
        if (count == 0) continue;
        text += fmt::format("{}{} {}", separator, format_count(count), what);
        separator = ", ";
    }
    if (totals.time_before.value() <= 0 || totals.time_after.value() <= 0) return text + ".";
    return short_sentences(text + whole_words(comparison, totals) + ".").text();
}

std::vector<ComparisonLine> comparison_lines(const Comparison& comparison) {
    std::vector<ComparisonLine> lines;
    const auto add = [&](const KernelChange& change, std::size_t from, std::size_t to, bool step) {
        lines.push_back({side_of(comparison, from, change.match.before),
                         side_of(comparison, to, change.match.after), &change, label_of(change.verdict),
                         step});
    };
    std::vector<const KernelPath*> paths;
    for (const KernelPath& path : comparison.paths)
        paths.push_back(&path);
    std::ranges::stable_sort(paths, std::ranges::greater(),
                             [&](const KernelPath* path) { return change_of_time(comparison, *path); });
    for (const KernelPath* path : paths) {
        add(path->whole, path->first_run, path->first_run + path->points.size() - 1, false);
        for (std::size_t step = 0; step < path->steps.size(); ++step)
            add(path->steps[step], path->first_run + step, path->first_run + step + 1, true);
    }
    add_one_sided(comparison, lines);
    return lines;
}

}  // namespace roofwalk

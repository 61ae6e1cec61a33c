// SPDX-License-Identifier: GPL-3.0-or-later
#include <span>

#include "core/report/comparison_table.h"
#include "core/report/json_text.h"

namespace roofwalk {

namespace {

void write_change(JsonText& json, std::string_view key, const std::optional<Change>& change) {
    json.key(key);
    if (!change) return json.null();
    json.begin_object();
    json.member("ratio", change->ratio);
    json.member("noise", change->noise);
    json.end_object();
}

/// Where a kernel stands in one run.
void write_point(JsonText& json, const RunView& run, const KernelPoint& point) {
    json.begin_object();
    json.member("name", point.name);
    json.member("device", run.device_of(point).name);
    json.member("launches", point.launches);
    json.member("failed", point.failed);
    json.member("time_s", point.time);
    json.member("work", point.work);
    write_uncounted_work(json, point.uncounted);
    json.member("performance", point.performance);
    json.key("levels");
    json.begin_object();
    for (const MemoryLevel level : all_levels) {
        const auto& at_level = point.at(level);
        json.key(id_of(level));
        if (!at_level) {
            json.null();
            continue;
        }
        json.begin_object();
        json.member("boundary", id_of(at_level->boundary));
        json.member("bytes", at_level->bytes.value());
        json.member("intensity", at_level->intensity);
        json.end_object();
    }
    json.end_object();
    json.key("vertical_gap");
    point.gap ? json.value(point.gap->factor) : json.null();
    json.key("binding");
    point.binding ? json.value(label_of(*point.binding)) : json.null();
    json.member("class", id_of(point.verdict.kernel_class));
    json.end_object();
}

void write_kernel_change(JsonText& json, const RunView& before, const RunView& after,
                         const KernelChange& change) {
    json.begin_object();
    json.member("matched_by", id_of(change.match.basis));
    json.member("by_order", change.match.by_order);
    json.member("verdict", id_of(change.verdict));
    json.member("text", change_text(change));
    json.member("other_device", change.other_device);
    json.member("contradicts_before", change.contradicts_before);
    json.member("contradicts_after", change.contradicts_after);
    json.member("per_launch", change.per_launch);
    json.member("other_work", change.other_work);
    json.member("clock_explains", change.clock_explains);
    json.key("judged_at");
    change.judged_at ? json.value(id_of(*change.judged_at)) : json.null();
    write_change(json, "time", change.time);
    write_change(json, "work", change.work);
    write_change(json, "performance", change.performance);
    write_change(json, "vertical_gap", change.gap);
    json.key("levels");
    json.begin_object();
    for (const MemoryLevel level : all_levels) {
        json.key(id_of(level));
        json.begin_object();
        write_change(json, "bytes", change.at(level).bytes);
        write_change(json, "intensity", change.at(level).intensity);
        json.end_object();
    }
    json.end_object();
    json.key("notes");
    json.begin_array();
    for (const std::string& note : change_notes(before, after, change))
        json.value(note);
    json.end_array();
    json.end_object();
}

void write_path(JsonText& json, const Comparison& comparison, const KernelPath& path) {
    json.next_line();
    json.begin_object();
    json.member("first_run", path.first_run);
    json.key("points");
    json.begin_array();
    for (std::size_t i = 0; i < path.points.size(); ++i) {
        const RunView& run = comparison.runs[path.first_run + i];
        write_point(json, run, run.point(path.points[i]));
    }
    json.end_array();
    json.key("change");
    write_kernel_change(json, comparison.first_run_of(path), comparison.last_run_of(path), path.whole);
    json.key("steps");
    json.begin_array();
    for (std::size_t i = 0; i < path.steps.size(); ++i)
        write_kernel_change(json, comparison.runs[path.first_run + i],
                            comparison.runs[path.first_run + i + 1], path.steps[i]);
    json.end_array();
    json.end_object();
}

void write_points(JsonText& json, std::string_view key, const RunView& run,
                  std::span<const std::uint32_t> points) {
    json.key(key);
    json.begin_array();
    for (const std::uint32_t point : points) {
        json.next_line();
        write_point(json, run, run.point(point));
    }
    json.end_array();
}

void write_unmatched(JsonText& json, const Comparison& comparison) {
    json.key("unmatched");
    json.begin_array();
    for (std::size_t step = 0; step < comparison.matches.size(); ++step) {
        const KernelMatches& matches = comparison.matches[step];
        const RunView& before = comparison.runs[step];
        const RunView& after = comparison.runs[step + 1];
        json.next_line();
        json.begin_object();
        write_points(json, "removed", before, matches.removed);
        write_points(json, "added", after, matches.added);
        json.key("ambiguous");
        json.begin_array();
        for (const AmbiguousKernels& alike : matches.ambiguous) {
            json.next_line();
            json.begin_object();
            write_points(json, "before", before, alike.before);
            write_points(json, "after", after, alike.after);
            json.end_object();
        }
        json.end_array();
        json.end_object();
    }
    json.end_array();
}

void write_runs(JsonText& json, const Comparison& comparison) {
    json.key("runs");
    json.begin_array();
    for (const RunView& run : comparison.runs) {
        json.next_line();
        json.begin_object();
        write_sources(json, *run.profile);
        json.member("points", static_cast<std::int64_t>(run.analysis->points.size()));
        json.member("launches", static_cast<std::int64_t>(run.profile->launches.size()));
        json.member("time_s", run.analysis->total_time.value());
        json.end_object();
    }
    json.end_array();
}

void write_summary(JsonText& json, const Comparison& comparison) {
    const ComparisonTotals totals = totals_of(comparison);
    json.key("summary");
    json.begin_object();
    json.member("sentence", comparison_sentence(comparison));
    json.member("compared", totals.compared);
    json.member("removed", totals.removed);
    json.member("ambiguous", totals.ambiguous);
    json.member("added", totals.added);
    json.key("verdicts");
    json.begin_object();
    for (std::size_t i = 0; i < change_verdict_count; ++i)
        json.member(id_of(static_cast<ChangeVerdict>(i)), totals.verdicts[i]);
    json.end_object();
    json.end_object();
}

}  // namespace

std::string to_comparison_json(const Comparison& comparison) {
    const AnalysisOptions& options = comparison.runs.front().analysis->options;
    JsonText json;
    json.begin_object();
    json.next_line();
    json.member("format", "roofwalk-comparison");
    json.member("version", 1U);
    json.next_line();
    json.member("work_unit", work_unit(options.operations));
    json.member("group_by", id_of(options.group_by));
    json.member("noise", comparison.options.noise);
    json.next_line();
    write_runs(json, comparison);
    json.next_line();
    write_summary(json, comparison);
    json.next_line();
    json.key("paths");
    json.begin_array();
    for (const KernelPath& path : comparison.paths)
        write_path(json, comparison, path);
    json.end_array();
    json.next_line();
    write_unmatched(json, comparison);
    json.next_line();
    json.end_object();
    json.end_line();
    return json.take();
}

}  // namespace roofwalk

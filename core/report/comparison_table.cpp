// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/comparison_table.h"

#include <algorithm>
#include <span>

#include "core/compare/comparison_lines.h"
#include "core/model/partial_words.h"
#include "core/report/json_text.h"
#include "core/report/report_cells.h"

namespace roofwalk {

namespace {

using LineColumn = ColumnRule<ComparisonLine>;

class Columns {
  public:
    template <class Cell>
    void add(ReportColumn column, Cell cell) {
        rules_.push_back({std::move(column), std::move(cell)});
    }

    /// A column for each report, "time_before" and "time_after".
    template <class PointCell>
    void add_both(const std::string& id, const std::string& title, const std::string& unit, bool numeric,
                  ColumnPlace place, PointCell cell) {
        const auto side_cell = [cell](const std::optional<LineSide>& side) {
            return side ? cell(side->kernel()) : does_not_apply();
        };
        add({id + "_before", title + " before", unit, numeric, place, id},
            [side_cell](const ComparisonLine& line) { return side_cell(line.before); });
        add({id + "_after", title + " after", unit, numeric, place, id},
            [side_cell](const ComparisonLine& line) { return side_cell(line.after); });
    }

    [[nodiscard]] ReportTable fill(const std::vector<ComparisonLine>& lines) const {
        return filled(rules_, lines);
    }

  private:
    std::vector<LineColumn> rules_;
};

ReportCell speed_up_cell(const ComparisonLine& line) {
    if (!line.change || line.change->contradicts()) return does_not_apply();
    if (!line.change->time) return not_measured();
    const double faster = 1 / line.change->time->ratio;
    return number(faster, ratio_text(faster));
}

ReportCell noise_cell(const ComparisonLine& line) {
    if (!line.change) return does_not_apply();
    if (!line.change->time) return not_measured();
    return number(line.change->time->noise, format_percent(line.change->time->noise));
}

ReportCell notes_cell(const ComparisonLine& line) {
    std::string text;
    if (line.change)
        for (const std::string& note : change_notes(*line.before->run, *line.after->run, *line.change))
            text += (text.empty() ? "" : " ") + note;
    return word(std::move(text));
}

ReportCell matched_by_cell(const ComparisonLine& line) {
    if (!line.change) return does_not_apply();
    const KernelMatch& match = line.change->match;
    return word(std::string(label_of(match.basis)) + (match.by_order ? ", by order" : ""));
}

ReportCell run_cell(const std::optional<LineSide>& side) {
    return side ? number(side->number, std::to_string(side->number)) : does_not_apply();
}

ReportCell device_cell(const std::optional<LineSide>& side) {
    if (!side) return does_not_apply();
    const std::string name = side->run->device_of(side->kernel()).name;
    return name.empty() ? not_measured() : word(name);
}

/// L1 has its columns where it binds in one run only, too.
bool is_shown(const Comparison& comparison, MemoryLevel level) {
    return std::ranges::any_of(comparison.runs, [&](const RunView& run) {
        return run.analysis->options.levels[static_cast<std::size_t>(level)];
    });
}

void add_levels(const Comparison& comparison, const std::string& unit, Columns& columns) {
    const auto place_of = [&](MemoryLevel level, ColumnPlace place) {
        return is_shown(comparison, level) ? place : ColumnPlace::file;
    };
    for (const MemoryLevel level : all_levels)
        columns.add_both(std::string(id_of(level)) + "_intensity", "AI " + std::string(label_of(level)),
                         unit + "/byte", true,
                         place_of(level, level == MemoryLevel::hbm ? ColumnPlace::main : ColumnPlace::detail),
                         [=](const KernelPoint& point) { return intensity_cell(point, level, unit); });
    for (const MemoryLevel level : all_levels)
        columns.add_both(std::string(id_of(level)) + "_bytes", "Bytes " + std::string(label_of(level)),
                         "byte", true, place_of(level, ColumnPlace::detail), [=](const KernelPoint& point) {
                             const auto& at_level = point.at(level);
                             return at_level ? amount(std::optional(at_level->bytes), "B") : not_measured();
                         });
}

Columns columns_of(const Comparison& comparison) {
    const AnalysisOptions& options = comparison.runs.front().analysis->options;
    const std::string unit(work_unit(options.operations));
    Columns columns;
    columns.add({"kernel", "Kernel", "", false}, [](const ComparisonLine& line) {
        return word((line.after ? line.after : line.before)->kernel().name);
    });
    const ColumnPlace of_runs = comparison.runs.size() > 2 ? ColumnPlace::main : ColumnPlace::file;
    columns.add({"from_run", "From", "", true, of_runs},
                [](const ComparisonLine& line) { return run_cell(line.before); });
    columns.add({"to_run", "To", "", true, of_runs},
                [](const ComparisonLine& line) { return run_cell(line.after); });
    columns.add({"verdict", "Verdict", "", false},
                [](const ComparisonLine& line) { return word(std::string(line.verdict)); });
    columns.add({"speed_up", "Speed-up", ""}, speed_up_cell);
    columns.add_both("time", "Time", "s", true, ColumnPlace::main,
                     [](const KernelPoint& point) { return amount(point.time, "s"); });
    columns.add_both("roof_share", "Of roof", "", true, ColumnPlace::main, roof_share_cell);
    columns.add_both(
        "performance", "Performance", unit + "/s", true, ColumnPlace::detail,
        [=](const KernelPoint& point) { return at_least(point, amount(point.performance, unit + "/s")); });
    add_levels(comparison, unit, columns);
    columns.add_both("class", "Class", "", false, ColumnPlace::detail,
                     [](const KernelPoint& point) { return word(class_text(point)); });
    columns.add_both("binding_ceiling", "Bound by", "", false, ColumnPlace::main, binding_cell);
    columns.add_both("work", "Work", unit, true, ColumnPlace::detail,
                     [=](const KernelPoint& point) { return at_least(point, amount(point.work, unit)); });
    columns.add_both("launches", "Launches", "", true, ColumnPlace::detail, [](const KernelPoint& point) {
        return number(point.launches, format_count(point.launches));
    });
    columns.add({"time_noise", "Noise", "", true, ColumnPlace::detail}, noise_cell);
    columns.add({"device_before", "Device before", "", false, ColumnPlace::context},
                [](const ComparisonLine& line) { return device_cell(line.before); });
    columns.add({"device_after", "Device after", "", false, ColumnPlace::context},
                [](const ComparisonLine& line) { return device_cell(line.after); });
    columns.add({"matched_by", "Matched by", "", false, ColumnPlace::detail}, matched_by_cell);
    columns.add({"notes", "Notes", "", false}, notes_cell);
    return columns;
}

}  // namespace

ReportTable comparison_table(const Comparison& comparison) {
    ReportTable table = columns_of(comparison).fill(comparison_lines(comparison));
    for (const RunView& run : comparison.runs)
        if (const std::string partial = partial_sentence(*run.profile); !partial.empty())
            table.note += (table.note.empty() ? "" : " ") + partial;
    return table;
}

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

namespace {

ReportCell intensity(const std::optional<Intensity>& value, const std::string& unit) {
    return value ? number(value->value(), format(*value, unit)) : not_measured();
}

ReportCell level(const std::optional<MemoryLevel>& value) {
    return value ? word(std::string(label_of(*value))) : does_not_apply();
}

ReportCell least_time(const Bound& bound) {
    if (bound.speed_of_light) return amount(bound.speed_of_light, "s");
    return bound.at_least ? word("not known") : no_ceiling_known();
}

ReportCell crosses_over(const RoofChange& change) {
    const std::optional<bool> crosses = change.crosses_over();
    if (!crosses) return {.number = {}, .text = "not known", .known = false};
    return word(*crosses ? "yes" : "no");
}

/// What is known of the time there and of the speed-up where a level has no ceiling there.
void add_limits(std::span<const DeviceRoofs> devices, ReportTable& table) {
    const auto limited = [](const RoofChange& change) { return change.there.at_least.has_value(); };
    const bool any = std::ranges::any_of(
        devices, [&](const DeviceRoofs& roofs) { return std::ranges::any_of(roofs.changes, limited); });
    const ColumnPlace place = any ? ColumnPlace::main : ColumnPlace::file;
    table.columns.push_back({"other_time_at_least", "At least there", "s", true, place, "least_time"});
    table.columns.push_back({"other_time_at_least_by", "At least there by", "", false,
                             any ? ColumnPlace::context : ColumnPlace::file});
    table.columns.push_back({"roof_speed_up_at_most", "Speed-up at most", "", true, place});
    std::size_t row = 0;
    for (const DeviceRoofs& roofs : devices)
        for (const RoofChange& change : roofs.changes) {
            const Bound& there = change.there;
            const auto most = change.speed_up_at_most();
            std::vector<ReportCell>& cells = table.rows[row++];
            cells.push_back(there.at_least ? amount(there.at_least, "s") : does_not_apply());
            cells.push_back(there.at_least_by ? word(at_least_by_text(there)) : does_not_apply());
            cells.push_back(most ? number(*most, ratio_text(*most)) : does_not_apply());
        }
}

}  // namespace

ReportTable roof_change_table(const RunView& run, std::span<const DeviceRoofs> devices) {
    const std::string unit = std::string(work_unit(run.analysis->options.operations)) + "/byte";
    ReportTable table;
    table.columns = {{"kernel", "Kernel", "", false},
                     {"device", "Device", "", false, ColumnPlace::context},
                     {"other_device", "Other device", "", false, ColumnPlace::context},
                     {"bound", "Bound by", "", false},
                     {"other_bound", "Bound by there", "", false},
                     {"class_changes", "Compute/memory changes", "", false},
                     {"roof_speed_up", "Roof speed-up", ""},
                     {"level", "Level", "", false, ColumnPlace::detail},
                     {"intensity", "AI at level", unit, true, ColumnPlace::detail},
                     {"ridge", "Ridge of level", unit, true, ColumnPlace::detail},
                     {"other_level", "Level there", "", false, ColumnPlace::detail},
                     {"other_intensity", "AI at level there", unit, true, ColumnPlace::detail},
                     {"other_ridge", "Ridge of level there", unit, true, ColumnPlace::detail},
                     {"least_time", "Least time", "s", true, ColumnPlace::main, "least_time"},
                     {"other_least_time", "Least time there", "s", true, ColumnPlace::main, "least_time"}};
    for (const DeviceRoofs& roofs : devices)
        for (const RoofChange& change : roofs.changes) {
            const KernelPoint& point = run.point(change.point);
            const auto faster = change.speed_up();
            table.rows.push_back(
                {word(point.name), word(run.device_of(point).name), word(roofs.device),
                 word(bound_text(change.here)), word(bound_text(change.there)), crosses_over(change),
                 faster ? number(*faster, ratio_text(*faster)) : does_not_apply(), level(change.here.level),
                 intensity(change.here.intensity, unit), intensity(change.here.ridge, unit),
                 level(change.there.level), intensity(change.there.intensity, unit),
                 intensity(change.there.ridge, unit), least_time(change.here), least_time(change.there)});
        }
    add_limits(devices, table);
    use_one_unit_per_column(table);
    return table;
}

namespace {

void write_bound(JsonText& json, std::string_view key, const Bound& bound) {
    json.key(key);
    json.begin_object();
    json.key("binding");
    bound.binding ? json.value(label_of(*bound.binding)) : json.null();
    json.key("class");
    bound.binding ? json.value(id_of(bound.kernel_class())) : json.null();
    json.key("side");
    bound.side ? json.value(id_of(*bound.side)) : json.null();
    json.key("level");
    bound.level ? json.value(id_of(*bound.level)) : json.null();
    json.member("intensity", bound.intensity);
    json.member("ridge", bound.ridge);
    json.member("speed_of_light_s", bound.speed_of_light);
    json.member("at_least_s", bound.at_least);
    json.key("at_least_by");
    bound.at_least_by ? json.value(label_of(*bound.at_least_by)) : json.null();
    json.key("without_ceiling");
    json.begin_array();
    for (const MemoryLevel level : bound.without_ceiling)
        json.value(id_of(level));
    json.end_array();
    json.end_object();
}

}  // namespace

std::string to_roof_change_json(const RunView& run, std::span<const DeviceRoofs> devices) {
    JsonText json;
    json.begin_object();
    json.next_line();
    json.member("format", "roofwalk-roof-comparison");
    json.member("version", 1U);
    json.member("work_unit", work_unit(run.analysis->options.operations));
    json.next_line();
    write_sources(json, *run.profile);
    json.next_line();
    json.key("devices");
    json.begin_array();
    for (const DeviceRoofs& roofs : devices) {
        json.next_line();
        json.begin_object();
        json.member("device", roofs.device);
        json.member("sentence", roof_change_sentence(roofs));
        json.key("kernels");
        json.begin_array();
        for (const RoofChange& change : roofs.changes) {
            const KernelPoint& point = run.point(change.point);
            json.next_line();
            json.begin_object();
            json.member("name", point.name);
            json.member("device", run.device_of(point).name);
            write_bound(json, "here", change.here);
            write_bound(json, "there", change.there);
            json.key("class_changes");
            const std::optional<bool> crosses = change.crosses_over();
            crosses ? json.value(*crosses) : json.null();
            json.key("speed_up_at_most");
            const std::optional<double> most = change.speed_up_at_most();
            most ? json.value(*most) : json.null();
            json.end_object();
        }
        json.end_array();
        json.end_object();
    }
    json.end_array();
    json.next_line();
    json.end_object();
    json.end_line();
    return json.take();
}

}  // namespace roofwalk

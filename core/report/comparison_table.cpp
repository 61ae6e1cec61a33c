// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/comparison_table.h"

#include <algorithm>
#include <span>

#include "core/compare/comparison_lines.h"
#include "core/model/partial_words.h"
#include "core/model/profile_codec.h"
#include "core/report/profile_to_json.h"
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
    return std::ranges::any_of(comparison.runs,
                               [&](const RunView& run) { return run.analysis->options.levels[level]; });
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

void write_change(JsonWriter& json, std::string_view key, const std::optional<Change>& change) {
    json.object_or_null(key, change, [&](const Change& found) {
        json.member("ratio", found.ratio);
        json.member("noise", found.noise);
    });
}

/// Where a kernel stands in one run.
void write_point(JsonWriter& json, const RunView& run, const KernelPoint& point) {
    json.member("name", point.name);
    json.member("device", run.device_of(point).name);
    json.member("launches", point.launches);
    json.member("failed", point.failed);
    json.member("time_s", point.time);
    json.member("work", point.work);
    json.member("uncounted_work", point.uncounted);
    json.member("performance", point.performance);
    json.object("levels", [&] {
        for (const MemoryLevel level : all_levels)
            json.object_or_null(id_of(level), point.at(level), [&](const LevelPoint& at) {
                json.member("boundary", at.boundary);
                json.member("bytes", at.bytes);
                json.member("intensity", at.intensity);
            });
    });
    json.member("vertical_gap", point.gap ? std::optional(point.gap->factor) : std::nullopt);
    json.member("binding", point.binding ? std::optional(label_of(*point.binding)) : std::nullopt);
    json.member("class", point.verdict.kernel_class);
}

void write_kernel_change(JsonWriter& json, const RunView& before, const RunView& after,
                         const KernelChange& change) {
    json.member("matched_by", change.match.basis);
    json.member("by_order", change.match.by_order);
    json.member("verdict", change.verdict);
    json.member("text", change_text(change));
    json.member("other_device", change.other_device);
    json.member("contradicts_before", change.contradicts_before);
    json.member("contradicts_after", change.contradicts_after);
    json.member("per_launch", change.per_launch);
    json.member("other_work", change.other_work);
    json.member("clock_explains", change.clock_explains);
    json.member("judged_at", change.judged_at);
    write_change(json, "time", change.time);
    write_change(json, "work", change.work);
    write_change(json, "performance", change.performance);
    write_change(json, "vertical_gap", change.gap);
    json.object("levels", [&] {
        for (const MemoryLevel level : all_levels)
            json.object(id_of(level), [&] {
                write_change(json, "bytes", change.at(level).bytes);
                write_change(json, "intensity", change.at(level).intensity);
            });
    });
    json.member("notes", change_notes(before, after, change));
}

void write_path(JsonWriter& json, const Comparison& comparison, const KernelPath& path) {
    json.member("first_run", path.first_run);
    const RunView* run = &comparison.runs[path.first_run];
    json.objects("points", path.points, [&](std::uint32_t point) {
        write_point(json, *run, run->point(point));
        ++run;
    });
    json.object("change", [&] {
        write_kernel_change(json, comparison.first_run_of(path), comparison.last_run_of(path), path.whole);
    });
    run = &comparison.runs[path.first_run];
    json.objects("steps", path.steps, [&](const KernelChange& step) {
        write_kernel_change(json, run[0], run[1], step);
        ++run;
    });
}

void write_points(JsonWriter& json, std::string_view key, const RunView& run,
                  std::span<const std::uint32_t> points) {
    json.object_lines(key, points, [&](std::uint32_t point) { write_point(json, run, run.point(point)); });
}

void write_unmatched(JsonWriter& json, const Comparison& comparison) {
    const RunView* run = comparison.runs.data();
    json.object_lines("unmatched", comparison.matches, [&](const KernelMatches& matches) {
        const RunView& before = run[0];
        const RunView& after = run[1];
        write_points(json, "removed", before, matches.removed);
        write_points(json, "added", after, matches.added);
        json.object_lines("ambiguous", matches.ambiguous, [&](const AmbiguousKernels& alike) {
            write_points(json, "before", before, alike.before);
            write_points(json, "after", after, alike.after);
        });
        ++run;
    });
}

void write_run(JsonWriter& json, const RunView& run) {
    write_sources(json, *run.profile);
    json.member("points", run.analysis->points.size());
    json.member("launches", run.profile->launches.size());
    json.member("time_s", run.analysis->total_time);
}

void write_summary(JsonWriter& json, const Comparison& comparison) {
    const ComparisonTotals totals = totals_of(comparison);
    json.member("sentence", comparison_sentence(comparison));
    json.member("compared", totals.compared);
    json.member("removed", totals.removed);
    json.member("ambiguous", totals.ambiguous);
    json.member("added", totals.added);
    json.object("verdicts", [&] {
        for (const ChangeVerdict verdict : enumerators<ChangeVerdict>)
            json.member(id_of(verdict), totals.verdicts[verdict]);
    });
}

}  // namespace

std::string to_comparison_json(const Comparison& comparison) {
    const AnalysisOptions& options = comparison.runs.front().analysis->options;
    JsonWriter json;
    json.begin_object();
    json.line("format", "roofwalk-comparison");
    json.member("version", 1);
    json.line("work_unit", work_unit(options.operations));
    json.member("group_by", options.group_by);
    json.member("noise", comparison.options.noise);
    json.next_line();
    json.object_lines("runs", comparison.runs, [&](const RunView& run) { write_run(json, run); });
    json.next_line();
    json.object("summary", [&] { write_summary(json, comparison); });
    json.next_line();
    json.object_lines("paths", comparison.paths,
                      [&](const KernelPath& path) { write_path(json, comparison, path); });
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

void write_bound(JsonWriter& json, const Bound& bound) {
    const bool binds = bound.binding.has_value();
    json.member("binding", binds ? std::optional(label_of(*bound.binding)) : std::nullopt);
    json.member("class", binds ? std::optional(bound.kernel_class()) : std::nullopt);
    json.member("side", bound.side);
    json.member("level", bound.level);
    json.member("intensity", bound.intensity);
    json.member("ridge", bound.ridge);
    json.member("speed_of_light_s", bound.speed_of_light);
    json.member("at_least_s", bound.at_least);
    json.member("at_least_by",
                bound.at_least_by ? std::optional(label_of(*bound.at_least_by)) : std::nullopt);
    json.member("without_ceiling", bound.without_ceiling);
}

}  // namespace

std::string to_roof_change_json(const RunView& run, std::span<const DeviceRoofs> devices) {
    JsonWriter json;
    json.begin_object();
    json.line("format", "roofwalk-roof-comparison");
    json.member("version", 1);
    json.member("work_unit", work_unit(run.analysis->options.operations));
    json.next_line();
    write_sources(json, *run.profile);
    json.next_line();
    json.object_lines("devices", devices, [&](const DeviceRoofs& roofs) {
        json.member("device", roofs.device);
        json.member("sentence", roof_change_sentence(roofs));
        json.object_lines("kernels", roofs.changes, [&](const RoofChange& change) {
            const KernelPoint& point = run.point(change.point);
            json.member("name", point.name);
            json.member("device", run.device_of(point).name);
            json.object("here", [&] { write_bound(json, change.here); });
            json.object("there", [&] { write_bound(json, change.there); });
            json.member("class_changes", change.crosses_over());
            json.member("speed_up_at_most", change.speed_up_at_most());
        });
    });
    json.next_line();
    json.end_object();
    json.end_line();
    return json.take();
}

}  // namespace roofwalk

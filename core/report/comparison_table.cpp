// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/comparison_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "core/model/kernel_name.h"
#include "core/model/profile_codec.h"
#include "core/model/source_names.h"
#include "core/report/profile_to_json.h"
#include "core/report/report_columns.h"
#include "core/roofline/utilisation.h"

namespace roofwalk {

namespace {

constexpr std::size_t shown_name_chars = 48;

/// The same of both sides: "4.00 ms → 2.00 ms", or the one side there is.
template <class SideText>
std::string both_sides(const ComparisonLine& line, SideText text_of) {
    std::string text;
    for (const auto& side : {line.before, line.after})
        if (side) text += (text.empty() ? "" : " → ") + text_of(side->kernel());
    return text;
}

class Columns {
  public:
    void add(ReportColumn column, std::function<ReportCell(const ComparisonLine&)> cell) {
        rules_.push_back({std::move(column), std::move(cell)});
    }

    ComparisonColumn& last() { return rules_.back(); }

    /// A column for each report, "time_before" and "time_after", and one for both in the window.
    template <class PointCell>
    void add_both(const ReportColumn& column, PointCell cell) {
        const auto add_side = [&](const char* id, const char* title, auto side_of) {
            ReportColumn of_side = column;
            of_side.id += id;
            of_side.title += title;
            of_side.quantity = column.id;
            of_side.window = 0;
            add(std::move(of_side), [=](const ComparisonLine& line) {
                const std::optional<LineSide>& side = line.*side_of;
                return side ? cell(side->kernel()) : does_not_apply();
            });
        };
        add_side("_before", " before", &ComparisonLine::before);
        add_side("_after", " after", &ComparisonLine::after);
        if (column.window == 0) return;
        add({.id = column.id,
             .title = column.title,
             .kind = ColumnKind::words,
             .place = ColumnPlace::window_only,
             .window = column.window},
            [=](const ComparisonLine& line) {
                return word_cell(
                    both_sides(line, [&](const KernelPoint& point) { return cell(point).text; }));
            });
    }

    /// In the window the kernels of one report are faint.
    [[nodiscard]] std::vector<ComparisonColumn> take() {
        for (ComparisonColumn& rule : rules_)
            if (!rule.tone)
                rule.tone = [](const ComparisonLine& line) {
                    return line.change ? CellTone::plain : CellTone::faint;
                };
        return std::move(rules_);
    }

  private:
    std::vector<ComparisonColumn> rules_;
};

/// The same cell, of a time or a quotient of one.
template <class PointCell>
auto of_time(PointCell cell) {
    return [cell](const KernelPoint& point) { return marked_if(point.time_doubted, cell(point)); };
}

/// A step of the way that stands above it is called by its reports.
ReportCell kernel_or_step_cell(const ComparisonLine& line) {
    if (line.step)
        return word_cell(fmt::format("    report {} → {}", line.before->number, line.after->number));
    return word_cell(
        shorten_kernel_name((line.after ? line.after : line.before)->kernel().name, shown_name_chars));
}

/// Once where both sides have the same name.
std::string names_of(const ComparisonLine& line) {
    if (line.before && line.after && line.before->kernel().name == line.after->kernel().name)
        return line.after->kernel().name;
    return both_sides(line, [](const KernelPoint& point) { return point.name; });
}

std::string verdict_note(const ComparisonLine& line) {
    if (!line.change) return {};
    return fmt::format("{}. Matched by: {}.", change_text(*line.change), label_of(line.change->match.basis));
}

CellTone verdict_tone(const ComparisonLine& line) {
    if (!line.change) return CellTone::faint;
    switch (line.change->verdict) {
        case ChangeVerdict::right:
        case ChangeVerdict::up:
        case ChangeVerdict::faster:
        case ChangeVerdict::both:
            return CellTone::good;
        case ChangeVerdict::wrong_way:
            return CellTone::bad;
        case ChangeVerdict::mixed:
            return CellTone::warning;
        default:
            return CellTone::faint;
    }
}

/// "2.00x faster".
ReportCell pace_cell(const ComparisonLine& line) {
    if (!line.change || line.change->contradicts()) return does_not_apply();
    return line.change->time ? word_cell(time_text(*line.change->time)) : not_measured();
}

/// At the level that the verdict looks at, else the farthest that a side has: "HBM: 2.40 GB → 1.20 GB".
template <class LevelCell>
ReportCell judged_level_cell(const ComparisonLine& line, LevelCell cell) {
    std::optional<MemoryLevel> level = line.change ? line.change->judged_at : std::nullopt;
    for (const MemoryLevel farthest : all_levels)
        for (const auto& side : {line.before, line.after})
            if (!level && side && side->kernel().at(farthest)) level = farthest;
    if (!level) return not_measured();
    const auto text_of = [&](const KernelPoint& point) { return cell(point, *level).text; };
    return word_cell(std::string(label_of(*level, line.change   ? line.change->memory
                                                  : line.before ? line.before->kernel().memory
                                                                : line.after->kernel().memory)) +
                     ": " + both_sides(line, text_of));
}

ReportCell speed_up_cell(const ComparisonLine& line) {
    if (!line.change || line.change->contradicts()) return does_not_apply();
    if (!line.change->time) return not_measured();
    const double faster = 1 / line.change->time->ratio;
    return marked_if(line.change->time->doubted, number_cell(faster, ratio_text(faster)));
}

ReportCell noise_cell(const ComparisonLine& line) {
    if (!line.change) return does_not_apply();
    if (!line.change->time) return not_measured();
    return number_cell(line.change->time->noise, format_percent(line.change->time->noise));
}

/// Which bytes made the verdict, where bytes did; beside it stands only the speed-up.
std::string verdict_bytes(const KernelChange& change) {
    const bool by_bytes = change.verdict == ChangeVerdict::right || change.verdict == ChangeVerdict::both ||
                          change.verdict == ChangeVerdict::mixed ||
                          change.verdict == ChangeVerdict::wrong_way;
    const std::string text = by_bytes ? bytes_text(change) : std::string();
    return text.empty() ? text : text + '.';
}

/// All of them, as JSON and the details tell them.
std::string notes_of(const ComparisonLine& line) {
    if (!line.change) return {};
    return fmt::format("{}", fmt::join(change_notes(*line.before->run, *line.after->run, *line.change), " "));
}

/// The one that weighs most, and how many more there are.
ReportCell notes_cell(const ComparisonLine& line) {
    if (!line.change) return word_cell({});
    const auto notes = change_notes(*line.before->run, *line.after->run, *line.change);
    std::string text = verdict_bytes(*line.change);
    if (!notes.empty()) text += (text.empty() ? "" : " ") + notes.front();
    if (notes.size() > 1) text += fmt::format(" ({} more)", notes.size() - 1);
    return word_cell(text);
}

ReportCell matched_by_cell(const ComparisonLine& line) {
    if (!line.change) return does_not_apply();
    const KernelMatch& match = line.change->match;
    return word_cell(std::string(label_of(match.basis)) + (match.by_order ? ", by order" : ""));
}

ReportCell run_cell(const std::optional<LineSide>& side) {
    return side ? number_cell(side->number, std::to_string(side->number)) : does_not_apply();
}

ReportCell device_cell(const std::optional<LineSide>& side) {
    if (!side) return does_not_apply();
    const std::string name = side->run->device_of(side->kernel()).name;
    return name.empty() ? not_measured() : word_cell(name);
}

/// L1 has its columns where it binds in one run only, too.
bool is_shown(const Comparison& comparison, MemoryLevel level) {
    return std::ranges::any_of(
        comparison.runs, [&](const AnalysedProfile& run) { return run.analysis->options.levels[level]; });
}

void add_levels(const Comparison& comparison, const std::string& unit, Columns& columns) {
    const auto place_of = [&](MemoryLevel level, ColumnPlace place) {
        return is_shown(comparison, level) ? place : ColumnPlace::files_only;
    };
    const MemoryName memory = comparison.runs.front().analysis->options.memory;
    for (const MemoryLevel level : all_levels) {
        const ColumnPlace place = level == MemoryLevel::hbm ? ColumnPlace::main : ColumnPlace::detail;
        columns.add_both({.id = std::string(id_of(level)) + "_intensity",
                          .title = "AI " + std::string(label_of(level, memory)),
                          .unit = unit + "/byte",
                          .place = place_of(level, place)},
                         [=](const KernelPoint& point) { return intensity_cell(point, level, unit); });
    }
    for (const MemoryLevel level : all_levels)
        columns.add_both({.id = std::string(id_of(level)) + "_bytes",
                          .title = "Bytes " + std::string(label_of(level, memory)),
                          .unit = "byte",
                          .place = place_of(level, ColumnPlace::detail)},
                         [=](const KernelPoint& point) { return bytes_cell(point, level); });
    columns.add(words_column("bytes", "Bytes", ColumnPlace::window_only, 5),
                [](const ComparisonLine& line) { return judged_level_cell(line, bytes_cell); });
    columns.add(words_column("intensity", "AI", ColumnPlace::window_only, 6),
                [unit](const ComparisonLine& line) {
                    return judged_level_cell(line, [&](const KernelPoint& point, MemoryLevel level) {
                        return intensity_cell(point, level, unit);
                    });
                });
}

/// What is compared with what, and what became of it.
void add_verdict_columns(const Comparison& comparison, Columns& columns) {
    columns.add({.id = "kernel", .title = "Kernel", .kind = ColumnKind::name},
                [](const ComparisonLine& line) {
                    return word_cell((line.after ? line.after : line.before)->kernel().name);
                });
    columns.add(words_column("kernel_or_step", "Kernel", ColumnPlace::window_only, 1), kernel_or_step_cell);
    columns.last().note = names_of;
    const ColumnPlace of_runs = comparison.runs.size() > 2 ? ColumnPlace::main : ColumnPlace::files_only;
    columns.add({.id = "from_run", .title = "From", .place = of_runs},
                [](const ComparisonLine& line) { return run_cell(line.before); });
    columns.add({.id = "to_run", .title = "To", .place = of_runs},
                [](const ComparisonLine& line) { return run_cell(line.after); });
    columns.add({.id = "verdict", .title = "Verdict", .kind = ColumnKind::words, .window = 2},
                [](const ComparisonLine& line) { return word_cell(std::string(line.verdict)); });
    columns.last().note = verdict_note;
    columns.last().tone = verdict_tone;
    columns.add({.id = "speed_up", .title = "Speed-up"}, speed_up_cell);
    columns.add(words_column("pace", "Speed-up", ColumnPlace::window_only, 3), pace_cell);
}

}  // namespace

std::vector<ComparisonColumn> comparison_columns(const Comparison& comparison) {
    const std::string unit(work_unit(comparison.runs.front().analysis->options.operations));
    constexpr ColumnPlace detail = ColumnPlace::detail;
    Columns columns;
    add_verdict_columns(comparison, columns);
    columns.add_both({.id = "time", .title = "Time", .unit = "s", .window = 4},
                     of_time([](const KernelPoint& point) { return quantity_cell(point.time, "s"); }));
    columns.add_both({.id = "share_of_limit", .title = "Of limit", .kind = ColumnKind::share, .window = 7},
                     roof_share_cell);
    columns.add_both({.id = "performance", .title = "Performance", .unit = unit + "/s", .place = detail},
                     of_time([unit](const KernelPoint& point) {
                         return at_least(point, quantity_cell(point.performance, unit + "/s"));
                     }));
    add_levels(comparison, unit, columns);
    columns.add_both(words_column("class", "Class", detail),
                     [](const KernelPoint& point) { return word_cell(class_text(point)); });
    columns.add_both(words_column("binding_ceiling", "Bound by"), binding_cell);
    columns.add_both(
        {.id = "work", .title = "Work", .unit = unit, .place = detail},
        [unit](const KernelPoint& point) { return at_least(point, quantity_cell(point.work, unit)); });
    columns.add_both({.id = "launches", .title = "Launches", .place = detail}, [](const KernelPoint& point) {
        return number_cell(point.launches, format_count(point.launches));
    });
    columns.add({.id = "time_noise", .title = "Noise", .kind = ColumnKind::share, .place = detail},
                noise_cell);
    constexpr ColumnPlace context = ColumnPlace::context;
    columns.add(words_column("device_before", "Device before", context),
                [](const ComparisonLine& line) { return device_cell(line.before); });
    columns.add(words_column("device_after", "Device after", context),
                [](const ComparisonLine& line) { return device_cell(line.after); });
    columns.add(words_column("matched_by", "Matched by", detail), matched_by_cell);
    columns.add({.id = "notes", .title = "Notes", .kind = ColumnKind::words, .window = 8}, notes_cell);
    columns.last().note = notes_of;
    const bool several = std::ranges::any_of(
        comparison.runs, [](const AnalysedProfile& run) { return run.analysis->several_reports; });
    columns.add_both(words_column("source", "Report", several ? ColumnPlace::main : ColumnPlace::files_only),
                     [](const KernelPoint& point) { return word_cell(std::string(name_of_report(point))); });
    return columns.take();
}

ReportTable comparison_table(const Comparison& comparison) {
    ReportTable table = export_table(comparison_columns(comparison), comparison_lines(comparison));
    for (const AnalysedProfile& run : comparison.runs)
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

/// What the columns of reports tell of a kernel too.
struct SideFigures {
    std::vector<KernelColumn> columns = point_columns({});
    ColumnMembers amounts{columns, {"launches", "failed", "time"}};
    ColumnMembers rates{columns, {"work", "performance"}};
    EnumArray<MemoryLevel, ColumnMembers> levels{};

    SideFigures() {
        for (const MemoryLevel level : all_levels)
            levels[level] = {columns, {"bytes", "intensity"}, fmt::format("{}_", id_of(level))};
    }
};

/// Where a kernel stands in one run.
void write_point(JsonWriter& json, const AnalysedProfile& run, const KernelPoint& point) {
    static const SideFigures figures;
    json.member("name", point.name);
    json.member("source", name_of_report(point));
    json.member("device", run.device_of(point).name);
    figures.amounts.write(json, point);
    json.member("time_doubted", point.time_doubted);
    figures.rates.write(json, point);
    json.member("uncounted_work", point.uncounted);
    json.object("levels", [&] {
        for (const MemoryLevel level : all_levels)
            json.object_or_null(id_of(level), point.at(level), [&](const LevelPoint& at) {
                json.member("boundary", at.boundary);
                figures.levels[level].write(json, point);
            });
    });
    json.member("vertical_gap", point.gap ? std::optional(point.gap->factor) : std::nullopt);
    json.member("binding",
                point.binding ? std::optional(label_of(*point.binding, point.memory)) : std::nullopt);
    json.member("binding_id", point.binding);
    json.member("class", point.verdict.kernel_class);
}

void write_kernel_change(JsonWriter& json, const AnalysedProfile& before, const AnalysedProfile& after,
                         const KernelChange& change) {
    json.member("matched_by", change.match.basis);
    json.member("by_order", change.match.by_order);
    json.member("verdict", change.verdict);
    json.member("text", change_text(change));
    json.member("other_device", change.devices_differ);
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
    const AnalysedProfile* run = &comparison.runs[path.first_run];
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

void write_points(JsonWriter& json, std::string_view key, const AnalysedProfile& run,
                  std::span<const std::uint32_t> points) {
    json.object_lines(key, points, [&](std::uint32_t point) { write_point(json, run, run.point(point)); });
}

void write_unmatched(JsonWriter& json, const Comparison& comparison) {
    const AnalysedProfile* run = comparison.runs.data();
    json.object_lines("unmatched", comparison.matches, [&](const KernelMatches& matches) {
        const AnalysedProfile& before = run[0];
        const AnalysedProfile& after = run[1];
        write_points(json, "removed", before, matches.removed);
        write_points(json, "added", after, matches.added);
        json.object_lines("ambiguous", matches.ambiguous, [&](const AmbiguousKernels& alike) {
            write_points(json, "before", before, alike.before);
            write_points(json, "after", after, alike.after);
        });
        ++run;
    });
}

void write_run(JsonWriter& json, const AnalysedProfile& run) {
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
    return json_document([&](JsonWriter& json) {
        json.line("format", "roofwalk-comparison");
        json.member("version", 1);
        json.line("work_unit", work_unit(options.operations));
        json.member("group_by", options.group_by);
        json.member("noise", comparison.options.noise);
        json.next_line();
        json.object_lines("runs", comparison.runs, [&](const AnalysedProfile& run) { write_run(json, run); });
        json.next_line();
        json.object("summary", [&] { write_summary(json, comparison); });
        json.next_line();
        json.object_lines("paths", comparison.paths,
                          [&](const KernelPath& path) { write_path(json, comparison, path); });
        json.next_line();
        write_unmatched(json, comparison);
        json.next_line();
    });
}

namespace {

ReportCell intensity(const std::optional<Intensity>& value, const std::string& unit) {
    return value ? number_cell(value->value(), format(*value, unit)) : not_measured();
}

ReportCell level(const ProjectedBound& bound) {
    return bound.level ? word_cell(std::string(label_of(*bound.level, bound.memory))) : does_not_apply();
}

ReportCell not_known() {
    return {.number = {}, .text = "not known", .known = false};
}

ReportCell least_time(const ProjectedBound& bound, const KernelPoint& point) {
    if (bound.speed_of_light) return quantity_cell(bound.speed_of_light, "s");
    if (bound.at_least) return not_known();
    return point.work || has_known_bytes(point) ? no_ceiling_known() : not_measured();
}

ReportCell at_least_time(const ProjectedBound& bound) {
    return bound.at_least ? quantity_cell(bound.at_least, "s") : does_not_apply();
}

ReportCell at_least_by(const ProjectedBound& bound) {
    return bound.at_least ? word_cell(at_least_by_text(bound)) : does_not_apply();
}

ReportCell crosses_over(const ProjectedKernel& kernel) {
    const std::optional<bool> crosses = kernel.crosses_over();
    if (!crosses) return not_known();
    return word_cell(*crosses ? "yes" : "no");
}

/// "1.20 FLOP/byte at HBM".
ReportCell at_level(const ProjectedBound& bound, const std::optional<Intensity>& value,
                    const std::string& unit) {
    if (!value || !bound.level) return not_measured();
    return word_cell(fmt::format("{} at {}", format(*value, unit), label_of(*bound.level, bound.memory)));
}

ReportCell ratio_cell(const std::optional<double>& ratio) {
    return ratio ? number_cell(*ratio, ratio_text(*ratio)) : does_not_apply();
}

/// "1.64x"; "7.48x by roofs" of a kernel that is far from every limit here: they are not what takes its time.
ReportCell roof_speed_up_cell(const ProjectedKernel& kernel, const KernelPoint& point) {
    const std::optional<double> faster = kernel.speed_up();
    if (!faster)
        return kernel.here.speed_of_light && kernel.there.speed_of_light ? does_not_apply() : not_known();
    const KernelClass of_report = point.verdict.kernel_class;
    const bool waits = of_report == KernelClass::latency_bound || of_report == KernelClass::low_use;
    return number_cell(*faster, ratio_text(*faster) + (waits ? " by roofs" : ""));
}

ReportCell speed_up_or_limit(const ProjectedKernel& kernel, const KernelPoint& point) {
    if (kernel.speed_up()) return roof_speed_up_cell(kernel, point);
    if (const auto most = kernel.speed_up_at_most()) return word_cell("at most " + ratio_text(*most));
    const auto known = kernel.speed_up_of_known();
    return known ? word_cell(fmt::format("{} by {}", ratio_text(*known),
                                         label_of(*kernel.here.at_least_by, kernel.here.memory)))
                 : does_not_apply();
}

using Line = ProjectionLine;
using RoofColumns = std::vector<ProjectionColumn>;

/// What the tooltips of `cell` add of the time on the other device, where only its least is known.
template <class Cell>
std::function<std::string(const Line&)> with_least_time(Cell cell) {
    return [cell](const Line& line) {
        const ProjectedBound& there = line.kernel->there;
        std::string text = at_least_text(there);
        if (!text.empty()) text = ". Time there: " + text;
        if (there.launch_floor)
            text += fmt::format(". A launch takes {} at least", describe(*there.launch_floor));
        return text.empty() ? text : cell(line).text + text;
    };
}

/// What binds on both sides.
void add_bounds(const AnalysedProfile& run, RoofColumns& columns) {
    columns.push_back({{.id = "kernel", .title = "Kernel", .kind = ColumnKind::name, .window = 1},
                       [run](const Line& line) { return word_cell(run.point(line.kernel->point).name); }});
    columns.push_back({words_column("device", "Device", ColumnPlace::context), [run](const Line& line) {
                           return word_cell(run.device_of(run.point(line.kernel->point)).name);
                       }});
    columns.push_back({words_column("other_device", "Other device", ColumnPlace::context),
                       [](const Line& line) { return word_cell(line.on->device); }});
    columns.push_back({words_column("bound", "Bound by", ColumnPlace::main, 2),
                       [](const Line& line) { return word_cell(bound_text(line.kernel->here)); }});
    const auto there = [](const Line& line) { return word_cell(bound_text(line.kernel->there)); };
    columns.push_back({.column = words_column("other_bound", "Bound by there", ColumnPlace::main, 3),
                       .cell = there,
                       .note = with_least_time(there),
                       .tone = [](const Line& line) {
                           return line.kernel->crosses_over().value_or(false) ? CellTone::good
                                                                              : CellTone::plain;
                       }});
    columns.push_back({words_column("class_changes", "Compute/memory changes"),
                       [](const Line& line) { return crosses_over(*line.kernel); }});
    columns.push_back({{.id = "roof_speed_up", .title = "Roof speed-up"}, [run](const Line& line) {
                           return roof_speed_up_cell(*line.kernel, run.point(line.kernel->point));
                       }});
    columns.push_back({words_column("class", "Class", ColumnPlace::detail), [run](const Line& line) {
                           return word_cell(class_text(run.point(line.kernel->point)));
                       }});
    const auto faster = [run](const Line& line) {
        return speed_up_or_limit(*line.kernel, run.point(line.kernel->point));
    };
    columns.push_back(
        {.column = words_column("speed_up_or_limit", "Roof speed-up", ColumnPlace::window_only, 7),
         .cell = faster,
         .note = with_least_time(faster)});
}

/// Where a kernel stands against the ridge of a level, on both sides.
void add_ridges(const std::string& unit, RoofColumns& columns) {
    const auto add = [&](ProjectedBound ProjectedKernel::*side, const std::string& id,
                         const std::string& title) {
        const ColumnPlace place = ColumnPlace::detail;
        columns.push_back({words_column(id + "level", "Level" + title, place),
                           [=](const Line& line) { return level(line.kernel->*side); }});
        columns.push_back(
            {{.id = id + "intensity", .title = "AI at level" + title, .unit = unit, .place = place},
             [=](const Line& line) { return intensity((line.kernel->*side).intensity, unit); }});
        columns.push_back(
            {{.id = id + "ridge", .title = "Ridge of level" + title, .unit = unit, .place = place},
             [=](const Line& line) { return intensity((line.kernel->*side).ridge, unit); }});
    };
    add(&ProjectedKernel::here, "", "");
    add(&ProjectedKernel::there, "other_", " there");
    const auto add_at = [&](ProjectedBound ProjectedKernel::*side,
                            std::optional<Intensity> ProjectedBound::*value, const std::string& id,
                            const std::string& title, std::uint8_t window) {
        columns.push_back({words_column(id, title, ColumnPlace::window_only, window), [=](const Line& line) {
                               const ProjectedBound& bound = line.kernel->*side;
                               return at_level(bound, bound.*value, unit);
                           }});
    };
    add_at(&ProjectedKernel::here, &ProjectedBound::intensity, "intensity_at_level", "AI", 4);
    add_at(&ProjectedKernel::here, &ProjectedBound::ridge, "ridge_at_level", "Ridge, boost clock", 5);
    add_at(&ProjectedKernel::there, &ProjectedBound::ridge, "other_ridge_at_level",
           "Ridge there, boost clock", 6);
}

/// The least times, and what is known of them and of the speed-up where something that may bind is not.
void add_times(const AnalysedProfile& run, std::span<const ProjectedKernels> devices, RoofColumns& columns) {
    const auto any = [&](const auto& known_of) {
        return std::ranges::any_of(devices, [&](const ProjectedKernels& projected) {
            return std::ranges::any_of(projected.kernels, known_of);
        });
    };
    const std::string quantity = "least_time";
    const auto add_time = [&](const std::string& id, const std::string& title, const auto& cell,
                              ColumnPlace place = ColumnPlace::main) {
        columns.push_back({{.id = id, .title = title, .unit = "s", .place = place, .quantity = quantity},
                           [=](const Line& line) { return cell(*line.kernel); }});
    };
    const auto add_least = [&](ProjectedBound ProjectedKernel::*side, const std::string& id,
                               const std::string& title) {
        add_time(id, title, [=](const ProjectedKernel& kernel) {
            return least_time(kernel.*side, run.point(kernel.point));
        });
    };
    const auto add_ratio = [&](std::optional<double> (ProjectedKernel::*ratio)() const, const std::string& id,
                               const std::string& title) {
        const bool known = any([=](const ProjectedKernel& kernel) { return (kernel.*ratio)().has_value(); });
        columns.push_back(
            {{.id = id, .title = title, .place = known ? ColumnPlace::main : ColumnPlace::files_only},
             [=](const Line& line) { return ratio_cell((line.kernel->*ratio)()); }});
    };
    add_least(&ProjectedKernel::here, "least_time", "Least time");
    add_least(&ProjectedKernel::there, "other_least_time", "Least time there");
    const auto add_at_least = [&](ProjectedBound ProjectedKernel::*side, const std::string& id,
                                  const std::string& title) {
        const bool known =
            any([=](const ProjectedKernel& kernel) { return (kernel.*side).at_least.has_value(); });
        add_time(
            id + "time_at_least", title,
            [=](const ProjectedKernel& kernel) { return at_least_time(kernel.*side); },
            known ? ColumnPlace::main : ColumnPlace::files_only);
        columns.push_back({words_column(id + "time_at_least_by", title + " by",
                                        known ? ColumnPlace::context : ColumnPlace::files_only),
                           [=](const Line& line) { return at_least_by(line.kernel->*side); }});
    };
    add_at_least(&ProjectedKernel::here, "", "At least");
    add_at_least(&ProjectedKernel::there, "other_", "At least there");
    add_ratio(&ProjectedKernel::speed_up_at_most, "roof_speed_up_at_most", "Speed-up at most");
    add_ratio(&ProjectedKernel::speed_up_of_known, "known_speed_up", "Speed-up of what is known");
}

}  // namespace

std::vector<ProjectionColumn> projection_columns(const AnalysedProfile& run,
                                                 std::span<const ProjectedKernels> devices) {
    RoofColumns columns;
    add_bounds(run, columns);
    add_ridges(std::string(work_unit(run.analysis->options.operations)) + "/byte", columns);
    add_times(run, devices, columns);
    columns.push_back(
        {words_column("source", "Report",
                      run.analysis->several_reports ? ColumnPlace::context : ColumnPlace::files_only),
         [run](const Line& line) {
             return word_cell(std::string(name_of_report(run.point(line.kernel->point))));
         }});
    return columns;
}

ReportTable projection_table(const AnalysedProfile& run, std::span<const ProjectedKernels> devices) {
    std::vector<ProjectionLine> lines;
    for (const ProjectedKernels& projected : devices)
        for (const ProjectedKernel& kernel : projected.kernels)
            lines.push_back({&projected, &kernel});
    return export_table(projection_columns(run, devices), lines);
}

namespace {

/// The ceiling that gives `time`, or the launch floor.
void write_limit(JsonWriter& json, const std::string& name, const std::optional<CeilingTarget>& ceiling,
                 const std::optional<Seconds>& time, const ProjectedBound& bound) {
    if (time && bound.launch_floor) {
        json.member(name, launch_floor_label);
        json.member(name + "_id", launch_floor_id);
        return;
    }
    json.member(name, ceiling ? std::optional(label_of(*ceiling, bound.memory)) : std::nullopt);
    json.member(name + "_id", ceiling);
}

void write_bound(JsonWriter& json, const ProjectedBound& bound) {
    json.member("bound", bound_text(bound));
    write_limit(json, "binding", bound.binding, bound.speed_of_light, bound);
    json.member("class", bound.binding ? std::optional(bound.kernel_class()) : std::nullopt);
    json.member("side", bound.side);
    json.member("level", bound.level);
    json.member("intensity", bound.intensity);
    json.member("ridge", bound.ridge);
    json.member("speed_of_light_s", bound.speed_of_light);
    json.member("at_least_s", bound.at_least);
    write_limit(json, "at_least_by", bound.at_least_by, bound.at_least, bound);
    json.object_or_null("launch_floor", bound.launch_floor, [&](const LaunchFloor& floor) {
        json.member("time_s", floor.time);
        json.member("source", floor.source);
    });
    json.key("not_judged");
    json.begin_array();
    for (const MemoryLevel level : bound.levels_not_judged)
        json.value(level);
    if (bound.compute_not_judged) json.value("compute");
    json.end_array();
    json.member("without_ceiling", bound.without_ceiling);
    json.member("unit_here", bound.unit_here);
    json.member("at_measured_clock_id", bound.at_measured_clock);
}

}  // namespace

std::string to_projection_json(const AnalysedProfile& run, std::span<const ProjectedKernels> devices) {
    return json_document([&](JsonWriter& json) {
        json.line("format", "roofwalk-roof-comparison");
        json.member("version", 1);
        json.member("work_unit", work_unit(run.analysis->options.operations));
        json.next_line();
        write_sources(json, *run.profile);
        json.next_line();
        json.object_lines("devices", devices, [&](const ProjectedKernels& projected) {
            json.member("device", projected.device);
            json.member("sentence", projection_sentence(projected));
            json.object_lines("kernels", projected.kernels, [&](const ProjectedKernel& kernel) {
                const KernelPoint& point = run.point(kernel.point);
                json.member("name", point.name);
                json.member("source", name_of_report(point));
                json.member("device", run.device_of(point).name);
                json.member("launches", point.known_launches());
                json.member("class", point.verdict.kernel_class);
                json.object("here", [&] { write_bound(json, kernel.here); });
                json.object("there", [&] { write_bound(json, kernel.there); });
                json.member("class_changes", kernel.crosses_over());
                json.member("speed_up_at_most", kernel.speed_up_at_most());
                json.member("speed_up_of_known", kernel.speed_up_of_known());
            });
        });
        json.next_line();
    });
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/comparison_table.h"

#include <algorithm>

#include "core/compare/comparison_lines.h"
#include "core/model/partial_words.h"
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

}  // namespace roofwalk

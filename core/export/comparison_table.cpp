// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/comparison_table.h"

#include <functional>

#include "core/export/report_cells.h"

namespace roofwalk {

namespace {

/// One line of the comparison; a kernel of one report only has one side.
struct Line {
    const RunView* before_run = nullptr;
    const RunView* after_run = nullptr;
    const KernelPoint* before = nullptr;
    const KernelPoint* after = nullptr;
    const KernelChange* change = nullptr;
    std::string_view verdict;
    std::size_t from = 0;  ///< number of the older run, from 1; 0 where there is none
    std::size_t to = 0;
};

using CellOf = std::function<ReportCell(const Line&)>;

struct LineColumn {
    ReportColumn column;
    CellOf cell;
};

class Columns {
  public:
    void add(ReportColumn column, CellOf cell) { rules_.push_back({std::move(column), std::move(cell)}); }

    /// A column for each report, "time_before" and "time_after".
    template <class PointCell>
    void add_both(const std::string& id, const std::string& title, const std::string& unit, bool numeric,
                  PointCell cell) {
        const auto side = [cell](const KernelPoint* point) {
            return point ? cell(*point) : does_not_apply();
        };
        add({id + "_before", title + " before", unit, numeric},
            [side](const Line& line) { return side(line.before); });
        add({id + "_after", title + " after", unit, numeric},
            [side](const Line& line) { return side(line.after); });
    }

    [[nodiscard]] ReportTable fill(const std::vector<Line>& lines) const {
        ReportTable table;
        for (const LineColumn& rule : rules_)
            table.columns.push_back(rule.column);
        for (const Line& line : lines) {
            std::vector<ReportCell>& row = table.rows.emplace_back();
            for (const LineColumn& rule : rules_)
                row.push_back(rule.cell(line));
        }
        return table;
    }

  private:
    std::vector<LineColumn> rules_;
};

std::vector<Line> lines_of(const Comparison& comparison) {
    std::vector<Line> lines;
    const auto add = [&](const KernelChange& change, std::size_t from, std::size_t to) {
        const RunView& before = comparison.runs[from];
        const RunView& after = comparison.runs[to];
        lines.push_back({&before, &after, &before.point(change.match.before),
                         &after.point(change.match.after), &change, label_of(change.verdict), from + 1,
                         to + 1});
    };
    for (const KernelPath& path : comparison.paths) {
        add(path.whole, path.first_run, path.first_run + path.points.size() - 1);
        for (std::size_t step = 0; step < path.steps.size(); ++step)
            add(path.steps[step], path.first_run + step, path.first_run + step + 1);
    }
    for (std::size_t step = 0; step < comparison.matches.size(); ++step) {
        const RunView& before = comparison.runs[step];
        const RunView& after = comparison.runs[step + 1];
        const auto only_before = [&](std::uint32_t point, std::string_view verdict) {
            lines.push_back({&before, nullptr, &before.point(point), nullptr, nullptr, verdict, step + 1, 0});
        };
        const auto only_after = [&](std::uint32_t point, std::string_view verdict) {
            lines.push_back({nullptr, &after, nullptr, &after.point(point), nullptr, verdict, 0, step + 2});
        };
        for (const std::uint32_t point : comparison.matches[step].added)
            only_after(point, added_kernel);
        for (const std::uint32_t point : comparison.matches[step].removed)
            only_before(point, removed_kernel);
        for (const AmbiguousKernels& alike : comparison.matches[step].ambiguous) {
            for (const std::uint32_t point : alike.before)
                only_before(point, ambiguous_kernel);
            for (const std::uint32_t point : alike.after)
                only_after(point, ambiguous_kernel);
        }
    }
    return lines;
}

ReportCell speed_up_cell(const Line& line) {
    if (!line.change) return does_not_apply();
    if (!line.change->time) return not_measured();
    const double faster = 1 / line.change->time->ratio;
    return number(faster, ratio_text(faster));
}

ReportCell noise_cell(const Line& line) {
    if (!line.change) return does_not_apply();
    if (!line.change->time) return not_measured();
    return number(line.change->time->noise, format_percent(line.change->time->noise));
}

ReportCell notes_cell(const Line& line) {
    std::string text;
    if (line.change)
        for (const std::string& note : change_notes(*line.before_run, *line.after_run, *line.change))
            text += (text.empty() ? "" : " ") + note;
    return word(std::move(text));
}

ReportCell matched_by_cell(const Line& line) {
    if (!line.change) return does_not_apply();
    const KernelMatch& match = line.change->match;
    return word(std::string(label_of(match.basis)) + (match.by_order ? ", by order" : ""));
}

ReportCell run_cell(std::size_t run) {
    return run == 0 ? does_not_apply() : number(static_cast<double>(run), std::to_string(run));
}

ReportCell device_cell(const RunView* run, const KernelPoint* point) {
    if (!point) return does_not_apply();
    const std::string name = run->device_of(*point).name;
    return name.empty() ? not_measured() : word(name);
}

void add_levels(const AnalysisOptions& options, const std::string& unit, Columns& columns) {
    for (const MemoryLevel level : all_levels) {
        if (!options.levels[static_cast<std::size_t>(level)]) continue;
        columns.add_both(std::string(id_of(level)) + "_intensity", "AI " + std::string(label_of(level)),
                         unit + "/byte", true, [=](const KernelPoint& point) {
                             return at_least(point, intensity_cell(point.at(level), unit + "/byte"));
                         });
    }
    for (const MemoryLevel level : all_levels) {
        if (!options.levels[static_cast<std::size_t>(level)]) continue;
        columns.add_both(std::string(id_of(level)) + "_bytes", "Bytes " + std::string(label_of(level)),
                         "byte", true, [=](const KernelPoint& point) {
                             const auto& at_level = point.at(level);
                             return at_level ? amount(std::optional(at_level->bytes), "B") : not_measured();
                         });
    }
}

Columns columns_of(const Comparison& comparison) {
    const AnalysisOptions& options = comparison.runs.front().analysis->options;
    const std::string unit(work_unit(options.operations));
    Columns columns;
    columns.add({"kernel", "Kernel", "", false},
                [](const Line& line) { return word((line.after ? line.after : line.before)->name); });
    if (comparison.runs.size() > 2) {
        columns.add({"from_run", "From", ""}, [](const Line& line) { return run_cell(line.from); });
        columns.add({"to_run", "To", ""}, [](const Line& line) { return run_cell(line.to); });
    }
    columns.add({"verdict", "Verdict", "", false},
                [](const Line& line) { return word(std::string(line.verdict)); });
    columns.add({"speed_up", "Speed-up", ""}, speed_up_cell);
    columns.add_both("time", "Time", "s", true,
                     [](const KernelPoint& point) { return amount(point.time, "s"); });
    columns.add_both("roof_share", "Of roof", "", true, roof_share_cell);
    columns.add_both("performance", "Performance", unit + "/s", true, [=](const KernelPoint& point) {
        return at_least(point, amount(point.performance, unit + "/s"));
    });
    add_levels(options, unit, columns);
    columns.add_both("class", "Class", "", false,
                     [](const KernelPoint& point) { return word(class_text(point)); });
    columns.add_both("binding_ceiling", "Bound by", "", false, binding_cell);
    columns.add_both("work", "Work", unit, true,
                     [=](const KernelPoint& point) { return at_least(point, amount(point.work, unit)); });
    columns.add_both("launches", "Launches", "", true, [](const KernelPoint& point) {
        return number(point.launches, format_count(point.launches));
    });
    columns.add({"time_noise", "Noise", ""}, noise_cell);
    columns.add({"device_before", "Device before", "", false},
                [](const Line& line) { return device_cell(line.before_run, line.before); });
    columns.add({"device_after", "Device after", "", false},
                [](const Line& line) { return device_cell(line.after_run, line.after); });
    columns.add({"matched_by", "Matched by", "", false}, matched_by_cell);
    columns.add({"notes", "Notes", "", false}, notes_cell);
    return columns;
}

}  // namespace

ReportTable comparison_table(const Comparison& comparison) {
    return columns_of(comparison).fill(lines_of(comparison));
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <functional>

#include "core/scenario/move_words.h"
#include "core/scenario/scenario_report.h"
#include "core/scenario/scenario_rows.h"
#include "core/text.h"

namespace roofwalk {

namespace {

/// The cell of a move that was made, and that of the program as measured.
struct ColumnRule {
    ReportColumn column;
    std::function<ReportCell(const ScenarioRow&)> of_move;
    std::function<ReportCell(const ProgramTotals&)> as_measured;
};

ReportCell word(std::string text) {
    return {.number = {}, .text = std::move(text), .known = true};
}

ReportCell nothing() {
    return word("–");
}

ReportCell number(double value, std::string text) {
    return {.number = value, .text = std::move(text), .known = true};
}

template <class Quantity>
ReportCell amount(const std::optional<Quantity>& value) {
    if (value) return number(value->value(), format(*value));
    return {.number = {}, .text = "not measured", .known = false};
}

ReportCell factor(std::optional<double> value) {
    return value ? number(*value, format_factor(*value)) : nothing();
}

ReportCell no_program(const ProgramTotals&) {
    return nothing();
}

std::optional<double> kernel_speed_up(const ScenarioStep& step) {
    if (!step.before.time || !step.after.time || step.after.time->value() <= 0) return std::nullopt;
    return *step.before.time / *step.after.time;
}

void add_time_columns(const ScenarioEffect& effect, std::vector<ColumnRule>& rules) {
    rules.push_back({{"time_before", "Time before", "s"},
                     [](const ScenarioRow& row) { return amount(row.step->before.time); },
                     no_program});
    rules.push_back({{"time", "Time after", "s"},
                     [](const ScenarioRow& row) { return amount(row.step->after.time); },
                     no_program});
    rules.push_back({{"speed_up", "Kernel speed-up", ""},
                     [](const ScenarioRow& row) { return factor(kernel_speed_up(*row.step)); },
                     no_program});
    rules.push_back({{"program_time", "Program time", "s"},
                     [](const ScenarioRow& row) { return amount(std::optional(row.step->program.time)); },
                     [](const ProgramTotals& program) { return amount(std::optional(program.time)); }});
    rules.push_back({{"program_saved", "Saved", "s"},
                     [](const ScenarioRow& row) {
                         return amount(std::optional(row.before->time - row.step->program.time));
                     },
                     no_program});
    rules.push_back(
        {{"program_speed_up", "Program speed-up", ""},
         [&effect](const ScenarioRow& row) { return factor(speed_up(effect.before, row.step->program)); },
         [](const ProgramTotals& program) { return factor(speed_up(program, program)); }});
}

void add_level_columns(const AnalysisOptions& options, std::vector<ColumnRule>& rules) {
    for (const MemoryLevel level : all_levels) {
        const std::size_t at = index_of(level);
        if (!options.levels[at]) continue;
        const std::string id(id_of(level));
        const std::string label(label_of(level));
        rules.push_back({{id + "_bytes_before", "Bytes " + label + " before", "byte"},
                         [at](const ScenarioRow& row) { return amount(row.step->before.bytes[at]); },
                         no_program});
        rules.push_back({{id + "_bytes", "Bytes " + label + " after", "byte"},
                         [at](const ScenarioRow& row) { return amount(row.step->after.bytes[at]); },
                         no_program});
        rules.push_back({{"program_" + id + "_bytes", "Program bytes " + label, "byte"},
                         [at](const ScenarioRow& row) { return amount(row.step->program.bytes[at]); },
                         [at](const ProgramTotals& program) { return amount(program.bytes[at]); }});
    }
}

void add_verdict_columns(const Analysis& analysis, std::vector<ColumnRule>& rules) {
    rules.push_back({{"binding_ceiling", "Bound by", "", false},
                     [](const ScenarioRow& row) {
                         const auto bound = speed_of_light(row.step->after, row.kernel->model.roofs);
                         return bound ? word(label_of(bound->binding)) : nothing();
                     },
                     no_program});
    rules.push_back({{"roof_share", "Of roof", ""},
                     [](const ScenarioRow& row) {
                         const auto gap = gap_of(row.step->after, row.kernel->model.roofs);
                         return gap ? number(gap->efficiency(), format_percent(gap->efficiency()))
                                    : nothing();
                     },
                     no_program});
    rules.push_back({{"class", "Class", "", false},
                     [&analysis](const ScenarioRow& row) {
                         return word(std::string(label_of(
                             class_of(row.step->after, row.kernel->model, analysis.options.thresholds))));
                     },
                     no_program});
}

/// Cells that a move has whether it was made or not come first and last.
void add_row(ReportTable& table, const std::vector<ColumnRule>& rules, const ScenarioRow& row) {
    std::vector<ReportCell>& cells = table.rows.emplace_back();
    cells.push_back(word(row.move->kernel.name));
    cells.push_back(word(title_of(*row.move)));
    for (const ColumnRule& rule : rules)
        cells.push_back(row.step ? rule.of_move(row) : nothing());
    cells.push_back(word(state_of(row)));
    cells.push_back(word(row.move->assumption.empty() ? "–" : row.move->assumption));
}

}  // namespace

ReportTable scenario_table(const Scenario& scenario, const Analysis& analysis, const ScenarioEffect& effect) {
    std::vector<ColumnRule> rules;
    add_time_columns(effect, rules);
    add_level_columns(analysis.options, rules);
    add_verdict_columns(analysis, rules);
    ReportTable table;
    table.columns = {{"kernel", "Kernel", "", false}, {"move", "Move", "", false}};
    for (const ColumnRule& rule : rules)
        table.columns.push_back(rule.column);
    table.columns.push_back({"state", "State", "", false});
    table.columns.push_back({"assumption", "Assumption", "", false});

    std::vector<ReportCell>& first = table.rows.emplace_back();
    first = {word("the program"), word("as measured")};
    for (const ColumnRule& rule : rules)
        first.push_back(rule.as_measured(effect.before));
    first.push_back(nothing());
    first.push_back(nothing());
    for (const ScenarioRow& row : scenario_rows(scenario, effect))
        add_row(table, rules, row);
    return table;
}

std::string scenario_sentence(const Scenario& scenario, const ScenarioEffect& effect) {
    const std::string name = scenario.name.empty() ? "Scenario" : "Scenario \"" + scenario.name + "\"";
    std::string text = fmt::format("{}: {} of {} move{} made", name, effect.steps.size(),
                                   scenario.moves.size(), scenario.moves.size() == 1 ? "" : "s");
    if (const auto gain = speed_up(effect.before, effect.after))
        text += fmt::format("; the program takes {} instead of {} ({} as fast)", format(effect.after.time),
                            format(effect.before.time), format_factor(*gain));
    else
        text += "; the time of the program is not known";
    if (effect.before.rows_without_time > 0)
        text += fmt::format("; {} of {} rows have no time and are left out",
                            format_count(effect.before.rows_without_time), format_count(effect.before.rows));
    return text + ".";
}

}  // namespace roofwalk

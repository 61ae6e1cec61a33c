// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/json_writer.h"
#include "core/base/sentences.h"
#include "core/base/text.h"
#include "core/scenario/move_words.h"

namespace roofwalk {

namespace {

using Line = ScenarioLine;
using Columns = std::vector<ScenarioColumn>;

template <int F, int B, int T>
ReportCell scaled(const std::optional<Quantity<F, B, T>>& value) {
    return value ? number_cell(value->value(), format(*value)) : not_measured();
}

ReportCell pace(std::optional<double> value) {
    return value ? number_cell(*value, pace_factor(*value)) : does_not_apply();
}

std::optional<Seconds> time_before(const ScenarioRow& row) {
    return time_of_all(row.step->before_in_program(), row.kernel->model);
}

std::optional<Seconds> time_after(const ScenarioRow& row) {
    return time_of_all(row.step->after_in_program(), row.kernel->model);
}

/// Absent where the move promises none.
std::optional<double> kernel_speed_up(const ScenarioRow& row) {
    const auto before = time_before(row);
    const auto after = time_after(row);
    if (row.step->unpromised || !before || !after || after->value() <= 0) return std::nullopt;
    return *before / *after;
}

/// A cell of a time of its kernel after a move, or of a quotient of one.
ReportCell of_time(const ScenarioRow& row, ReportCell cell) {
    return marked_if(row.kernel->model.approximate, std::move(cell));
}

/// A column of the moves that were made.
template <class Cell>
void add(Columns& columns, ReportColumn column, Cell cell) {
    columns.push_back({std::move(column), [cell](const Line& line) {
                           return line.step() ? cell(*line.move) : does_not_apply();
                       }});
}

/// A column of the program, as measured and after each move that was made.
template <class Cell>
void add_of_program(Columns& columns, ReportColumn column, Cell cell) {
    columns.push_back({std::move(column), [cell](const Line& line) {
                           if (line.program) return cell(*line.program);
                           return line.step() ? cell(line.step()->program) : does_not_apply();
                       }});
}

/// "6.00 ms → 3.00 ms", of a batch "… per input": what a launch takes stands in the state.
ReportCell kernel_time_cell(const ScenarioRow& row) {
    const auto before = time_before(row);
    const auto after = time_after(row);
    if (!before || !after) return not_measured();
    return word_cell(per_input_if(row.step->after.inputs > 1,
                                  marked_if(row.kernel->model.time_doubted, format(*before)) + " → " +
                                      marked_if(row.kernel->model.approximate, format(*after))));
}

/// Moves that were not made, or promise nothing.
CellTone move_tone(const Line& line) {
    const bool made = line.step() && !line.step()->unpromised;
    return made || state_of(*line.move).empty() ? CellTone::plain : CellTone::faint;
}

void add_time_columns(const ScenarioEffect& effect, Columns& columns) {
    add(columns, {"time_before", "Time before", "s", ColumnKind::number, ColumnPlace::main, "time"},
        [](const ScenarioRow& row) {
            return marked_if(row.kernel->model.time_doubted, scaled(time_before(row)));
        });
    add(columns, {"time", "Time after", "s", ColumnKind::number, ColumnPlace::main, "time"},
        [](const ScenarioRow& row) { return of_time(row, scaled(time_after(row))); });
    add(columns, words_column("kernel_time", "Kernel time", ColumnPlace::window_only, 4), kernel_time_cell);
    add(columns, {"speed_up", "Kernel speed-up", ""},
        [](const ScenarioRow& row) { return of_time(row, pace(kernel_speed_up(row))); });
    add_of_program(
        columns,
        {.id = "program_time", .title = "Program time", .unit = "s", .quantity = "program_time", .window = 5},
        [](const ProgramTotals& program) {
            return marked_if(program.time_doubted, scaled(std::optional(program.time)));
        });
    add(columns, {"program_saved", "Saved", "s", ColumnKind::number, ColumnPlace::main, "program_time"},
        [](const ScenarioRow& row) {
            return of_time(row, scaled(std::optional(row.before->time - row.step->program.time)));
        });
    const auto gain = [&effect](const ProgramTotals& program) { return speed_up(effect.before, program); };
    add_of_program(columns, {"program_speed_up", "Program speed-up", ""},
                   [gain](const ProgramTotals& program) {
                       return marked_if(program.time_doubted, pace(gain(program)));
                   });
    add_of_program(columns, words_column("program_pace", "Program speed-up", ColumnPlace::window_only, 6),
                   [gain](const ProgramTotals& program) {
                       const auto faster = gain(program);
                       return faster ? word_cell(marked_if(program.time_doubted, pace_words(*faster)))
                                     : does_not_apply();
                   });
}

void add_level_columns(const AnalysisOptions& options, Columns& columns) {
    for (const MemoryLevel level : all_levels) {
        const bool shown = options.levels[level];
        const ColumnPlace place = shown ? ColumnPlace::detail : ColumnPlace::files_only;
        // Bytes that are not shown have no say in the unit of those that are.
        const std::string quantity = shown ? "bytes" : std::string(id_of(level)) + "_bytes";
        const std::string id(id_of(level));
        const std::string label(label_of(level, options.memory));
        add(columns,
            {id + "_bytes_before", "Bytes " + label + " before", "byte", ColumnKind::number, place, quantity},
            [level](const ScenarioRow& row) { return scaled(row.step->before.bytes[level]); });
        add(columns,
            {id + "_bytes", "Bytes " + label + " after", "byte", ColumnKind::number, place, quantity},
            [level](const ScenarioRow& row) { return scaled(row.step->after.bytes[level]); });
        add_of_program(columns,
                       {"program_" + id + "_bytes", "Program bytes " + label, "byte", ColumnKind::number,
                        place, "program_" + quantity},
                       [level](const ProgramTotals& program) { return scaled(program.bytes[level]); });
    }
}

/// What a kernel is bound by after a move, at the time that is told: as the table of kernels has it.
std::optional<NearestLimit> bound_after(const ScenarioRow& row) {
    const auto limit = tightest_limit(row.step->after_in_program(), row.kernel->model);
    return limit ? limit : what_binds(row.step->after_in_program(), row.kernel->model);
}

void add_verdict_columns(const VerdictThresholds& thresholds, Columns& columns) {
    add(columns, {"binding_ceiling", "Bound by", "", ColumnKind::words}, [](const ScenarioRow& row) {
        const auto binds = bound_after(row);
        return binds ? word_cell(label_of(*binds, row.kernel->model.memory)) : does_not_apply();
    });
    add(columns, {"share_of_limit", "Of limit", "", ColumnKind::share}, [](const ScenarioRow& row) {
        const auto binds = bound_after(row);
        if (!binds || binds->share <= 0) return does_not_apply();
        return of_time(row, number_cell(binds->share, format_percent(binds->share)));
    });
    add(columns, {"class", "Class", "", ColumnKind::words}, [thresholds](const ScenarioRow& row) {
        return word_cell(class_name(row.step->after_in_program(), row.kernel->model, thresholds));
    });
}

void add_move_columns(MemoryName memory, Columns& columns) {
    columns.push_back(
        {{.id = "kernel", .title = "Kernel", .kind = ColumnKind::name, .window = 2}, [](const Line& line) {
             return word_cell(line.move ? line.move->move->kernel.name : "the program");
         }});
    columns.push_back({.column = {.id = "move", .title = "Move", .kind = ColumnKind::words, .window = 1},
                       .cell =
                           [](const Line& line) {
                               return word_cell(line.move ? title_of(*line.move->move) : "as measured");
                           },
                       .note = [](const Line& line) { return line.move->move->assumption; }});
    columns.push_back(
        {words_column("change", "Change", ColumnPlace::window_only, 3),
         [memory](const Line& line) { return word_cell(change_of(*line.move->move, memory)); }});
}

/// It claims more than the model allows.
bool is_beyond_model(const ScenarioRow& row) {
    return row.step && (row.move->beyond_model || row.past_algorithm);
}

void add_state_columns(Columns& columns) {
    columns.push_back({.column = {.id = "state", .title = "State", .kind = ColumnKind::words, .window = 7},
                       .cell =
                           [](const Line& line) {
                               std::string state = line.move ? state_of(*line.move) : std::string();
                               return state.empty() ? does_not_apply() : word_cell(std::move(state));
                           },
                       .note = [](const Line& line) { return move_limit_words(*line.move); },
                       .tone =
                           [](const Line& line) {
                               return is_beyond_model(*line.move) ? CellTone::warning : move_tone(line);
                           }});
    columns.push_back({words_column("assumption", "Assumption", ColumnPlace::detail), [](const Line& line) {
                           const bool assumes = line.move && !line.move->move->assumption.empty();
                           return assumes ? word_cell(line.move->move->assumption) : does_not_apply();
                       }});
}

/// "; 1 launch instead of 2,000, which saves at most 12.3 ms in which no kernel ran"
std::string launch_words(const ScenarioEffect& effect) {
    const double before = std::round(effect.before.calls);
    const double after = std::round(effect.after.calls);
    if (before == after) return {};
    std::string text = fmt::format("; {} launch{} instead of {}", format_count(after), after == 1 ? "" : "es",
                                   format_count(before));
    if (effect.before.idle && *effect.before.idle > *effect.after.idle)
        text += fmt::format(", which saves at most {} in which no kernel ran",
                            format(*effect.before.idle - *effect.after.idle));
    return text;
}

/// "; 2 moves stop at the roof"
std::string stop_words(const Scenario& scenario, const ScenarioEffect& effect) {
    std::uint32_t at_roof = 0;
    std::uint32_t at_algorithm = 0;
    std::uint32_t at_launch = 0;
    std::uint32_t past = 0;
    std::uint32_t by_nearest = 0;
    std::uint32_t launches_only = 0;
    std::string limit;
    std::string holds;
    std::string_view memory;
    EnumArray<UnpromisedReason, std::uint32_t, 4> unpromised;
    for (const ScenarioRow& row : scenario_rows(scenario, effect)) {
        at_roof += row.stopped_at == StoppedAt::roof && !row.step->unpromised ? 1U : 0U;
        at_algorithm += row.stopped_at == StoppedAt::algorithm ? 1U : 0U;
        at_launch += row.stopped_at == StoppedAt::launch && !row.step->unpromised ? 1U : 0U;
        past += row.past_algorithm ? 1U : 0U;
        if (!row.step) continue;
        memory = label_of(row.kernel->model.memory);
        if (!row.step->unpromised) continue;
        if (saves_launches(row.kernel->model, row.step->before, row.step->after)) {
            ++launches_only;
            continue;
        }
        if (row.step->unpromised == UnpromisedReason::bound_elsewhere)
            holds = unrelieved_limit_label(row.kernel->model, row.step->before, row.step->after);
        const auto& nearest = row.kernel->model.nearest;
        if (row.step->unpromised == UnpromisedReason::unknown_roof && nearest) {
            ++by_nearest;
            limit =
                fmt::format("{} is nearest to its limit, at {}", label_of(*nearest, row.kernel->model.memory),
                            marked_if(row.kernel->model.approximate, format_percent(nearest->share)));
        } else {
            ++unpromised[*row.step->unpromised];
        }
    }
    std::string text;
    const auto add = [&](std::uint32_t moves, std::string_view one, std::string_view many) {
        if (moves > 0) text += fmt::format("; {} {}", format_count(moves), moves == 1 ? one : many);
    };
    add(at_roof, "move stops at the roof", "moves stop at the roof");
    add(at_algorithm, "move stops at what its algorithm needs", "moves stop at what their algorithms need");
    add(at_launch, "move stops at the launch floor", "moves stop at the launch floor");
    add(past, fmt::format("move leaves fewer {} bytes than its algorithm needs", memory),
        fmt::format("moves leave fewer {} bytes than their algorithms need", memory));
    add(launches_only, "move promises only the launches that it saves",
        "moves promise only the launches that they save");
    add(unpromised[UnpromisedReason::no_roof], "move promises nothing: its kernel is well below every roof",
        "moves promise nothing: their kernels are well below every roof");
    add(unpromised[UnpromisedReason::too_short], "move promises nothing: a launch takes no less",
        "moves promise nothing: a launch takes no less");
    add(unpromised[UnpromisedReason::bound_elsewhere],
        fmt::format("move promises nothing: {} binds its kernel", holds),
        "moves promise nothing: another limit binds");
    add(unpromised[UnpromisedReason::unknown_roof],
        "move promises nothing: which roof binds its kernel is not known",
        "moves promise nothing: which roof binds is not known");
    add(by_nearest, "move promises nothing: " + limit,
        "moves promise nothing: only what is nearest to its limit is known of their kernels");
    return text;
}

}  // namespace

std::vector<ScenarioColumn> scenario_columns(const AnalysisOptions& options, const ScenarioEffect& effect) {
    Columns columns;
    add_move_columns(options.memory, columns);
    add_time_columns(effect, columns);
    add_level_columns(options, columns);
    add_verdict_columns(options.thresholds, columns);
    add_state_columns(columns);
    for (ScenarioColumn& rule : columns)
        if (!rule.tone) rule.tone = move_tone;
    return columns;
}

ReportTable scenario_table(const Scenario& scenario, const Analysis& analysis, const ScenarioEffect& effect) {
    const std::vector<ScenarioRow> rows = scenario_rows(scenario, effect);
    std::vector<Line> lines{{.program = &effect.before}};
    for (const ScenarioRow& row : rows)
        lines.push_back({.move = &row});
    Columns columns = scenario_columns(analysis.options, effect);
    columns.push_back({{.id = "source",
                        .title = "Report",
                        .kind = ColumnKind::words,
                        .place = analysis.several_reports ? ColumnPlace::main : ColumnPlace::files_only},
                       [&](const Line& line) {
                           const MovedKernel* kernel = line.move ? line.move->kernel : nullptr;
                           return kernel
                                      ? word_cell(std::string(name_of_report(analysis.points[kernel->point])))
                                      : does_not_apply();
                       }});
    return export_table(std::move(columns), lines);
}

std::string scenario_sentence(const Scenario& scenario, const ScenarioEffect& effect) {
    const std::size_t made = effect.steps.size();
    const std::size_t all = scenario.moves.size();
    std::string moves = scenario.name.empty() ? "Scenario" : "Scenario \"" + scenario.name + "\"";
    moves += fmt::format(": {}{} move{} made", made, made == all ? "" : fmt::format(" of {}", all),
                         all == 1 ? "" : "s");
    const auto idle = std::ranges::count_if(effect.steps, &ScenarioStep::left_as_it_was);
    if (idle > 0)
        moves += made == 1 ? ", which changes nothing"
                           : fmt::format(", {} of which change{} nothing", idle, idle == 1 ? "s" : "");
    const bool doubted = effect.after.time_doubted;
    const bool of_a_batch = std::ranges::any_of(
        effect.steps, [](const ScenarioStep& step) { return step.after.inputs > 1 && !step.unpromised; });
    std::string text;
    if (const auto gain = speed_up(effect.before, effect.after))
        text = fmt::format("The program takes {} instead of {} ({})",
                           per_input_if(of_a_batch, marked_if(doubted, format(effect.after.time))),
                           marked_if(effect.before.time_doubted, format(effect.before.time)),
                           marked_if(doubted, pace_words(*gain)));
    else
        text = "The time of the program is not known";
    text += launch_words(effect) + stop_words(scenario, effect);
    if (effect.before.rows_without_time > 0)
        text += fmt::format("; {} of {} rows {}", format_count(effect.before.rows_without_time),
                            format_count(effect.before.rows),
                            effect.before.rows_without_time == 1 ? "has no time and is left out"
                                                                 : "have no time and are left out");
    return moves + ". " + short_sentences(text + ".").text();
}

namespace {

void write_bytes(JsonWriter& json, const EnumArray<MemoryLevel, std::optional<Bytes>>& bytes) {
    json.object("bytes", [&] {
        for (const MemoryLevel level : all_levels)
            json.member(id_of(level), bytes[level]);
    });
}

void write_totals(JsonWriter& json, std::string_view key, const ProgramTotals& totals) {
    json.object(key, [&] {
        json.member("time_s", totals.time);
        json.member("launches", totals.calls);
        json.member("idle_s", totals.idle);
        write_bytes(json, totals.bytes);
    });
}

void write_state(JsonWriter& json, std::string_view key, const KernelState& state, const KernelModel& model,
                 const std::optional<NearestLimit>& binds, const VerdictThresholds& thresholds) {
    json.object(key, [&] {
        json.member("time_s", time_of_all(state, model));
        json.member("time_doubted", model.time_doubted);
        json.member("inputs", state.inputs);
        json.member("work", model.work_known ? std::optional(work_of(state, model.roofs)) : std::nullopt);
        write_bytes(json, state.bytes);
        const auto bound = speed_of_light(state, model.roofs);
        json.member("binding", bound ? std::optional(label_of(bound->binding, model.memory)) : std::nullopt);
        json.member("binding_id", bound ? std::optional(bound->binding) : std::nullopt);
        const auto gap = gap_of(state, model.roofs);
        json.member("vertical_gap", gap ? std::optional(gap->factor) : std::nullopt);
        const HardwareUnit* unit = binds ? std::get_if<HardwareUnit>(&binds->of) : nullptr;
        json.member("held_by", bound && unit ? std::optional(id_of(*unit)) : std::nullopt);
        json.member("class", class_of(state, model, thresholds));
    });
}

void write_row(JsonWriter& json, const ScenarioRow& row, const Analysis& analysis) {
    const VerdictThresholds& thresholds = analysis.options.thresholds;
    json.member("kernel", row.move->kernel.name);
    json.member("source", row.kernel ? std::optional(name_of_report(analysis.points[row.kernel->point]))
                                     : std::nullopt);
    json.member("name", row.move->name);
    json.member("preset", row.move->preset);
    json.member("assumption", row.move->assumption);
    json.member("beyond_model", row.move->beyond_model);
    json.member("on", row.move->on);
    json.member("made", row.step != nullptr);
    json.member("why_not", row.why);
    json.member("stopped_at", row.stopped_at);
    json.member("past_algorithm", row.past_algorithm);
    json.key("promises_nothing");
    row.step&& row.step->unpromised ? json.value(*row.step->unpromised) : json.null();
    if (!row.step) return;
    write_state(json, "before", row.step->before_in_program(), row.kernel->model,
                what_binds(row.step->before_in_program(), row.kernel->model), thresholds);
    write_state(json, "after", row.step->after_in_program(), row.kernel->model, bound_after(row), thresholds);
    write_totals(json, "program", row.step->program);
}

}  // namespace

std::string to_scenario_report_json(const Scenario& scenario, const Analysis& analysis,
                                    const ScenarioEffect& effect) {
    return json_document([&](JsonWriter& json) {
        json.member("format", "roofwalk-scenario-report");
        json.member("version", 1);
        json.member("scenario", scenario.name);
        json.member("sentence", scenario_sentence(scenario, effect));
        json.member("work_unit", work_unit(analysis.options.operations));
        json.member("rows", effect.before.rows);
        json.member("rows_without_time", effect.before.rows_without_time);
        json.object("rows_without_bytes", [&] {
            for (const MemoryLevel level : all_levels)
                json.member(id_of(level), effect.before.rows_without_bytes[level]);
        });
        json.next_line();
        write_totals(json, "before", effect.before);
        json.next_line();
        write_totals(json, "after", effect.after);
        json.line("speed_up", speed_up(effect.before, effect.after));
        json.next_line();
        json.next_line();
        json.object_lines("moves", scenario_rows(scenario, effect),
                          [&](const ScenarioRow& row) { write_row(json, row, analysis); });
    });
}

}  // namespace roofwalk

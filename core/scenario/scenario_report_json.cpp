// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/json_text.h"
#include "core/scenario/scenario_report.h"
#include "core/scenario/scenario_rows.h"

namespace roofwalk {

namespace {

void write_bytes(JsonText& json, const std::array<std::optional<Bytes>, level_count>& bytes) {
    json.key("bytes");
    json.begin_object();
    for (const MemoryLevel level : all_levels)
        json.member(id_of(level), bytes[index_of(level)]);
    json.end_object();
}

void write_totals(JsonText& json, std::string_view key, const ProgramTotals& totals) {
    json.key(key);
    json.begin_object();
    json.member("time_s", totals.time.value());
    write_bytes(json, totals.bytes);
    json.end_object();
}

void write_state(JsonText& json, std::string_view key, const KernelState& state, const KernelModel& model,
                 const Thresholds& thresholds) {
    json.key(key);
    json.begin_object();
    json.member("time_s", state.time);
    json.member("work", work_of(state, model.roofs).value());
    write_bytes(json, state.bytes);
    const auto bound = speed_of_light(state, model.roofs);
    json.key("binding");
    bound ? json.value(label_of(bound->binding)) : json.null();
    const auto gap = gap_of(state, model.roofs);
    json.key("vertical_gap");
    gap ? json.value(gap->factor) : json.null();
    json.member("class", id_of(class_of(state, model, thresholds)));
    json.end_object();
}

void write_row(JsonText& json, const ScenarioRow& row, const Thresholds& thresholds) {
    json.next_line();
    json.begin_object();
    json.member("kernel", row.move->kernel.name);
    json.member("name", row.move->name);
    json.member("preset", row.move->preset);
    json.member("assumption", row.move->assumption);
    json.member("beyond_model", row.move->beyond_model);
    json.member("on", row.move->on);
    json.member("made", row.step != nullptr);
    json.member("why_not", row.why);
    json.key("stopped_at");
    row.stopped_at ? json.value(id_of(*row.stopped_at)) : json.null();
    json.member("past_algorithm", row.past_algorithm);
    json.key("promises_nothing");
    row.step&& row.step->no_promise ? json.value(id_of(*row.step->no_promise)) : json.null();
    if (row.step) {
        write_state(json, "before", row.step->before, row.kernel->model, thresholds);
        write_state(json, "after", row.step->after, row.kernel->model, thresholds);
        write_totals(json, "program", row.step->program);
    }
    json.end_object();
}

}  // namespace

std::string to_scenario_report_json(const Scenario& scenario, const Analysis& analysis,
                                    const ScenarioEffect& effect) {
    JsonText json;
    json.begin_object();
    json.member("format", "roofwalk-scenario-report");
    json.member("version", 1U);
    json.member("scenario", scenario.name);
    json.member("sentence", scenario_sentence(scenario, effect));
    json.member("work_unit", work_unit(analysis.options.operations));
    json.member("rows", effect.before.rows);
    json.member("rows_hidden", effect.before.rows_hidden);
    json.member("rows_without_time", effect.before.rows_without_time);
    json.key("rows_without_bytes");
    json.begin_object();
    for (const MemoryLevel level : all_levels)
        json.member(id_of(level), effect.before.rows_without_bytes[index_of(level)]);
    json.end_object();
    json.next_line();
    write_totals(json, "before", effect.before);
    json.next_line();
    write_totals(json, "after", effect.after);
    json.next_line();
    json.key("speed_up");
    const auto gain = speed_up(effect.before, effect.after);
    gain ? json.value(*gain) : json.null();
    json.next_line();
    json.key("moves");
    json.begin_array();
    for (const ScenarioRow& row : scenario_rows(scenario, effect))
        write_row(json, row, analysis.options.thresholds);
    json.end_array();
    json.end_object();
    json.end_line();
    return json.take();
}

}  // namespace roofwalk

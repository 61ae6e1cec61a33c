// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario_element.h"
#include "core/scenario/scenario_json.h"

namespace roofwalk {

namespace {

void write_bytes(JsonText& json, const std::array<double, level_count>& bytes) {
    json.key("bytes");
    json.begin_object();
    for (const MemoryLevel level : all_levels)
        if (bytes[index_of(level)] != 1) json.member(id_of(level), bytes[index_of(level)]);
    json.end_object();
}

void write_needs(JsonText& json, const AlgorithmNeeds& needs) {
    if (needs == AlgorithmNeeds{}) return;
    json.key("needs");
    json.begin_object();
    if (needs.bytes != 1) json.member("bytes", needs.bytes);
    if (needs.work != 1) json.member("work", needs.work);
    json.end_object();
}

void write_move(JsonText& json, const Move& move) {
    json.next_line();
    json.begin_object();
    write_kernel_key(json, move.kernel);
    json.known_member("name", move.name);
    json.member("on", move.on);
    write_bytes(json, move.bytes);
    if (move.work != 1) json.member("work", move.work);
    if (move.pipe) {
        json.key("pipe");
        json.begin_object();
        json.member("from", id_of(move.pipe->from));
        json.member("to", id_of(move.pipe->to));
        json.end_object();
    }
    write_needs(json, move.needs);
    if (move.time_rule == MoveTime::factor)
        json.member("time", move.time);
    else
        json.member("time", id_of(move.time_rule));
    if (move.beyond_model) json.member("beyond_model", true);
    json.known_member("preset", move.preset);
    json.known_member("assumption", move.assumption);
    json.members(move.further);
    json.end_object();
}

}  // namespace

void write_scenario(JsonText& json, const Scenario& scenario) {
    json.begin_object();
    json.member("format", "roofwalk-scenario");
    json.member("version", 1U);
    json.known_member("name", scenario.name);
    json.members(scenario.further);
    json.next_line();
    json.key("moves");
    json.begin_array();
    for (const Move& move : scenario.moves)
        write_move(json, move);
    json.end_array();
    json.end_object();
}

std::string to_json(const Scenario& scenario) {
    JsonText json;
    write_scenario(json, scenario);
    json.end_line();
    return json.take();
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario_json.h"

#include <fmt/format.h>

#include "core/import/json/json_tree.h"
#include "core/operations/nearest_names.h"
#include "core/scenario/scenario_element.h"

namespace roofwalk {

namespace {

constexpr std::string_view format_id = "roofwalk-scenario";
constexpr int known_version = 1;

struct Draft {
    std::string_view format;
    std::optional<int> version;
    bool has_moves = false;
    Scenario scenario;
};

bool read_group(JsonElement value, const JsonPath& at, JsonChecker& check, Move& move) {
    return read_group_by(value, at, check, move.kernel.group_by);
}

template <auto Member>
bool read_key(JsonElement value, const JsonPath& at, JsonChecker& check, Move& move) {
    return check.read(value, at, move.kernel.*Member);
}

template <auto Member>
bool read_size(JsonElement value, const JsonPath& at, JsonChecker& check, Move& move) {
    return read_dim3(value, at, check, move.kernel.*Member);
}

bool read_factor(JsonElement value, const JsonPath& at, JsonChecker& check, double& target) {
    double factor = 0;
    if (value.get(factor) != simdjson::SUCCESS) return check.fail(at, "A factor is expected here");
    if (!(factor >= least_factor && factor <= largest_factor))
        return check.fail(at, "The factor is not between 1e-9 and 1e9",
                          "0.5 halves the amount, 1 leaves it as it is.");
    target = factor;
    return true;
}

bool read_bytes(JsonElement value, const JsonPath& at, JsonChecker& check, Move& move) {
    return each_member(value, at, check, [&](std::string_view key, JsonElement item, const JsonPath& here) {
        const auto level = level_from_id(key);
        if (!level) return check.fail(here, "The memory level is unknown", "Known are: hbm, l2, l1, smem.");
        return read_factor(item, here, check, move.bytes[index_of(*level)]);
    });
}

template <auto Member>
bool read_need(JsonElement value, const JsonPath& at, JsonChecker& check, AlgorithmNeeds& needs) {
    return read_factor(value, at, check, needs.*Member);
}

/// Of a small object that is not kept as it is read: what is not known would be lost.
template <class Target, std::size_t Count>
bool read_closed(JsonElement value, const JsonPath& at, JsonChecker& check,
                 const JsonField<Target> (&fields)[Count], Target& target) {
    const bool known =
        each_member(value, at, check, [&](std::string_view key, JsonElement, const JsonPath& here) {
            const auto names = names_of(fields);
            if (std::ranges::find(names, key) != names.end()) return true;
            return check.fail(here, "The member is unknown", "Known are: " + joined(names, ", ") + ".");
        });
    return known && read_fields(value, at, check, fields, target);
}

constexpr JsonField<AlgorithmNeeds> needs_fields[] = {
    {"bytes", read_need<&AlgorithmNeeds::bytes>},
    {"work", read_need<&AlgorithmNeeds::work>},
};

template <auto Member>
bool read_pipe(JsonElement value, const JsonPath& at, JsonChecker& check, PipeChange& change) {
    std::string_view id;
    if (!check.read(value, at, id)) return false;
    const auto pipe = pipe_from_id(id);
    if (!pipe) return check.fail(at, "The pipe is unknown", "Pipes are named as in a profile: tensor.fp16.");
    change.*Member = *pipe;
    return true;
}

constexpr JsonField<PipeChange> pipe_fields[] = {
    {"from", read_pipe<&PipeChange::from>},
    {"to", read_pipe<&PipeChange::to>},
};

bool read_pipe_change(JsonElement value, const JsonPath& at, JsonChecker& check, Move& move) {
    for (const char* end : {"from", "to"})
        if (value.at_key(end).error() != simdjson::SUCCESS)
            return check.fail(at, "The pipes that the work leaves and goes to are expected here",
                              R"(As in {"from": "fp32", "to": "tensor.tf32"}.)");
    return read_closed(value, at, check, pipe_fields, move.pipe.emplace());
}

bool read_time(JsonElement value, const JsonPath& at, JsonChecker& check, Move& move) {
    std::string_view rule;
    if (value.get(rule) != simdjson::SUCCESS) {
        move.time_rule = MoveTime::factor;
        return read_factor(value, at, check, move.time);
    }
    for (const MoveTime known : {MoveTime::keep_efficiency, MoveTime::to_roof})
        if (rule == id_of(known)) {
            move.time_rule = known;
            return true;
        }
    return check.fail(at, "The rule for the time is unknown",
                      "Known are: keep_efficiency, to_roof, or a factor as a number.");
}

constexpr JsonField<Move> move_fields[] = {
    {"kernel", read_key<&KernelKey::name>},
    {"group", read_group},
    {"grid", read_size<&KernelKey::grid>},
    {"block", read_size<&KernelKey::block>},
    {"occurrence", read_key<&KernelKey::occurrence>},
    {"name", read_member<&Move::name>},
    {"on", read_member<&Move::on>},
    {"bytes", read_bytes},
    {"work", [](JsonElement value, const JsonPath& at, JsonChecker& check,
                Move& move) { return read_factor(value, at, check, move.work); }},
    {"pipe", read_pipe_change},
    {"needs", [](JsonElement value, const JsonPath& at, JsonChecker& check,
                 Move& move) { return read_closed(value, at, check, needs_fields, move.needs); }},
    {"inputs", [](JsonElement value, const JsonPath& at, JsonChecker& check,
                  Move& move) { return read_factor(value, at, check, move.inputs); }},
    {"time", read_time},
    {"beyond_model", read_member<&Move::beyond_model>},
    {"preset", read_member<&Move::preset>},
    {"assumption", read_member<&Move::assumption>},
};

bool read_move(JsonElement value, const JsonPath& at, JsonChecker& check, Move& move) {
    if (!read_fields(value, at, check, move_fields, move)) return false;
    if (move.kernel.name.empty())
        return check.fail(at, "The move does not say which kernel it changes",
                          "\"kernel\" is the whole name as roofwalk-cli report --format csv gives it.");
    move.further = unknown_members(value, move_fields);
    return true;
}

constexpr JsonField<Draft> scenario_fields[] = {
    {"format", read_member<&Draft::format>},
    {"version", read_member<&Draft::version>},
    {"name", [](JsonElement value, const JsonPath& at, JsonChecker& check,
                Draft& draft) { return check.read(value, at, draft.scenario.name); }},
    {"moves",
     [](JsonElement value, const JsonPath& at, JsonChecker& check, Draft& draft) {
         draft.has_moves = true;
         return each_item(value, at, check, [&](JsonElement item, const JsonPath& here) {
             if (draft.scenario.moves.size() == most_moves) return too_many(here, check, "moves", most_moves);
             return read_move(item, here, check, draft.scenario.moves.emplace_back());
         });
     }},
};

/// A member without effect, seen for the first time.
struct UnknownMember {
    std::string key;
    std::string place;
    std::vector<std::string_view> meant;
    std::size_t times = 1;
};

/// Collects the keys of `further`, the members that an object of a scenario keeps as JSON text.
void add_unknown(std::vector<UnknownMember>& list, simdjson::dom::parser& parser, const std::string& further,
                 const JsonPath& at, std::span<const std::string_view> names) {
    constexpr std::size_t most = 20;
    if (further.empty()) return;
    simdjson::dom::object object;
    if (parser.parse("{" + further + "}").get(object) != simdjson::SUCCESS) return;
    for (const simdjson::dom::key_value_pair member : object) {
        if (member.key == "$schema") continue;
        const auto known = std::ranges::find(list, member.key, &UnknownMember::key);
        if (known != list.end())
            ++known->times;
        else if (list.size() < most)
            list.push_back({std::string(member.key), to_string(JsonPath{&at, member.key, {}}),
                            nearest_names(member.key, names)});
    }
}

}  // namespace

std::vector<Error> members_without_effect(const Scenario& scenario, const std::string& name,
                                          std::string_view part) {
    std::vector<UnknownMember> unknown;
    const JsonPath root;
    const JsonPath moves{&root, "moves", {}};
    simdjson::dom::parser parser;
    add_unknown(unknown, parser, scenario.further, root, names_of(scenario_fields));
    for (std::size_t i = 0; i < scenario.moves.size(); ++i)
        add_unknown(unknown, parser, scenario.moves[i].further, JsonPath{&moves, {}, i},
                    names_of(move_fields));
    std::vector<Error> list;
    for (const UnknownMember& member : unknown)
        list.push_back({ErrorCode::bad_schema,
                        fmt::format("The member {} is not known and has no effect{}", quoted_word(member.key),
                                    member.times > 1 ? fmt::format(", {} times", member.times) : ""),
                        fmt::format("{}, {}{}", name, part, member.place),
                        member.meant.empty()
                            ? "It is kept when the scenario is saved; a newer Roofwalk may know it."
                            : fmt::format("Did you mean {}?", joined(member.meant, " or "))});
    return list;
}

bool read_scenario(JsonElement value, const JsonPath& at, JsonChecker& check, Scenario& target) {
    Draft draft;
    if (!read_fields(value, at, check, scenario_fields, draft)) return false;
    if ((!draft.format.empty() && draft.format != format_id) || (draft.format.empty() && !draft.has_moves))
        return check.fail(at, "This JSON is no scenario",
                          R"(A scenario has "format": "roofwalk-scenario" and a list of "moves".)");
    if (draft.version.value_or(known_version) != known_version)
        return check.fail({&at, "version", {}}, "The scenario is of a version that is not known here",
                          "Open it with the Roofwalk that wrote it, or a newer one.",
                          ErrorCode::unsupported_version);
    draft.scenario.further = unknown_members(value, scenario_fields);
    target = std::move(draft.scenario);
    return true;
}

Result<Scenario> read_scenario(std::string_view text, const std::string& name) {
    simdjson::dom::parser parser;
    const Result<JsonElement> root = parse_json_tree(parser, text, "scenario", name);
    if (!root) return tl::unexpected(root.error());
    JsonChecker check;
    Scenario scenario;
    if (read_scenario(*root, {}, check, scenario)) return scenario;
    return tl::unexpected(error_of(check.fault(), name));
}

Result<std::string> to_scenario_file(const Scenario& scenario, const std::string& name) {
    std::string text = to_json(scenario);
    const Result<Scenario> read = read_scenario(text, name);
    if (read) return text;
    return tl::unexpected(
        Error{read.error().code,
              "The scenario was not written, since it could not be opened again: " + read.error().what,
              read.error().where, "Nothing of it is lost. Take some of its moves back, or divide it."});
}

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
    if (move.inputs != 1) json.member("inputs", move.inputs);
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

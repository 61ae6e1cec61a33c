// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "core/export/json_text.h"
#include "core/import/json_reader_check.h"
#include "core/import/json_reader_split.h"
#include "core/scenario/scenario_json.h"

namespace roofwalk {

namespace {

constexpr std::size_t longest_text = std::size_t{64} << 20;
constexpr std::string_view format_id = "roofwalk-scenario";
constexpr int known_version = 1;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

struct Draft {
    std::string_view format;
    std::optional<int> version;
    bool has_moves = false;
    Scenario scenario;
};

bool read_group(JsonElement value, const JsonPath& at, JsonChecker& check, Move& move) {
    std::string_view id;
    if (!check.read(value, at, id)) return false;
    const auto group = group_by_from_id(id);
    if (!group) return check.fail(at, "The grouping is unknown", "Known are: launch, kernel, nvtx.");
    move.kernel.group_by = *group;
    return true;
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
    return read_fields(value, at, check, pipe_fields, move.pipe.emplace());
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
    {"time", read_time},
    {"beyond_model", read_member<&Move::beyond_model>},
    {"preset", read_member<&Move::preset>},
    {"assumption", read_member<&Move::assumption>},
};

/// Members that no field knows, as JSON text.
template <class Target, std::size_t Count>
std::string unknown_members(JsonElement value, const JsonField<Target> (&fields)[Count]) {
    std::string text;
    simdjson::dom::object object;
    if (value.get(object) != simdjson::SUCCESS) return text;
    for (const simdjson::dom::key_value_pair member : object) {
        const auto known = std::ranges::find(std::span(fields), member.key, &JsonField<Target>::name);
        if (known != std::span(fields).end()) continue;
        if (!text.empty()) text += ',';
        append_json_string(text, member.key);
        text += ':';
        text += simdjson::minify(member.value);
    }
    return text;
}

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
             return read_move(item, here, check, draft.scenario.moves.emplace_back());
         });
     }},
};

bool read_document(JsonElement value, JsonChecker& check, Draft& draft) {
    if (!read_fields(value, {}, check, scenario_fields, draft)) return false;
    const JsonPath root;
    if ((!draft.format.empty() && draft.format != format_id) || (draft.format.empty() && !draft.has_moves))
        return check.fail(root, "This JSON is no scenario",
                          R"(A scenario has "format": "roofwalk-scenario" and a list of "moves".)");
    if (draft.version.value_or(known_version) != known_version)
        return check.fail({&root, "version", {}}, "The scenario is of a version that is not known here",
                          "Open it with the Roofwalk that wrote it, or a newer one.",
                          ErrorCode::unsupported_version);
    draft.scenario.further = unknown_members(value, scenario_fields);
    return true;
}

/// "line 3": where a text stops being JSON; simdjson does not tell.
std::string place_of_damage(std::string_view text) {
    const auto keep_nothing = [](int, nlohmann::json::parse_event_t, nlohmann::json&) { return false; };
    try {
        [[maybe_unused]] const auto nothing = nlohmann::json::parse(text, keep_nothing);
    } catch (const nlohmann::json::exception& damage) {
        if (const auto* at = dynamic_cast<const nlohmann::json::parse_error*>(&damage))
            return "line " + std::to_string(line_of(text, std::min(at->byte, text.size())));
    }
    return {};
}

tl::unexpected<Error> failure(ErrorCode code, std::string what, const std::string& name,
                              const std::string& place, std::string hint) {
    return tl::unexpected(
        Error{code, std::move(what), place.empty() ? name : name + ", " + place, std::move(hint)});
}

}  // namespace

Result<Scenario> read_scenario(std::string_view text, const std::string& name) {
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    if (text.size() > longest_text)
        return failure(ErrorCode::too_large, "The scenario is longer than 64 MiB", name, {}, {});
    simdjson::dom::parser parser{longest_text};
    JsonElement root;
    const simdjson::padded_string padded(text);
    if (const auto code = parser.parse(padded).get(root); code != simdjson::SUCCESS)
        return failure(ErrorCode::bad_json, std::string("This is not JSON: ") + simdjson::error_message(code),
                       name, place_of_damage(text),
                       "A comma, colon, quotation mark or bracket may be missing.");
    JsonChecker check;
    Draft draft;
    if (read_document(root, check, draft)) return std::move(draft.scenario);
    const JsonFault& fault = check.fault();
    return failure(fault.code, fault.what, name, fault.path, fault.hint);
}

}  // namespace roofwalk

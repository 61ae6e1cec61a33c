// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario_json.h"

#include <fmt/format.h>

#include "core/base/json_decoder.h"
#include "core/base/nearest_names.h"
#include "core/base/text.h"
#include "core/model/profile_codec.h"

namespace roofwalk {

namespace {

constexpr std::string_view format_id = "roofwalk-scenario";
constexpr int known_version = 1;

/// Left out where it changes nothing.
struct FactorNumber {
    static bool known(double factor) { return factor != 1; }
    static bool read(const JsonValue& value, double& target) {
        double factor = 0;
        if (value.element.get(factor) != simdjson::SUCCESS) return value.fail("A factor is expected here");
        if (!(factor >= least_factor && factor <= largest_factor))
            return value.fail("The factor is not between 1e-9 and 1e9",
                              "0.5 halves the amount, 1 leaves it as it is.");
        target = factor;
        return true;
    }
};

/// 0: another kernel does its work, and it is a launch no more.
struct LaunchFactor {
    static bool known(double factor) { return FactorNumber::known(factor); }
    static bool read(const JsonValue& value, double& target) {
        double factor = 1;
        if (value.element.get(factor) != simdjson::SUCCESS || factor != 0)
            return FactorNumber::read(value, target);
        target = 0;
        return true;
    }
};

/// Left out where nothing is added.
struct AddedBytes {
    static bool known(double factor) { return factor != 0; }
    static bool read(const JsonValue& value, double& target) {
        if (!read_json(value, target)) return false;
        return target <= largest_factor || value.fail("The factor is not between 0 and 1e9");
    }
};

struct LevelFactors {
    static void write(JsonWriter& json, const auto& factors) {
        FieldWriter field(json);
        json.object([&] {
            for (const MemoryLevel level : all_levels)
                field(id_of(level), coded<FactorNumber>(factors[level]));
        });
    }
    static bool read(const JsonValue& value, auto& factors) {
        return value.each_member([&](std::string_view key, const JsonValue& item) {
            const auto level = enum_from_id<MemoryLevel>(key);
            if (!level) return item.fail("The memory level is unknown", "Known are: hbm, l2, l1, smem.");
            return FactorNumber::read(item, factors[*level]);
        });
    }
};

/// A rule by its name, or a factor.
struct TimeRule {
    static void write(JsonWriter& json, const Move& move) {
        if (move.time_rule == MoveTime::factor)
            json.value(move.time);
        else
            json.value(move.time_rule);
    }
    static bool read(const JsonValue& value, Move& move) {
        std::string_view rule;
        if (value.element.get(rule) != simdjson::SUCCESS) {
            move.time_rule = MoveTime::factor;
            return FactorNumber::read(value, move.time);
        }
        for (const MoveTime known : {MoveTime::keep_efficiency, MoveTime::to_roof})
            if (rule == id_of(known)) {
                move.time_rule = known;
                return true;
            }
        return value.fail("The rule for the time is unknown",
                          "Known are: keep_efficiency, to_roof, or a factor as a number.");
    }
};

template <class AnyScenario>
struct ScenarioDocument {
    explicit ScenarioDocument(AnyScenario& its) : scenario(its) {}

    AnyScenario& scenario;
    std::string_view format{};
    std::optional<int> version{};

    friend void each_field(auto& field, MaybeConst<ScenarioDocument> auto& document) {
        field("format", document.format);
        field("version", document.version);
        field("name", document.scenario.name);
        field.unknown(document.scenario.unknown_members);
        field.line("moves", always(lines(document.scenario.moves, most_moves, "moves")));
    }
};

/// A member without effect, seen for the first time.
struct UnknownMember {
    std::string key;
    std::string place;
    std::vector<std::string_view> meant;
    std::size_t times = 1;
};

/// Collects the keys of `members`, those that an object of a scenario keeps as JSON text.
void add_unknown(std::vector<UnknownMember>& list, simdjson::dom::parser& parser, const std::string& members,
                 const JsonPath& at, std::span<const std::string_view> names) {
    constexpr std::size_t most = 20;
    if (members.empty()) return;
    simdjson::dom::object object;
    if (parser.parse("{" + members + "}").get(object) != simdjson::SUCCESS) return;
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

void each_field(auto& field, MaybeConst<KernelKey> auto& key) {
    field("kernel", always(key.name));
    field("group", key.group_by);
    field("grid", key.grid);
    field("block", key.block);
    field("occurrence", unless(key.occurrence, 0));
}

void each_field(auto& field, MaybeConst<PipeChange> auto& change) {
    field("from", change.from);
    field("to", change.to);
}

void each_field(auto& field, MaybeConst<AlgorithmNeeds> auto& needs) {
    field("bytes", coded<FactorNumber>(needs.bytes));
    field("work", coded<FactorNumber>(needs.work));
}

void each_field(auto& field, MaybeConst<Move> auto& move) {
    each_field(field, move.kernel);
    field("name", move.name);
    field("on", move.on);
    field("bytes", coded<LevelFactors>(move.bytes));
    field("work", coded<FactorNumber>(move.work));
    field("pipe", move.pipe);
    field("needs", unless(move.needs, {}));
    field("inputs", coded<FactorNumber>(move.inputs));
    field("launches", coded<LaunchFactor>(move.launches));
    field("calls", coded<FactorNumber>(move.calls));
    field("smem_of_l2", coded<AddedBytes>(move.smem_of_l2));
    field("time", coded<TimeRule>(move));
    field("beyond_model", unless(move.beyond_model, false));
    field("preset", move.preset);
    field("number", move.number);
    field("assumption", move.assumption);
    field.unknown(move.unknown_members);
}

std::vector<Notice> members_without_effect(const Scenario& scenario, const std::string& name,
                                           std::string_view part) {
    std::vector<UnknownMember> unknown;
    const JsonPath root;
    const JsonPath moves{&root, "moves", {}};
    simdjson::dom::parser parser;
    Scenario none;
    add_unknown(unknown, parser, scenario.unknown_members, root, field_names(ScenarioDocument(none)));
    const std::vector<std::string_view> of_moves = field_names(Move{});
    for (std::size_t i = 0; i < scenario.moves.size(); ++i)
        add_unknown(unknown, parser, scenario.moves[i].unknown_members, JsonPath{&moves, {}, i}, of_moves);
    std::vector<Notice> list;
    for (const UnknownMember& member : unknown)
        list.push_back({Severity::warning,
                        fmt::format("The member {} is not known and has no effect{}", quoted_word(member.key),
                                    member.times > 1 ? fmt::format(", {} times", member.times) : ""),
                        fmt::format("{}, {}{}", name, part, member.place),
                        member.meant.empty()
                            ? "It is kept when the scenario is saved; a newer Roofwalk may know it."
                            : fmt::format("Did you mean {}?", joined(member.meant, " or "))});
    return list;
}

/// Of a small object that is not kept as it is read: what is not known would be lost.
template <class Target>
static bool read_closed(const JsonValue& value, Target& target) {
    const std::vector<std::string_view> names = field_names(target);
    const bool known = value.each_member([&](std::string_view key, const JsonValue& item) {
        return std::ranges::find(names, key) != names.end() ||
               item.fail("The member is unknown", "Known are: " + joined(names, ", ") + ".");
    });
    return known && read_object(value, target);
}

static bool read_json(const JsonValue& value, AlgorithmNeeds& target) {
    return read_closed(value, target);
}

static bool read_json(const JsonValue& value, PipeChange& target) {
    for (const char* end : {"from", "to"})
        if (!value.has(end))
            return value.fail("The pipes that the work leaves and goes to are expected here",
                              R"(As in {"from": "fp32", "to": "tensor.tf32"}.)");
    return read_closed(value, target);
}

static bool read_json(const JsonValue& value, Move& target) {
    if (!read_object(value, target)) return false;
    return !target.kernel.name.empty() ||
           value.fail("The move does not say which kernel it changes",
                      "\"kernel\" is the whole name as an export to CSV gives it.");
}

bool read_json(const JsonValue& value, KernelKey& target) {
    if (!read_object(value, target)) return false;
    return !target.name.empty() || value.fail("It is not said which kernel is meant",
                                              "\"kernel\" is the whole name as an export to CSV gives it.");
}

bool read_json(const JsonValue& value, GroupBy& target) {
    return read_id(value, "The grouping is unknown", target);
}

bool read_json(const JsonValue& value, Scenario& target) {
    Scenario scenario;
    ScenarioDocument document(scenario);
    if (!read_object(value, document)) return false;
    if (document.format.empty() ? !value.has("moves") : document.format != format_id)
        return value.fail("This JSON is no scenario",
                          R"(A scenario has "format": "roofwalk-scenario" and a list of "moves".)");
    if (document.version.value_or(known_version) != known_version)
        return value.fail_member("version", "The scenario is of a version that is not known here",
                                 "Open it with the Roofwalk that wrote it, or a newer one.",
                                 ErrorCode::unsupported_version);
    target = std::move(scenario);
    return true;
}

Result<Scenario> read_scenario(std::string_view text, const std::string& name) {
    return read_json_document<Scenario>(text, "scenario", name);
}

Result<std::string> to_scenario_file(const Scenario& scenario, const std::string& name) {
    std::string text = to_json(scenario);
    const Result<Scenario> read = read_scenario(text, name);
    if (read) return text;
    return unexpected(
        read.error().code,
        "The scenario was not written, since it could not be opened again: " + read.error().what,
        read.error().where, "Nothing of it is lost. Take some of its moves back, or divide it.");
}

void write_json(JsonWriter& json, const KernelKey& key) {
    json.object([&] { write_fields(json, key); });
}

void write_json(JsonWriter& json, const Scenario& scenario) {
    ScenarioDocument document(scenario);
    document.format = format_id;
    document.version = known_version;
    json.object([&] { write_fields(json, document); });
}

std::string to_json(const Scenario& scenario) {
    JsonWriter json;
    json.value(scenario);
    json.end_line();
    return json.take();
}

}  // namespace roofwalk

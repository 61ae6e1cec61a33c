// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/model_list.h"

#include <fmt/format.h>

#include <array>

#include "core/operations/nearest_names.h"
#include "core/report/json_text.h"

namespace roofwalk::cli {

namespace {

constexpr std::array<std::string_view, 7> kind_ids{"count", "number", "type",   "choice",
                                                   "flag",  "pipe",   "formula"};

/// "needed", "4096", "as heads"
std::string default_text(const ParameterSpec& parameter) {
    if (parameter.required()) return "needed";
    if (parameter.default_value.starts_with('='))
        return fmt::format("as {}", parameter.default_value.substr(1));
    return std::string(parameter.default_value);
}

/// What follows the meaning: choices, unit, second name.
std::string remarks(const ParameterSpec& parameter) {
    std::string text;
    const auto add = [&](std::string_view what) {
        text += fmt::format("{}{}", text.empty() ? "" : "; ", what);
    };
    if (parameter.kind == ParameterKind::choice || parameter.kind == ParameterKind::flag)
        add(allowed_values(parameter));
    if (!parameter.alias.empty()) add(fmt::format("also {}", parameter.alias));
    return text.empty() ? text : " (" + text + ")";
}

void write_parameter(JsonText& json, const ParameterSpec& parameter) {
    json.next_line();
    json.begin_object();
    json.member("name", parameter.name);
    json.known_member("alias", parameter.alias);
    json.member("kind", kind_ids[static_cast<std::size_t>(parameter.kind)]);
    json.member("required", parameter.required());
    json.known_member("default", parameter.default_value);
    json.known_member("unit", parameter.unit);
    json.member("meaning", parameter.meaning);
    json.member("allowed", allowed_values(parameter));
    json.end_object();
}

}  // namespace

std::string to_list_text(std::span<const OperationSpec* const> specs) {
    std::string text;
    for (const OperationSpec* spec : specs) {
        text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", spec->name, spec->summary);
        text += spec->aliases.empty() ? "\n" : fmt::format(" (also {})\n", joined(spec->aliases, ", "));
        for (const ParameterSpec& parameter : spec->parameters)
            text += fmt::format("  {:<18}{:<11} {}{}\n", parameter.name, default_text(parameter),
                                parameter.meaning, remarks(parameter));
        if (spec->takes_names)
            text += "  NAME              number      any further number, for the formulas\n";
        text +=
            fmt::format("  work: {}\n  bytes: {}\n  as in: {}\n", spec->work, spec->traffic, spec->example);
    }
    return text;
}

std::string to_list_json(std::span<const OperationSpec* const> specs) {
    JsonText json;
    json.begin_array();
    for (const OperationSpec* spec : specs) {
        json.next_line();
        json.begin_object();
        json.member("name", spec->name);
        json.key("aliases");
        json.begin_array();
        for (const std::string_view alias : spec->aliases)
            json.value(alias);
        json.end_array();
        json.member("summary", spec->summary);
        json.member("work", spec->work);
        json.member("bytes", spec->traffic);
        json.member("source", spec->source);
        json.member("example", spec->example);
        json.member("takes_names", spec->takes_names);
        json.key("parameters");
        json.begin_array();
        for (const ParameterSpec& parameter : spec->parameters)
            write_parameter(json, parameter);
        json.end_array();
        json.end_object();
    }
    json.next_line();
    json.end_array();
    return json.take() + "\n";
}

}  // namespace roofwalk::cli

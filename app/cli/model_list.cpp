// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/model_list.h"

#include <fmt/format.h>

#include "core/base/enum_array.h"
#include "core/base/json_writer.h"
#include "core/base/nearest_names.h"

namespace roofwalk::cli {

namespace {

constexpr EnumArray<ParameterKind, std::string_view, 7> kind_ids{"count", "number", "type",   "choice",
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

void write_parameter(JsonWriter& json, const ParameterSpec& parameter) {
    FieldWriter field(json);
    field("name", always(parameter.name));
    field("alias", parameter.alias);
    field("kind", kind_ids[parameter.kind]);
    field("required", parameter.required());
    field("default", parameter.default_value);
    field("unit", parameter.unit);
    field("meaning", always(parameter.meaning));
    field("allowed", always(allowed_values(parameter)));
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
    JsonWriter json;
    json.begin_array();
    for (const OperationSpec* spec : specs) {
        json.next_line();
        json.object([&] {
            json.member("name", spec->name);
            json.array("aliases", spec->aliases, [&](std::string_view alias) { json.value(alias); });
            json.member("summary", spec->summary);
            json.member("work", spec->work);
            json.member("bytes", spec->traffic);
            json.member("source", spec->source);
            json.member("example", spec->example);
            json.member("takes_names", spec->takes_names);
            json.object_lines("parameters", spec->parameters,
                              [&](const ParameterSpec& parameter) { write_parameter(json, parameter); });
        });
    }
    json.next_line();
    json.end_array();
    return json.take() + "\n";
}

}  // namespace roofwalk::cli

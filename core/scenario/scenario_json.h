// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/json_writer.h"
#include "core/base/notice.h"
#include "core/scenario/scenario.h"

/// Scenarios as JSON (`resources/schema/scenario.schema.json`): a document of its own, or a part of a session
/// file.
namespace roofwalk {

/// One object over several lines. Members that a later Roofwalk wrote and this one does not know are written
/// as they were read.
[[nodiscard]] std::string to_json(const Scenario& scenario);

/// Reads what to_json() writes, or a person: only "kernel" must stand in a move. `name` is where the text is
/// from, for errors: bad_json with the line, bad_schema with the path of the value, unsupported_version,
/// too_large (64 MiB).
[[nodiscard]] Result<Scenario> read_scenario(std::string_view text, const std::string& name);

/// The text of a scenario file, unless read_scenario() would refuse it (too many moves, a factor out of
/// range, too long): then why, with `name` as the place.
[[nodiscard]] Result<std::string> to_scenario_file(const Scenario& scenario, const std::string& name);

/// Members that are kept and have no effect here: each once, with its first place and the name that may be
/// meant; at most 20. `part` is where the scenario stands in its file, such as "scenario.".
[[nodiscard]] std::vector<Notice> members_without_effect(const Scenario& scenario, const std::string& name,
                                                         std::string_view part = {});

/// One object, its moves on lines of their own.
void write_json(JsonWriter& json, const Scenario& scenario);
[[nodiscard]] bool read_json(const JsonValue& value, Scenario& target);

/// Other members are passed over. The name must be there.
void write_json(JsonWriter& json, const KernelKey& key);
[[nodiscard]] bool read_json(const JsonValue& value, KernelKey& target);

[[nodiscard]] bool read_json(const JsonValue& value, GroupBy& target);

}  // namespace roofwalk

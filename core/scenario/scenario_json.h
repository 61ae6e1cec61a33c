// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/error.h"
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

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/workspace/workspace_spec.h"

/// Sessions as JSON (`resources/schema/session.schema.json`). Reading makes values, nothing else: no file is
/// opened and nothing is started.
namespace roofwalk {

/// Of the file of a session or a scenario no more than this needs to be read: a longer one is refused.
/// [byte]
inline constexpr std::size_t most_read_of_session = (std::size_t{64} << 20U) + 1;

/// Whether the start of a file is that of a session, valid or not. A few kilobytes are enough.
[[nodiscard]] bool looks_like_session(std::string_view start);

/// One object over several lines; the same session gives the same bytes. Members that a later Roofwalk wrote
/// and this one does not know are written as they were read.
[[nodiscard]] std::string to_json(const WorkspaceSpec& session);

/// What a file is written from: to_json(), where read_session() reads it. Else the error says what there is
/// too much of; `name` is the file to write.
[[nodiscard]] Result<std::string> to_session_file(const WorkspaceSpec& session, const std::string& name);

/// Reads what to_json() writes, or a person: only format and version must be there. `name` is where the text
/// is from, for errors: bad_json with the line, bad_schema with the path of the value, too_large (64 MiB),
/// unsupported_version. Another version is refused rather than guessed at: what version 1 can grow by are
/// members, which are kept, so that a new number means that known members changed their meaning.
[[nodiscard]] Result<WorkspaceSpec> read_session(std::string_view text, const std::string& name);

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/notice.h"
#include "core/workspace/open_file.h"
#include "core/workspace/workspace_spec.h"

/// Between the paths that a session holds and the files they are. Paths may lead anywhere, also to folders
/// above: their files are read as reports, which can do nothing.
namespace roofwalk {

/// The path that a session file writes for a report; both absolute. Relative, so that both may move together.
[[nodiscard]] std::string source_path(const std::filesystem::path& report,
                                      const std::filesystem::path& session_file);

/// Whether a regular file is a session, valid or not: known by its start.
[[nodiscard]] bool is_session_file(const std::filesystem::path& file);

/// The session that the content of a file is, with the files of its reports, and of the older ones, in the
/// place of its paths. Errors: those of read_session(); bad_schema where it names itself, since it cannot be
/// its own report.
[[nodiscard]] Result<WorkspaceSpec> open_session(std::string_view text, const std::string& file);

/// The entries of those files, with what `known` says of them.
[[nodiscard]] std::vector<SessionSource> sources_of(std::span<const OpenFile> files,
                                                    const std::vector<SessionSource>& known);
/// Lists the files that are open now, and those that could not be read where they stood, but none of those
/// that were open before and are closed. Returns those whose content is not what the list said.
[[nodiscard]] std::vector<std::string> update_sources(std::vector<SessionSource>& listed,
                                                      std::span<const OpenFile> before,
                                                      std::span<const OpenFile> now);

/// What is to be said of a report whose content is no longer what the session saw.
[[nodiscard]] Notice changed_source(const std::string& file);

}  // namespace roofwalk

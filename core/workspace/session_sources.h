// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/notice.h"
#include "core/workspace/open_file.h"
#include "core/workspace/session.h"

/// Between the paths that a session holds and the files they are. Paths may lead anywhere, also to folders
/// above: their files are read as reports, which can do nothing.
namespace roofwalk {

/// The path that a session file writes for a report; both absolute. Relative, so that both may move together.
[[nodiscard]] std::string source_path(const std::filesystem::path& report,
                                      const std::filesystem::path& session_file);

/// The files of a session, in its order. A session that names itself is bad_schema: it cannot be its own
/// report.
[[nodiscard]] Result<std::vector<std::filesystem::path>> source_files(
    const WorkspaceSpec& session, const std::filesystem::path& session_file);

/// The older reports of a session, in its order; otherwise as source_files().
[[nodiscard]] Result<std::vector<std::filesystem::path>> baseline_files(
    const WorkspaceSpec& session, const std::filesystem::path& session_file);

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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.h"
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

/// What is to be said of a report whose content is no longer what the session saw.
[[nodiscard]] Error changed_source(const std::string& file);

}  // namespace roofwalk

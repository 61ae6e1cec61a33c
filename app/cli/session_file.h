// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/workspace/session.h"

namespace roofwalk::cli {

/// A report to read.
struct NamedReport {
    std::string file;
    std::string named_by;  ///< "walk.roofwalk, sources[0].path"; empty where it was typed
};

/// A report that a session names and that cannot be read.
struct LostReport {
    std::string file;
    Error why;  ///< names the session and the entry
};

/// What is read, and what a session among the files says of it.
struct NamedFiles {
    std::vector<NamedReport> reports;  ///< every file once
    std::vector<LostReport> lost;      ///< of the session; told on stderr
    WorkspaceSpec session;
    std::string session_file;  ///< empty without one
};

/// Puts the reports of a session in its place; a session is known by its content. Reports that are not what
/// they were when the session was saved are named on stderr, as are those that cannot be opened and files
/// that are named twice; both are left out. More than one session is an error, and a session of which no
/// report can be opened.
[[nodiscard]] Result<NamedFiles> open_sessions(const std::vector<std::string>& files);

/// The older reports of the session, oldest first, named and looked at as its reports are; those that cannot
/// be opened join `lost`. They are taken out of the session.
[[nodiscard]] Result<std::vector<NamedReport>> take_baselines(NamedFiles& files);

/// A report of a session that cannot be read, with the entry that names it. One that was typed is none.
[[nodiscard]] std::optional<LostReport> lost_report(const NamedReport& report, const Error& why);
/// Says on stderr which reports of a session are left out.
void say_lost(const std::vector<LostReport>& lost);

}  // namespace roofwalk::cli

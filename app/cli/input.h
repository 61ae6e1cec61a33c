// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/mapped_file.h"
#include "core/model/profile.h"
#include "core/workspace/workspace_spec.h"

namespace roofwalk::cli {

/// A document, as a file or a stream, of which at most 2 GiB are read: more is too_large. Not to be written
/// over. Where it is a report `hint` says what to give instead.
[[nodiscard]] Result<MappedFile> open_input(
    const std::string& file, std::string_view hint = "Give reports as FILE, without an option.");

/// A report to read.
struct NamedReport {
    std::string file;
    std::string named_by = {};  ///< "walk.roofwalk, sources[0].path"; empty where it was typed
    std::string hash = {};      ///< as the session saw it; empty: not known
};

/// A report that cannot be read.
struct LostReport {
    std::string file;
    std::string named_by;  ///< as of NamedReport
    Error why;             ///< says only where in the file
};

/// What is read, and what a session among the files says of it.
struct NamedFiles {
    std::vector<NamedReport> reports;  ///< every file once
    std::vector<LostReport> lost;      ///< told on stderr
    bool whole = false;                ///< one that cannot be read ends the reading; no word of --join
    int exit_code = 0;                 ///< of the verb: of those lost that were typed, else exit_done
    WorkspaceSpec session;
    std::string session_file;  ///< empty without one
};

/// Puts the reports of a session in its place; a session is known by its content. Files that are
/// named twice are read once, which is told on stderr. More than one session is an error.
[[nodiscard]] Result<NamedFiles> open_sessions(const std::vector<std::string>& files);

/// The older reports of the session, oldest first, each once, named as its reports are. They are taken out of
/// it.
[[nodiscard]] Result<std::vector<NamedReport>> take_baselines(NamedFiles& files);

/// With the file, and where a session names it with the entry.
[[nodiscard]] Error told(const LostReport& lost);

/// Says on stderr which reports of a session are left out.
void say_lost(const std::vector<LostReport>& lost);

/// Reads every report ("-" is stdin, and pipes are read whole) into one profile, joined where the session
/// says so. On stderr go its warnings, of which those with the same words are said once, what was joined,
/// where --join would join some, and which are not what they were when the session was saved. A session of
/// which no report can be read is an error. What cannot be read joins `lost` and is told on stderr, unless
/// there is no other or none may be missing; where it was typed, as an error, whose exit code is that of
/// `files`.
[[nodiscard]] Result<std::shared_ptr<const Profile>> read_reports(NamedFiles& files);

}  // namespace roofwalk::cli

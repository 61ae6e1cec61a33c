// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/mapped_file.h"
#include "core/model/profile.h"
#include "core/workspace/workspace_spec.h"

namespace roofwalk::cli {

/// Whether a name stands for what can be read once and from the start only: "-" (stdin), a pipe, a device.
[[nodiscard]] bool is_stream(const std::string& file);

/// "standard input", or the name as it is.
[[nodiscard]] std::string said_name(const std::string& file);

/// The content of a file or of a stream. Of a stream at most 2 GiB are read: more is too_large.
class InputText {
  public:
    [[nodiscard]] static Result<InputText> read(const std::string& file);

    [[nodiscard]] std::string_view text() const;

  private:
    std::string streamed_;
    std::optional<MappedFile> file_;
};

/// A report to read.
struct NamedReport {
    std::string file;
    std::string named_by;  ///< "walk.roofwalk, sources[0].path"; empty where it was typed
};

/// A report that cannot be read.
struct LostReport {
    std::string file;
    Error why;  ///< where a session names it, with that and the entry
};

/// What is read, and what a session among the files says of it.
struct NamedFiles {
    std::vector<NamedReport> reports;  ///< every file once
    std::vector<LostReport> lost;      ///< told on stderr
    bool whole = false;                ///< one that cannot be read ends the reading
    int exit_code = 0;                 ///< of the verb: of those lost that were typed, else exit_done
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

/// Says on stderr which reports of a session are left out.
void say_lost(const std::vector<LostReport>& lost);

/// Reads a file ("-" is stdin, and pipes are read whole). Its warnings go to stderr; warnings with the same
/// words are said once.
[[nodiscard]] Result<Profile> read_input(const std::string& file);

/// Reads every report into one profile, joined where the session says so. What was joined is told on stderr,
/// and where --join would join some. What cannot be read joins `lost` and is told on stderr, unless there is
/// no other or none may be missing; where it was typed, as an error, whose exit code is that of `files`.
[[nodiscard]] Result<Profile> read_reports(NamedFiles& files);

}  // namespace roofwalk::cli

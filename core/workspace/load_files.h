// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/notice.h"
#include "core/base/progress.h"
#include "core/workspace/open_file.h"
#include "core/workspace/workspace_spec.h"

/// Reading what is to be open. Paths are absolute.
namespace roofwalk {

/// What a person has to know of a file that could be read in part only.
[[nodiscard]] std::optional<Notice> partial_notice(const OpenFile& file);

/// Which session is to be opened.
struct SessionRequest {
    std::string file;       ///< empty: none, and what was done before is forgotten
    bool recovers = false;  ///< the file is a copy that was saved by itself
};

/// A session that was read.
struct OpenSession {
    SessionRequest request;
    WorkspaceSpec spec;  ///< its reports by their absolute paths
    std::string hash;    ///< content_hash() of the file
};

/// Errors: those of MappedFile::open() and open_session().
[[nodiscard]] Result<OpenSession> read_session_file(const SessionRequest& request);

/// Which files are to be open.
struct LoadRequest {
    std::vector<std::string> paths;  ///< to read
    std::vector<OpenFile> kept;      ///< read before; one that is also in `paths` is replaced where it stands
    bool replaces = false;           ///< `kept` stays only when nothing can be read
    /// Its reports are read before `paths`, and what it says of them takes the place of what was done before,
    /// when any of the reports can be read.
    std::optional<SessionRequest> session = std::nullopt;
    /// What a recording has brought so far: taken as it is, in the place of what stood at its path.
    std::optional<OpenFile> recording = std::nullopt;
    bool joins = false;                           ///< join_runs() of them all; a session says for itself
    std::optional<Device> ran_on = std::nullopt;  ///< SessionView::ran_on; a session says for itself
    bool shows_anew = false;  ///< what stays is shown anew: joined or not, or of another GPU

    /// Whether a file is to be read.
    [[nodiscard]] bool reads() const { return !paths.empty() || (session && !session->file.empty()); }
    /// Whether nothing is kept without that file.
    [[nodiscard]] bool keeps_only(const std::string& path) const;

    /// What a person asks for while this is under way. Files more, or others in the place of all.
    void open(const std::vector<std::string>& more, bool others);
    /// What is kept is read again, before the others.
    void reload();
    /// What a recording has brought; its first profile takes the place of what is open.
    void record(OpenFile file);
    /// One file less, kept or to be read. False when there is no such file.
    bool close(const std::string& path);

  private:
    /// What was said of the files before is not of others.
    void forget();
};

/// What reading several files came to.
struct ReadFiles {
    std::vector<OpenFile> files;  ///< those that could be read
    std::vector<Error> failures;  ///< one for each file that could not; one for all after a stop
};

[[nodiscard]] ReadFiles read_files(const std::vector<std::string>& paths, const Progress& progress);

/// What a request came to.
struct LoadResult {
    std::vector<OpenFile> files;            ///< those that could be read, and those kept from before
    std::vector<std::string> read;          ///< those asked for that could be read
    std::vector<Error> failures;            ///< as of ReadFiles; also what is wrong with the session
    std::shared_ptr<const Profile> merged;  ///< of all `files`; null when there are none
    std::vector<std::string> joined = {};   ///< JoinedRuns::sentences
    std::string why_not_joined = {};        ///< JoinedRuns::why_none
    bool separate_runs = false;             ///< not joined, and are_separate_runs()
    std::shared_ptr<const OpenSession> session = nullptr;  ///< null without one, and when no report was read
    std::vector<OpenFile> baselines = {};                  ///< of the session: those that could be read
};

[[nodiscard]] LoadResult load_files(const LoadRequest& request, const Progress& progress);

/// What is open and how it is looked at. Reports have absolute paths; the spec also has those that could not
/// be read.
struct OpenWorkspace {
    std::vector<OpenFile> files;
    std::vector<OpenFile> baselines;  ///< older reports, oldest first
    WorkspaceSpec spec;

    /// Leaves how any report is looked at.
    void clear();
    /// What was loaded takes the place of what is open. Returns the reports whose content is not what the
    /// spec said.
    std::vector<std::string> take(const LoadRequest& asked, LoadResult& loaded);
};

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/load_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <span>
#include <system_error>
#include <utility>

#include "core/base/mapped_file.h"
#include "core/base/text.h"
#include "core/compare/join_runs.h"
#include "core/model/profile_builder.h"
#include "core/workspace/content_hash.h"
#include "core/workspace/session_json.h"
#include "core/workspace/session_sources.h"

namespace roofwalk {

namespace {

/// Another name of a file that is there, such as a link, gives that file anew: twice it would count twice.
void put(std::vector<OpenFile>& files, OpenFile file) {
    const auto same = std::ranges::find_if(files, [&](const OpenFile& other) {
        std::error_code ignored;
        return other.path == file.path || std::filesystem::equivalent(other.path, file.path, ignored);
    });
    if (same == files.end()) {
        files.push_back(std::move(file));
    } else {
        file.path = same->path;
        *same = std::move(file);
    }
}

Error stopped_before(std::span<const std::string> paths) {
    return {ErrorCode::cancelled, "Reading was stopped; these files were not read.", joined(paths, ", "),
            "Add them to what is open to see them too."};
}

Error left_with_session(std::span<const std::string> paths) {
    return {ErrorCode::file_not_readable,
            "These files were to be opened with the session; they were not read.", joined(paths, ", "),
            "Open them without it."};
}

Error no_report_of(const OpenSession& session) {
    return {ErrorCode::file_not_found, "Nothing was opened: no report of the session could be read.",
            session.request.file,
            "The session stays as it is. Put its reports where it names them, or open it together with one "
            "of them."};
}

/// Leaves each path once.
void drop_repeated_paths(std::vector<SessionSource>& sources) {
    std::set<std::string> seen;
    std::erase_if(sources, [&](const SessionSource& source) { return !seen.insert(source.path).second; });
}

/// A session without a source is an error unless other reports are opened beside it.
Result<OpenSession> read_open_session(const SessionRequest& request, bool reports_beside) {
    if (request.file.empty()) return OpenSession{request, {}, {}};
    Result<OpenSession> session = read_session_file(request);
    if (!session && session.error().hint.empty()) session.error().hint = "What is on screen stays.";
    if (!session) return session;
    drop_repeated_paths(session->spec.sources);
    drop_repeated_paths(session->spec.baselines);
    if (session->spec.sources.empty() && !reports_beside)
        return unexpected(ErrorCode::bad_schema, "The session names no report.", request.file,
                          "Open the session and a report of it together.");
    return session;
}

/// Shows what there is as one profile.
void merge(bool joins, LoadResult& result) {
    const std::vector<const Profile*> profiles = profiles_of(result.files);
    if (profiles.empty()) return;
    if (joins) {
        JoinedRuns joined = join_runs(profiles);
        result.merged = std::make_shared<const Profile>(std::move(joined.profile));
        result.joined = std::move(joined.sentences);
        result.why_not_joined = std::move(joined.why_none);
        return;
    }
    result.merged = profiles.size() == 1 ? result.files.front().profile
                                         : std::make_shared<const Profile>(merge_profiles(profiles));
    result.separate_runs = are_separate_runs(profiles);
}

std::vector<std::string> paths_of(const std::vector<SessionSource>& sources) {
    std::vector<std::string> paths;
    for (const SessionSource& source : sources)
        paths.push_back(source.path);
    return paths;
}

}  // namespace

Result<OpenSession> read_session_file(const SessionRequest& request) {
    return MappedFile::open(request.file).and_then([&](const MappedFile& file) {
        const auto bytes = file.bytes().first(std::min(file.bytes().size(), most_read_of_session));
        return open_session(as_text(bytes), request.file).map([&](WorkspaceSpec spec) {
            set_analysis_options(spec,
                                 analysis_options(spec));  // ceilings by device, as they will be written
            return OpenSession{request, std::move(spec), content_hash(bytes)};
        });
    });
}

bool LoadRequest::keeps_only(const std::string& path) const {
    return !kept.empty() &&
           std::ranges::all_of(kept, [&](const OpenFile& file) { return file.path == path; });
}

void LoadRequest::open(const std::vector<std::string>& more, bool others) {
    if (others) {
        paths.clear();
        session.reset();
        replaces = true;
        forget();
    }
    for (const std::string& path : more)
        if (std::ranges::find(paths, path) == paths.end()) paths.push_back(path);
}

void LoadRequest::reload() {
    const std::vector<std::string> after = std::exchange(paths, {});
    for (const OpenFile& file : kept)
        paths.push_back(file.path);
    open(after, false);
}

void LoadRequest::record(OpenFile file) {
    replaces = std::ranges::find(kept, file.path, &OpenFile::path) == kept.end();
    if (replaces) forget();
    recording = std::move(file);
}

bool LoadRequest::close(const std::string& path) {
    const auto closed = std::erase_if(kept, [&](const OpenFile& file) { return file.path == path; });
    if (kept.empty()) forget();
    return closed + std::erase(paths, path) > 0;
}

void LoadRequest::forget() {
    joins = false;
    ran_on.reset();
    shows_anew = false;
}

std::optional<Notice> partial_notice(const OpenFile& file) {
    if (std::ranges::none_of(file.profile->sources, &SourceInfo::partial)) return std::nullopt;
    const auto is_damage = [](const Warning& warning) {
        return warning.message.code == ErrorCode::truncated || warning.message.code == ErrorCode::corrupt;
    };
    const auto damage = std::ranges::find_if(file.profile->warnings, is_damage);
    std::string cure = damage == file.profile->warnings.end() ? "" : damage->message.hint;
    if (!cure.empty()) cure += ' ';
    return Notice{Severity::warning, "Only a part of this file could be read; that part is shown.", file.path,
                  cure + "The warnings of the profile name the place."};
}

ReadFiles read_files(const std::vector<std::string>& paths, const Progress& progress) {
    ReadFiles result;
    const auto count = static_cast<double>(paths.size());
    for (std::size_t i = 0; i < paths.size(); ++i) {
        if (i > 0 && progress.cancelled()) {
            result.failures.push_back(stopped_before(std::span(paths).subspan(i)));
            break;
        }
        const auto before = static_cast<double>(i);
        const Progress part{[&](double share) { progress.at((before + share) / count); }, progress.stop};
        Result<OpenFile> file = read_open_file(paths[i], part);
        if (file)
            put(result.files, std::move(*file));
        else
            result.failures.push_back(of_file(std::move(file.error()), paths[i]));
    }
    return result;
}

LoadResult load_files(const LoadRequest& request, const Progress& progress) {
    LoadResult result;
    std::vector<std::string> paths = request.paths;
    std::shared_ptr<const OpenSession> session;
    if (request.session) {
        Result<OpenSession> read = read_open_session(*request.session, !paths.empty());
        if (!read) {
            result.failures.push_back(std::move(read.error()));
            if (!paths.empty()) result.failures.push_back(left_with_session(paths));
            result.files = request.kept;
            merge(request.joins, result);
            return result;
        }
        LoadRequest all{paths_of(read->spec.sources), {}};
        all.open(paths, false);
        paths = std::move(all.paths);
        session = std::make_shared<const OpenSession>(*std::move(read));
    }
    ReadFiles fresh = read_files(paths, progress);
    result.failures = std::move(fresh.failures);
    if (!request.replaces || (fresh.files.empty() && !request.recording)) result.files = request.kept;
    if (session && fresh.files.empty() && !session->request.file.empty())
        result.failures.push_back(no_report_of(*session));
    if (session && !fresh.files.empty()) {
        const std::vector<std::string> baselines = paths_of(session->spec.baselines);
        ReadFiles older;
        if (progress.cancelled() && !baselines.empty())
            older.failures.push_back(stopped_before(baselines));
        else
            older = read_files(baselines, {{}, progress.stop});
        result.baselines = std::move(older.files);
        std::ranges::move(older.failures, std::back_inserter(result.failures));
        result.session = std::move(session);
    }
    if (request.recording) put(result.files, *request.recording);
    for (OpenFile& file : fresh.files) {
        result.read.push_back(file.path);
        put(result.files, std::move(file));
    }
    merge(result.session ? result.session->spec.joined : request.joins, result);
    return result;
}

void OpenWorkspace::clear() {
    files.clear();
    baselines.clear();
    spec.clear_reports();
}

std::vector<std::string> OpenWorkspace::take(const LoadRequest& asked, LoadResult& loaded) {
    if (loaded.session) {
        spec = loaded.session->spec;
        spec.view.selection.clear();
        spec.view.axes.reset();
        spec.autosave_of.clear();
        spec.autosave_of_hash.clear();
        baselines = std::move(loaded.baselines);
    } else {
        if (!std::ranges::equal(files, loaded.files, {}, &OpenFile::path, &OpenFile::path))
            spec.view.roofs_of.clear();
        spec.view.ran_on = asked.ran_on;
        spec.joined = asked.joins;
        if (asked.replaces && (!loaded.read.empty() || asked.recording)) spec.sources.clear();
    }
    const std::vector<OpenFile> before = std::exchange(files, std::move(loaded.files));
    std::vector<std::string> changed =
        update_sources(spec.sources, loaded.session ? std::vector<OpenFile>() : before, files);
    std::ranges::move(update_sources(spec.baselines, {}, baselines), std::back_inserter(changed));
    return changed;
}

}  // namespace roofwalk

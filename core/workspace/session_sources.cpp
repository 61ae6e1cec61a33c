// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/session_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace roofwalk {

namespace fs = std::filesystem;

namespace {

/// Links followed as far as they exist.
fs::path real_path(const fs::path& path) {
    std::error_code trouble;
    fs::path real = fs::weakly_canonical(path, trouble);
    return trouble ? path.lexically_normal() : real;
}

/// `list` is the member of the session file that names them.
Result<std::vector<fs::path>> files_of(const std::vector<SessionSource>& sources, std::string_view list,
                                       const fs::path& session_file) {
    std::vector<fs::path> files;
    const fs::path itself = real_path(session_file);
    for (std::size_t i = 0; i < sources.size(); ++i) {
        fs::path file = (session_file.parent_path() / sources[i].path).lexically_normal();
        if (real_path(file) == itself)
            return tl::unexpected(
                Error{ErrorCode::bad_schema, "The session names itself as the report that it is about",
                      fmt::format("{}, {}[{}].path", session_file.string(), list, i),
                      "Name the report there: an Nsight Compute report, Roofwalk JSON or ncu CSV."});
        files.push_back(std::move(file));
    }
    return files;
}

}  // namespace

std::string source_path(const fs::path& report, const fs::path& session_file) {
    const fs::path relative =
        report.lexically_normal().lexically_relative(session_file.lexically_normal().parent_path());
    return (relative.empty() ? report : relative).generic_string();
}

Result<std::vector<fs::path>> source_files(const WorkspaceSpec& session, const fs::path& session_file) {
    return files_of(session.sources, "sources", session_file);
}

Result<std::vector<fs::path>> baseline_files(const WorkspaceSpec& session, const fs::path& session_file) {
    return files_of(session.baselines, "baselines", session_file);
}

std::vector<SessionSource> sources_of(std::span<const OpenFile> files,
                                      const std::vector<SessionSource>& known) {
    std::vector<SessionSource> sources;
    for (const OpenFile& file : files) {
        const auto source = std::ranges::find(known, file.path, &SessionSource::path);
        sources.push_back(
            {file.path, file.hash, source != known.end() ? source->unknown_members : std::string()});
    }
    return sources;
}

std::vector<std::string> update_sources(std::vector<SessionSource>& listed, std::span<const OpenFile> before,
                                        std::span<const OpenFile> now) {
    const auto among = [](std::span<const OpenFile> files, const SessionSource& source) {
        return std::ranges::find(files, source.path, &OpenFile::path);
    };
    const std::vector<SessionSource> known = std::exchange(listed, sources_of(now, listed));
    std::vector<std::string> changed;
    for (std::size_t i = 0; i < known.size(); ++i) {
        if (const auto file = among(now, known[i]); file != now.end()) {
            const bool both_known = !known[i].hash.empty() && !file->hash.empty();
            if (both_known && known[i].hash != file->hash) changed.push_back(file->path);
        } else if (among(before, known[i]) == before.end()) {
            const std::size_t place = std::min(i, listed.size());
            listed.insert(listed.begin() + static_cast<std::ptrdiff_t>(place), known[i]);
        }
    }
    return changed;
}

Notice changed_source(const std::string& file) {
    return {Severity::warning, "The file is not the same as when the session was saved", file,
            "Operations and moves are kept where their kernels are found; look at the figures again."};
}

}  // namespace roofwalk

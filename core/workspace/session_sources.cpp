// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/session_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <system_error>
#include <utility>

#include "core/workspace/session_json.h"

namespace roofwalk {

namespace fs = std::filesystem;

namespace {

/// Reports may be large: a look at the start tells. [byte]
constexpr std::size_t looked_at = std::size_t{64} << 10U;

/// Links followed as far as they exist.
fs::path real_path(const fs::path& path) {
    std::error_code trouble;
    fs::path real = fs::weakly_canonical(path, trouble);
    return trouble ? path.lexically_normal() : real;
}

/// Puts the files in the place of the paths. `list` is the member of the session file that names them.
Result<void> locate(std::vector<SessionSource>& sources, std::string_view list,
                    const fs::path& session_file) {
    const fs::path itself = real_path(session_file);
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const fs::path file = (session_file.parent_path() / sources[i].path).lexically_normal();
        if (real_path(file) == itself)
            return unexpected(ErrorCode::bad_schema,
                              "The session names itself as the report that it is about",
                              fmt::format("{}, {}[{}].path", session_file.string(), list, i),
                              "Name the report there: an Nsight Compute report, Roofwalk JSON or ncu CSV.");
        sources[i].path = file.string();
    }
    return {};
}

}  // namespace

std::string source_path(const fs::path& report, const fs::path& session_file) {
    const fs::path relative =
        report.lexically_normal().lexically_relative(session_file.lexically_normal().parent_path());
    return (relative.empty() ? report : relative).generic_string();
}

bool is_session_file(const fs::path& file) {
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) return false;
    std::string start(looked_at, '\0');
    std::ifstream stream(file, std::ios::binary);
    stream.read(start.data(), static_cast<std::streamsize>(start.size()));
    return looks_like_session(std::string_view(start).substr(0, static_cast<std::size_t>(stream.gcount())));
}

Result<WorkspaceSpec> open_session(std::string_view text, const std::string& file) {
    return read_session(text, file).and_then([&](WorkspaceSpec session) {
        return locate(session.sources, "sources", file)
            .and_then([&] { return locate(session.baselines, "baselines", file); })
            .map([&] { return std::move(session); });
    });
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

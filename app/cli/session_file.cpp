// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/session_file.h"

#include <string_view>

#include "app/cli/console.h"
#include "core/import/mapped_file.h"
#include "core/session/content_hash.h"
#include "core/session/session_json.h"
#include "core/session/session_sources.h"

namespace roofwalk::cli {

namespace {

/// A report that cannot be read is told when it is read.
void say_if_changed(const std::string& report, const std::string& hash) {
    const Result<MappedFile> file = MappedFile::open(report);
    if (file && !hash.empty() && content_hash(file->bytes()) != hash)
        say_warning(printable(to_line(changed_source(report))));
}

}  // namespace

Result<std::optional<Session>> session_in(const std::string& file) {
    const Result<MappedFile> content = MappedFile::open(file);
    if (!content) return std::nullopt;
    const std::string_view text(reinterpret_cast<const char*>(content->bytes().data()),
                                content->bytes().size());  // NOLINT: bytes seen as characters
    if (!looks_like_session(text)) return std::nullopt;
    return read_session(text, file).map([](Session session) { return std::optional(std::move(session)); });
}

Result<NamedFiles> open_sessions(const std::vector<std::string>& files) {
    NamedFiles named;
    std::string opened;
    for (const std::string& file : files) {
        const Result<std::optional<Session>> session =
            file == "-" ? std::optional<Session>() : session_in(file);
        if (!session) return tl::unexpected(session.error());
        if (!*session) {
            named.reports.push_back(file);
            continue;
        }
        if (!opened.empty())
            return tl::unexpected(Error{ErrorCode::bad_argument, "Only one session can be read at a time",
                                        opened + ", " + file, "Name the reports of the other one."});
        opened = file;
        const auto reports = source_files(**session, file);
        if (!reports) return tl::unexpected(reports.error());
        for (std::size_t i = 0; i < reports->size(); ++i) {
            named.reports.push_back((*reports)[i].string());
            say_if_changed(named.reports.back(), (*session)->sources[i].hash);
        }
        named.session = **session;
    }
    if (named.reports.empty())
        return tl::unexpected(
            Error{ErrorCode::bad_schema, "The session names no report", opened, "Name a report beside it."});
    return named;
}

}  // namespace roofwalk::cli

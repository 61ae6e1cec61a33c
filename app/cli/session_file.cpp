// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/session_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <string_view>

#include "app/cli/console.h"
#include "app/cli/input_text.h"
#include "core/import/mapped_file.h"
#include "core/session/content_hash.h"
#include "core/session/session_json.h"
#include "core/session/session_sources.h"

namespace roofwalk::cli {

namespace {

/// Reports may be large: a look at the start tells.
bool starts_as_session(const std::string& file) {
    constexpr std::size_t looked_at = std::size_t{64} << 10U;
    std::string start(looked_at, '\0');
    std::ifstream stream(file, std::ios::binary);
    stream.read(start.data(), static_cast<std::streamsize>(start.size()));
    return looks_like_session(std::string_view(start).substr(0, static_cast<std::size_t>(stream.gcount())));
}

/// The report of a session as a name to read: "-" is a file there, since only who types may mean stdin, and
/// for the same reason a pipe or a device is refused.
Result<std::string> file_of_source(const std::filesystem::path& report, const std::string& session_file,
                                   std::size_t source) {
    std::string name = report == "-" ? "./-" : report.string();
    if (!is_stream(name)) return name;
    return tl::unexpected(Error{ErrorCode::file_not_readable,
                                fmt::format("The session names a pipe or a device as its report: {}", name),
                                fmt::format("{}, sources[{}].path", session_file, source),
                                "Save the data to a file and name that one."});
}

/// A report that cannot be read is told when it is read.
void say_if_changed(const std::string& report, const std::string& hash) {
    const Result<MappedFile> file = MappedFile::open(report);
    if (file && !hash.empty() && content_hash(file->bytes()) != hash)
        say_warning(printable(to_line(changed_source(report))));
}

/// The session in a file; absent when the file is none, whatever else it is. Of a pipe nothing is taken:
/// what it brings is read as a report.
Result<std::optional<Session>> session_in(const std::string& file) {
    if (is_stream(file) || !starts_as_session(file)) return std::nullopt;
    return InputText::read(file)
        .and_then([&](const InputText& content) { return read_session(content.text(), file); })
        .map([](Session session) { return std::optional(std::move(session)); });
}

}  // namespace

Result<NamedFiles> open_sessions(const std::vector<std::string>& files) {
    NamedFiles named;
    for (const std::string& file : files) {
        const Result<std::optional<Session>> session = session_in(file);
        if (!session) return tl::unexpected(session.error());
        if (!*session) {
            named.reports.push_back(file);
            continue;
        }
        if (!named.session_file.empty())
            return tl::unexpected(Error{ErrorCode::bad_argument, "Only one session can be read at a time",
                                        named.session_file + ", " + file,
                                        "Name the reports of the other one."});
        const auto reports = source_files(**session, file);
        if (!reports) return tl::unexpected(reports.error());
        for (std::size_t i = 0; i < reports->size(); ++i) {
            Result<std::string> name = file_of_source((*reports)[i], file, i);
            if (!name) return tl::unexpected(std::move(name).error());
            named.reports.push_back(*std::move(name));
            say_if_changed(named.reports.back(), (*session)->sources[i].hash);
        }
        named.session = **session;
        named.session_file = file;
    }
    if (named.reports.empty())
        return tl::unexpected(Error{ErrorCode::bad_schema, "The session names no report", named.session_file,
                                    "Name a report beside it."});
    return named;
}

}  // namespace roofwalk::cli

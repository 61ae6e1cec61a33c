// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/session_file.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string_view>
#include <utility>

#include "app/cli/console.h"
#include "app/cli/input_text.h"
#include "app/cli/output.h"
#include "core/base/mapped_file.h"
#include "core/workspace/content_hash.h"
#include "core/workspace/session_json.h"
#include "core/workspace/session_sources.h"

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
                                   std::string_view list, std::size_t source) {
    std::string name = report == "-" ? "./-" : report.string();
    if (!is_stream(name)) return name;
    return tl::unexpected(Error{ErrorCode::file_not_readable,
                                fmt::format("The session names a pipe or a device as its report: {}", name),
                                fmt::format("{}, {}[{}].path", session_file, list, source),
                                "Save the data to a file and name that one."});
}

/// Names to read of a list of the session, "sources" or "baselines"; `reports` are its files. When none can
/// be opened, the error is that of the first.
Result<std::vector<NamedReport>> names_of(const Result<std::vector<std::filesystem::path>>& reports,
                                          const std::vector<SessionSource>& sources,
                                          const std::string& session_file, std::string_view list,
                                          std::vector<LostReport>& lost) {
    if (!reports) return tl::unexpected(reports.error());
    std::vector<NamedReport> names;
    std::vector<LostReport> lost_here;
    for (std::size_t i = 0; i < reports->size(); ++i) {
        Result<std::string> name = file_of_source((*reports)[i], session_file, list, i);
        if (!name) return tl::unexpected(std::move(name).error());
        NamedReport report{*std::move(name), fmt::format("{}, {}[{}].path", session_file, list, i)};
        const Result<MappedFile> file = MappedFile::open(report.file);
        if (!file) {
            lost_here.push_back(*lost_report(report, file.error()));
            continue;
        }
        if (!sources[i].hash.empty() && content_hash(file->bytes()) != sources[i].hash)
            say_warning(to_line(changed_source(report.file)));
        names.push_back(std::move(report));
    }
    if (names.empty() && !lost_here.empty()) return tl::unexpected(std::move(lost_here.front().why));
    say_lost(lost_here);
    lost.insert(lost.end(), lost_here.begin(), lost_here.end());
    return names;
}

/// Leaves one name of every file; what is read twice would count twice.
void drop_repeats(std::vector<NamedReport>& reports) {
    std::set<std::pair<dev_t, ino_t>> seen;
    std::erase_if(reports, [&](const NamedReport& report) {
        const std::string& file = report.file;
        struct stat status {};
        if (is_stream(file) || ::stat(file.c_str(), &status) != 0) return false;
        if (seen.emplace(status.st_dev, status.st_ino).second) return false;
        say_warning(file + " is named more than once and read once");
        return true;
    });
}

/// The session in a file; absent when the file is none, whatever else it is. Of a pipe nothing is taken:
/// what it brings is read as a report.
Result<std::optional<WorkspaceSpec>> session_in(const std::string& file) {
    if (is_stream(file) || !starts_as_session(file)) return std::nullopt;
    return InputText::read(file)
        .and_then([&](const InputText& content) { return read_session(content.text(), file); })
        .map([](WorkspaceSpec session) { return std::optional(std::move(session)); });
}

}  // namespace

Result<NamedFiles> open_sessions(const std::vector<std::string>& files) {
    NamedFiles named;
    for (const std::string& file : files) {
        const Result<std::optional<WorkspaceSpec>> session = session_in(file);
        if (!session) return tl::unexpected(session.error());
        if (!*session) {
            named.reports.push_back({file, {}});
            continue;
        }
        if (!named.session_file.empty())
            return tl::unexpected(Error{ErrorCode::bad_argument, "Only one session can be read at a time",
                                        named.session_file + ", " + file,
                                        "Name the reports of the other one."});
        const auto reports =
            names_of(source_files(**session, file), (*session)->sources, file, "sources", named.lost);
        if (!reports) return tl::unexpected(reports.error());
        named.reports.insert(named.reports.end(), reports->begin(), reports->end());
        // Its older reports too, whoever reads them: all are what the session rests on.
        if (const auto older = baseline_files(**session, file))
            for (const std::filesystem::path& report : *older)
                keep_from_output(report.string());
        named.session = **session;
        named.session_file = file;
    }
    if (named.reports.empty())
        return tl::unexpected(Error{ErrorCode::bad_schema, "The session names no report", named.session_file,
                                    "Name a report beside it."});
    drop_repeats(named.reports);
    return named;
}

std::optional<LostReport> lost_report(const NamedReport& report, const Error& why) {
    if (report.named_by.empty()) return std::nullopt;
    LostReport lost{report.file, why};
    lost.why.where += ", named by " + report.named_by;
    return lost;
}

void say_lost(const std::vector<LostReport>& lost) {
    for (const LostReport& report : lost)
        say_warning(to_line(report.why) + " The other reports are read.");
}

Result<std::vector<NamedReport>> take_baselines(NamedFiles& files) {
    auto names = names_of(baseline_files(files.session, files.session_file), files.session.baselines,
                          files.session_file, "baselines", files.lost);
    files.session.baselines.clear();
    return names;
}

}  // namespace roofwalk::cli

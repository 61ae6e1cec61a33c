// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/input.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "app/cli/console.h"
#include "app/cli/output.h"
#include "core/base/progress.h"
#include "core/import/open_profile.h"
#include "core/workspace/load_files.h"
#include "core/workspace/session_sources.h"

namespace roofwalk::cli {

namespace {

/// Larger files are mapped, not read: small documents are refused by their size alone.
constexpr std::size_t most_copied = std::size_t{64} << 20U;

/// The report of a session as a name to read: "-" is a file there, since only who types may mean stdin, and
/// for the same reason a pipe or a device is refused.
Result<std::string> file_of_source(const SessionSource& report, const std::string& session_file,
                                   std::string_view list, std::size_t source) {
    std::string name = report.path == "-" ? "./-" : report.path;
    if (!is_stream(name)) return name;
    return unexpected(ErrorCode::file_not_readable,
                      fmt::format("The session names a pipe or a device as its report: {}", name),
                      fmt::format("{}, {}[{}].path", session_file, list, source),
                      "Save the data to a file and name that one.");
}

/// Names to read of a list of the session, "sources" or "baselines".
Result<std::vector<NamedReport>> names_of(const std::vector<SessionSource>& sources,
                                          const std::string& session_file, std::string_view list) {
    std::vector<NamedReport> names;
    for (std::size_t i = 0; i < sources.size(); ++i) {
        Result<std::string> name = file_of_source(sources[i], session_file, list, i);
        if (!name) return tl::unexpected(std::move(name).error());
        names.push_back(
            {*std::move(name), fmt::format("{}, {}[{}].path", session_file, list, i), sources[i].hash});
    }
    return names;
}

/// Leaves one name of every file; what is read twice would count twice.
void drop_repeated_files(std::vector<NamedReport>& reports) {
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
    if (is_stream(file) || !is_session_file(file)) return std::nullopt;
    keep_from_output(file);
    return read_session_file({file}).map(
        [](OpenSession session) { return std::optional(std::move(session.spec)); });
}

constexpr std::size_t warnings_said = 20;

Result<OpenFile> read_quietly(const std::string& file) {
    ProgressLine line(file);
    Progress progress;
    progress.report = [&line](double share) { line.show(share); };
    keep_from_output(file);
    return read_open_file(file, progress, StreamInput::read);
}

void say_warnings(const Profile& profile) {
    struct Repeated {
        const Warning* first;
        std::size_t times;
    };
    std::vector<Repeated> distinct;
    for (const Warning& warning : profile.warnings) {
        const auto same = std::ranges::find_if(
            distinct, [&](const Repeated& seen) { return seen.first->message.what == warning.message.what; });
        if (same != distinct.end())
            ++same->times;
        else
            distinct.push_back({&warning, 1});
    }
    for (const Repeated& warning : std::span(distinct).first(std::min(distinct.size(), warnings_said))) {
        const std::string more =
            warning.times > 1 ? fmt::format(" (and {} more like it)", warning.times - 1) : "";
        say_warning(to_line(message_of(*warning.first)) + more);
    }
    if (distinct.size() > warnings_said)
        say_warning(fmt::format("{} further warnings are in the output of --format json.",
                                distinct.size() - warnings_said));
}

void say_joined(const LoadResult& loaded) {
    for (const std::string& sentence : loaded.joined)
        say(sentence);
    if (loaded.joined.empty())
        say_warning(loaded.files.size() == 1
                        ? "Nothing is joined within the file: no two of its processes counted different "
                          "things. To join several files for a comparison, convert --join makes one of them."
                        : "Nothing is joined: " + loaded.why_not_joined + ".");
}

}  // namespace

Result<MappedFile> open_input(const std::string& file, std::string_view hint) {
    keep_from_output(file);
    return as_document(MappedFile::open_or_stream(file, most_copied), name_for_display(file), hint);
}

Result<NamedFiles> open_sessions(const std::vector<std::string>& files) {
    NamedFiles named;
    for (const std::string& file : files) {
        const Result<std::optional<WorkspaceSpec>> session = session_in(file);
        if (!session) return tl::unexpected(session.error());
        if (!*session) {
            named.reports.push_back({file});
            continue;
        }
        if (!named.session_file.empty())
            return unexpected(ErrorCode::bad_argument, "Only one session can be read at a time",
                              named.session_file + ", " + file, "Name the reports of the other one.");
        const auto reports = names_of((*session)->sources, file, "sources");
        if (!reports) return tl::unexpected(reports.error());
        named.reports.insert(named.reports.end(), reports->begin(), reports->end());
        // Its older reports too, whoever reads them: all are what the session rests on.
        for (const SessionSource& older : (*session)->baselines)
            keep_from_output(older.path);
        named.session = **session;
        named.session_file = file;
    }
    if (named.reports.empty())
        return unexpected(ErrorCode::bad_schema, "The session names no report", named.session_file,
                          "Name a report beside it.");
    drop_repeated_files(named.reports);
    return named;
}

Error told(const LostReport& lost) {
    Error why = lost.why;
    why.where = place_in_file(name_for_display(lost.file), why.where);
    if (!lost.named_by.empty()) why.where += ", named by " + lost.named_by;
    return why;
}

void say_lost(const std::vector<LostReport>& lost) {
    for (const LostReport& report : lost)
        say_warning(to_line(told(report)) + " The other reports are read.");
}

Result<std::vector<NamedReport>> take_baselines(NamedFiles& files) {
    auto names = names_of(files.session.baselines, files.session_file, "baselines");
    files.session.baselines.clear();
    if (names) drop_repeated_files(*names);
    return names;
}

Result<std::shared_ptr<const Profile>> read_reports(NamedFiles& files) {
    LoadRequest request;
    request.joins = files.session.joined;
    std::vector<LostReport> typed;
    std::vector<LostReport> of_session;
    bool session_read = false;
    for (const NamedReport& report : files.reports) {
        Result<OpenFile> read = read_quietly(report.file);
        if (read) {
            if (!report.hash.empty() && read->hash != report.hash)
                say_warning(to_line(changed_source(report.file)));
            session_read = session_read || !report.named_by.empty();
            request.kept.push_back(*std::move(read));
            continue;
        }
        LostReport lost{report.file, report.named_by, std::move(read).error()};
        if (files.whole) return tl::unexpected(told(lost));
        (report.named_by.empty() ? typed : of_session).push_back(std::move(lost));
    }
    for (const std::vector<LostReport>& lost : {typed, of_session})
        files.lost.insert(files.lost.end(), lost.begin(), lost.end());
    if (!of_session.empty() && !session_read) return tl::unexpected(told(of_session.front()));
    if (request.kept.empty()) return tl::unexpected(told(typed.front()));
    for (const LostReport& report : typed) {
        Error why = told(report);
        why.hint += (why.hint.empty() ? "" : " ") + std::string("The other reports are read.");
        files.exit_code = fail(why);
    }
    say_lost(of_session);
    LoadResult loaded = load_files(request, {});
    if (request.joins) say_joined(loaded);
    say_warnings(*loaded.merged);
    if (loaded.separate_runs && !files.whole)
        say("The runs hold different counters of the same kernels; --join makes one run of them.");
    return std::move(loaded.merged);
}

}  // namespace roofwalk::cli

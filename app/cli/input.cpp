// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <set>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/cli/console.h"
#include "app/cli/output.h"
#include "core/base/mapped_file.h"
#include "core/base/progress.h"
#include "core/compare/join_runs.h"
#include "core/import/open_profile.h"
#include "core/workspace/content_hash.h"
#include "core/workspace/session_sources.h"

namespace roofwalk::cli {

namespace {

constexpr std::size_t most_streamed = std::size_t{2} << 30U;
constexpr std::size_t chunk = std::size_t{64} << 10U;
/// Larger files are mapped, not read: small documents are refused by their size alone.
constexpr std::size_t most_copied = std::size_t{64} << 20U;

Error unreadable(const std::string& file, int code) {
    return {ErrorCode::file_not_readable, "The data cannot be read: " + std::generic_category().message(code),
            said_name(file), "Save it to a file first."};
}

Result<std::string> read_stream(int descriptor, const std::string& file) {
    std::string text;
    std::array<char, chunk> part{};
    while (true) {
        const ssize_t count = ::read(descriptor, part.data(), part.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return tl::unexpected(unreadable(file, errno));
        if (count == 0) return text;
        text.append(part.data(), static_cast<std::size_t>(count));
        if (text.size() > most_streamed)
            return tl::unexpected(Error{ErrorCode::too_large, "More than 2 GiB come through the pipe",
                                        said_name(file), "Save the data to a file and name it."});
    }
}

Result<std::string> read_stream(const std::string& file) {
    if (file == "-") return read_stream(STDIN_FILENO, file);
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return tl::unexpected(unreadable(file, errno));
    Result<std::string> text = read_stream(descriptor, file);
    ::close(descriptor);
    return text;
}

/// The report of a session as a name to read: "-" is a file there, since only who types may mean stdin, and
/// for the same reason a pipe or a device is refused.
Result<std::string> file_of_source(const SessionSource& report, const std::string& session_file,
                                   std::string_view list, std::size_t source) {
    std::string name = report.path == "-" ? "./-" : report.path;
    if (!is_stream(name)) return name;
    return tl::unexpected(Error{ErrorCode::file_not_readable,
                                fmt::format("The session names a pipe or a device as its report: {}", name),
                                fmt::format("{}, {}[{}].path", session_file, list, source),
                                "Save the data to a file and name that one."});
}

/// Of a session with the entry that names it.
LostReport lost_report(const NamedReport& report, const Error& why) {
    LostReport lost{report.file, why};
    if (!report.named_by.empty()) lost.why.where += ", named by " + report.named_by;
    return lost;
}

/// Names to read of a list of the session, "sources" or "baselines". When none can be opened, the error is
/// that of the first.
Result<std::vector<NamedReport>> names_of(const std::vector<SessionSource>& sources,
                                          const std::string& session_file, std::string_view list,
                                          std::vector<LostReport>& lost) {
    std::vector<NamedReport> names;
    std::vector<LostReport> lost_here;
    for (std::size_t i = 0; i < sources.size(); ++i) {
        Result<std::string> name = file_of_source(sources[i], session_file, list, i);
        if (!name) return tl::unexpected(std::move(name).error());
        NamedReport report{*std::move(name), fmt::format("{}, {}[{}].path", session_file, list, i)};
        const Result<MappedFile> file = MappedFile::open(report.file);
        if (!file) {
            lost_here.push_back(lost_report(report, file.error()));
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
    if (is_stream(file) || !is_session_file(file)) return std::nullopt;
    return InputText::read(file)
        .and_then([&](const InputText& content) { return open_session(content.text(), file); })
        .map([](WorkspaceSpec session) { return std::optional(std::move(session)); });
}

constexpr std::size_t warnings_said = 20;

Result<Profile> read_quietly(const std::string& file) {
    ProgressLine line(file);
    Progress progress;
    progress.report = [&line](double share) { line.show(share); };
    if (!is_stream(file)) {
        keep_from_output(file);
        return open_profile(file, progress);
    }
    return InputText::read(file).and_then([&](const InputText& input) {
        return read_profile(std::as_bytes(std::span(input.text())), said_name(file), progress);
    });
}

void say_warnings(const Profile& profile) {
    struct Repeated {
        const Error* first;
        std::size_t times;
    };
    std::vector<Repeated> distinct;
    for (const Warning& warning : profile.warnings) {
        const auto same = std::ranges::find_if(
            distinct, [&](const Repeated& seen) { return seen.first->what == warning.message.what; });
        if (same != distinct.end())
            ++same->times;
        else
            distinct.push_back({&warning.message, 1});
    }
    for (const Repeated& warning : std::span(distinct).first(std::min(distinct.size(), warnings_said))) {
        const std::string more =
            warning.times > 1 ? fmt::format(" (and {} more like it)", warning.times - 1) : "";
        say_warning(to_line(*warning.first) + more);
    }
    if (distinct.size() > warnings_said)
        say_warning(fmt::format("{} further warnings are in the output of --format json.",
                                distinct.size() - warnings_said));
}

/// Several reports as one.
Profile as_one(std::vector<Profile> profiles, bool join) {
    std::vector<const Profile*> all;
    for (const Profile& profile : profiles)
        all.push_back(&profile);
    if (join) {
        JoinedRuns joined = join_runs(all);
        for (const std::string& sentence : joined.sentences)
            say(sentence);
        if (joined.sentences.empty())
            say_warning(
                profiles.size() == 1
                    ? "Nothing is joined within the file: no two of its processes counted different "
                      "things. To join several files for a comparison, convert --join makes one of them."
                    : "Nothing is joined: no two runs counted different things.");
        say_warnings(joined.profile);
        return std::move(joined.profile);
    }
    Profile merged = profiles.size() == 1 ? Profile() : merge_profiles(all);
    say_warnings(profiles.size() == 1 ? profiles.front() : merged);
    if (are_separate_runs(all))
        say("The runs hold different counters of the same kernels; --join makes one run of them.");
    return profiles.size() == 1 ? std::move(profiles.front()) : std::move(merged);
}

}  // namespace

bool is_stream(const std::string& file) {
    std::error_code ignored;
    const std::filesystem::file_status status = std::filesystem::status(file, ignored);
    return file == "-" || std::filesystem::is_fifo(status) || std::filesystem::is_character_file(status) ||
           std::filesystem::is_socket(status);
}

std::string said_name(const std::string& file) {
    return file == "-" ? "standard input" : file;
}

Result<InputText> InputText::read(const std::string& file) {
    InputText input;
    keep_from_output(file);
    if (is_stream(file))
        return read_stream(file).map([&](std::string text) {
            input.streamed_ = std::move(text);
            return std::move(input);
        });
    return MappedFile::open(file, most_copied).map([&](MappedFile content) {
        input.file_ = std::move(content);
        return std::move(input);
    });
}

std::string_view InputText::text() const {
    return file_ ? file_->text() : std::string_view(streamed_);
}

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
        const auto reports = names_of((*session)->sources, file, "sources", named.lost);
        if (!reports) return tl::unexpected(reports.error());
        named.reports.insert(named.reports.end(), reports->begin(), reports->end());
        // Its older reports too, whoever reads them: all are what the session rests on.
        for (const SessionSource& older : (*session)->baselines)
            keep_from_output(older.path);
        named.session = **session;
        named.session_file = file;
    }
    if (named.reports.empty())
        return tl::unexpected(Error{ErrorCode::bad_schema, "The session names no report", named.session_file,
                                    "Name a report beside it."});
    drop_repeats(named.reports);
    return named;
}

void say_lost(const std::vector<LostReport>& lost) {
    for (const LostReport& report : lost)
        say_warning(to_line(report.why) + " The other reports are read.");
}

Result<std::vector<NamedReport>> take_baselines(NamedFiles& files) {
    auto names = names_of(files.session.baselines, files.session_file, "baselines", files.lost);
    files.session.baselines.clear();
    return names;
}

Result<Profile> read_input(const std::string& file) {
    Result<Profile> profile = read_quietly(file);
    if (profile) say_warnings(*profile);
    return profile;
}

Result<Profile> read_reports(NamedFiles& files) {
    std::vector<Profile> profiles;
    std::vector<LostReport> typed;
    std::vector<LostReport> of_session;
    for (const NamedReport& report : files.reports) {
        Result<Profile> profile = read_quietly(report.file);
        if (profile)
            profiles.push_back(*std::move(profile));
        else if (files.whole)
            return tl::unexpected(std::move(profile).error());
        else
            (report.named_by.empty() ? typed : of_session).push_back(lost_report(report, profile.error()));
    }
    if (profiles.empty()) return tl::unexpected((typed.empty() ? of_session : typed).front().why);
    for (const LostReport& report : typed) {
        Error why = report.why;
        why.hint += (why.hint.empty() ? "" : " ") + std::string("The other reports are read.");
        files.exit_code = fail(why);
    }
    say_lost(of_session);
    for (const std::vector<LostReport>& lost : {typed, of_session})
        files.lost.insert(files.lost.end(), lost.begin(), lost.end());
    return as_one(std::move(profiles), files.session.joined);
}

}  // namespace roofwalk::cli

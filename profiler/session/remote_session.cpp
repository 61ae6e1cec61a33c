// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/session/remote_session.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>

#include "core/export/recording_lines.h"
#include "core/import/json_reader.h"
#include "core/text.h"
#include "profiler/session/launch_plan.h"
#include "profiler/session/remote_command.h"
#include "profiler/session/session_machine.h"

namespace roofwalk {

namespace {

using namespace std::chrono_literals;

/// For what is on its way after the other side was told to stop.
constexpr auto remote_drain = 15s;
constexpr auto remote_grace = 3s;
constexpr std::size_t most_remote_words = 4096;
/// Shells and commands that start others end so when they found nothing to start.
constexpr int no_such_program = 127;
/// Of ssh, when it could not reach the other side or lost it.
constexpr int no_connection = 255;

}  // namespace

Result<std::unique_ptr<RemoteSession>> RemoteSession::start(const ProfileRequest& request) {
    if (request.launch.command.empty())
        return tl::unexpected(Error{ErrorCode::bad_argument, "No program is given", "", ""});
    auto files = RecordingFiles::make(request.output);
    if (!files) return tl::unexpected(files.error());
    const auto plan = plan_program({.command = remote_command(request), .directory = {}, .environment = {}},
                                   environment_here());
    if (!plan) return tl::unexpected(plan.error());
    auto child = ChildProcess::start(*plan, ChildProcess::Streams::held);
    if (!child) return tl::unexpected(child.error());
    return std::unique_ptr<RemoteSession>(new RemoteSession(
        *std::move(child), *std::move(files), fmt::format("{}", fmt::join(request.launch.through, " "))));
}

RemoteSession::RemoteSession(ChildProcess child, RecordingFiles files, std::string command)
    : child_(std::move(child)), files_(std::move(files)), command_(std::move(command)) {
    status_.phase = RecordingPhase::waiting;
    status_.sentence = fmt::format("Waiting for roofwalk-cli behind `{}`.", command_);
}

void RemoteSession::step(std::chrono::milliseconds limit, const OnChildText& on_text) {
    if (over()) return;
    const OnChildText take_text = [&](ChildStream stream, std::string_view text) {
        if (stream == ChildStream::output) return take(text, on_text);
        keep_words(text);
        if (on_text) on_text(stream, text);
    };
    auto end = child_.wait(limit, take_text);
    const bool too_late = stopped_ && Clock::now() - *stopped_ > remote_drain;
    if (!end && (cancelled_ || too_late)) end = child_.stop(remote_grace, take_text);
    if (end) finish(*end);
}

void RemoteSession::take(std::string_view text, const OnChildText& on_text) {
    unfinished_ += text;
    std::size_t from = 0;
    for (auto end = unfinished_.find('\n'); end != std::string::npos; end = unfinished_.find('\n', from)) {
        take_line(std::string_view(unfinished_).substr(from, end + 1 - from), on_text);
        from = end + 1;
    }
    unfinished_.erase(0, from);
}

/// What a shell says there as it starts comes before the recording, and is none of it.
void RemoteSession::take_line(std::string_view line, const OnChildText& on_text) {
    if (lines_.empty() && !line.starts_with(R"({"format")")) {
        if (on_text) on_text(ChildStream::output, line);
        return;
    }
    if (lines_.empty() && status_.phase == RecordingPhase::waiting) {
        status_.phase = RecordingPhase::running;
        status_.sentence = "Recording.";
        status_.processes = 1;
    }
    lines_ += line;
    ++revision_;
    // A line of a launch stands for an earlier one of its number, which comes with the next pass of counters.
    if (const auto at = line.rfind(R"("launch":)"); at != std::string_view::npos) {
        std::uint64_t number = 0;
        for (const char digit : line.substr(at + 9)) {
            if (std::isdigit(static_cast<unsigned char>(digit)) == 0) break;
            number = 10 * number + static_cast<std::uint64_t>(digit - '0');
        }
        launches_ = std::max(launches_, number + 1);
    }
    const auto written = files_.write(0, child_.pid(), line);
    if (!written && std::ranges::find(status_.problems, written.error()) == status_.problems.end())
        status_.problems.push_back(written.error());
}

void RemoteSession::keep_words(std::string_view text) {
    words_ += text;
    if (words_.size() > most_remote_words) words_.erase(0, words_.size() - most_remote_words);
}

/// The last line that says something.
std::string RemoteSession::last_words() const {
    std::string_view rest = words_;
    while (!rest.empty() && std::isspace(static_cast<unsigned char>(rest.back())) != 0)
        rest.remove_suffix(1);
    return clean_utf8(rest.substr(rest.find_last_of('\n') + 1));
}

void RemoteSession::finish(const ChildEnd& end) {
    const bool recorded = !lines_.empty();
    status_.phase = recorded ? RecordingPhase::ended : RecordingPhase::failed;
    const std::string said = last_words();
    const std::string quoted = said.empty() ? std::string() : fmt::format(" It said: {}", said);
    if (cancelled_) {
        status_.sentence = "The recording was cancelled.";
    } else if (end.exit_code == no_connection && !lines_.ends_with(RecordingLines::end({}))) {
        status_.sentence = recorded ? fmt::format("The connection of `{}` broke.{}", command_, quoted)
                                    : fmt::format("`{}` could not connect.{}", command_, quoted);
        if (!recorded) status_.hint = "Try that command in a terminal; it must not ask for a password.";
    } else if (end.exit_code == no_such_program && !recorded) {
        status_.sentence =
            fmt::format("There is no roofwalk-cli on the PATH behind `{}`.{}", command_, quoted);
        status_.hint =
            "Copy it there, and end the prefix with its path, as in `ssh node /opt/roofwalk/bin/roofwalk-cli`.";
    } else if (!recorded) {
        status_.sentence = fmt::format("roofwalk-cli behind `{}` {} and recorded nothing.{}", command_,
                                       words_for(end), quoted);
    } else {
        status_.sentence = stopped_ ? "The recording was stopped."
                                    : fmt::format("roofwalk-cli behind `{}` {}.", command_, words_for(end));
    }
    ++revision_;
}

void RemoteSession::stop() {
    if (over() || stopped_) return;
    stopped_ = Clock::now();
    status_.phase = RecordingPhase::draining;
    status_.sentence = "Recording stops.";
    child_.close_input();
}

void RemoteSession::cancel() {
    stop();
    cancelled_ = true;
}

RecordingStatus RemoteSession::status() const {
    RecordingStatus status = status_;
    status.elapsed = Seconds(std::chrono::duration<double>(Clock::now() - start_).count());
    status.files = files_.files();
    status.seen = status.recorded = launches_;
    return status;
}

Profile RemoteSession::snapshot() const {
    if (launches_ == 0) return {};
    // While it grows, that its end is missing is no news.
    return read_json(over() ? lines_ : lines_ + RecordingLines::end({}), command_).value_or(Profile());
}

}  // namespace roofwalk

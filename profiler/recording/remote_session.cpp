// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/remote_session.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>
#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/base/text.h"
#include "profiler/recording/child_process.h"

namespace roofwalk {

namespace {

constexpr const char* remote_program = "roofwalk-cli";

bool is_named(const std::string& word, std::string_view name) {
    return std::filesystem::path(word).filename() == name;
}

std::vector<std::string> words_there(const ProfileRequest& request) {
    std::vector<std::string> words{"profile", "-o", "-", "--until-input-ends"};
    const auto add = [&](const char* option, const std::vector<std::string>& values) {
        for (const std::string& value : values)
            words.insert(words.end(), {option, value});
    };
    const CaptureOptions& measuring = request.measuring;
    if (!measuring.counters) words.emplace_back("--timing");
    if (measuring.counters && measuring.every_launch) words.emplace_back("--every-launch");
    if (measuring.counters && measuring.replay != CaptureOptions{}.replay)
        add("--replay", {std::string(name_of(measuring.replay))});
    add("--kernel", measuring.filter.kernels);
    add("--except",
        measuring.filter.except.empty() ? std::vector<std::string>{"none"} : measuring.filter.except);
    add("--nvtx", measuring.filter.nvtx_ranges);
    if (measuring.filter.skip > 0) add("--skip", {std::to_string(measuring.filter.skip)});
    if (measuring.filter.count) add("--count", {std::to_string(*measuring.filter.count)});
    if (!request.launch.directory.empty()) add("--directory", {request.launch.directory.string()});
    for (const auto& [name, value] : request.launch.environment)
        add("--env", {name + "=" + value});
    if (request.launch.pytorch_ranges) words.emplace_back("--pytorch");
    words.emplace_back("--");
    words.insert(words.end(), request.launch.command.begin(), request.launch.command.end());
    return words;
}

/// How many shells read the words behind these; a word after an option is its value: `ssh -l ssh node` is
/// one.
std::ptrdiff_t shells_behind(const std::vector<std::string>& words) {
    std::ptrdiff_t shells = 0;
    for (std::size_t i = 0; i < words.size(); ++i)
        if (is_named(words[i], "ssh") && (i == 0 || !words[i - 1].starts_with('-'))) ++shells;
    return shells;
}

using namespace std::chrono_literals;

constexpr auto remote_grace = 3s;
constexpr std::size_t most_remote_words = 4096;
constexpr std::size_t most_remote_problems = 20;
constexpr std::string_view recording_begins = R"({"format":"roofwalk-profile")";
/// Shells and commands that start others end so when they found nothing to start.
constexpr int no_such_program = 127;
/// Of ssh, when it could not reach the other side or lost it.
constexpr int no_connection = 255;

/// What a person can do where a command such as ssh did not get through and said this.
std::string_view cure_for(std::string_view said) {
    if (contains(said, "Permission denied"))
        return "It cannot ask for a password here. Give that machine a key with ssh-copy-id, and load it with "
               "ssh-add where it has a passphrase.";
    if (contains(said, "Host key verification failed"))
        return "Connect once in a terminal, and accept the key of that machine.";
    return "Try that command in a terminal; it must not ask for a password.";
}

}  // namespace

std::vector<std::string> remote_command(const ProfileRequest& request) {
    std::vector<std::string> words = request.launch.through;
    std::string program(remote_program);
    if (!words.empty() && is_named(words.back(), remote_program)) {
        program = std::move(words.back());
        words.pop_back();
    }
    const std::ptrdiff_t shells = shells_behind(words);
    std::vector<std::string> there = words_there(request);
    there.insert(there.begin(), std::move(program));
    for (std::string& word : there) {
        for (std::ptrdiff_t shell = 0; shell < shells; ++shell)
            word = quote_shell(word);
        words.push_back(std::move(word));
    }
    return words;
}

Result<std::unique_ptr<RemoteSession>> RemoteSession::start(const ProfileRequest& request,
                                                            const RemoteLimits& limits) {
    if (request.launch.command.empty())
        return unexpected(ErrorCode::bad_argument, "No program is given", "",
                          "Name the program to start, and its arguments.");
    auto files = RecordingFiles::make(request.output);
    if (!files) return tl::unexpected(files.error());
    const auto plan = plan_program({.command = remote_command(request), .directory = {}, .environment = {}},
                                   environment_here());
    if (!plan) return tl::unexpected(plan.error());
    auto child = ChildProcess::start(*plan, ChildProcess::Streams::held);
    if (!child) return tl::unexpected(child.error());
    return std::unique_ptr<RemoteSession>(new RemoteSession(
        *std::move(child), *std::move(files), fmt::format("{}", fmt::join(request.launch.through, " ")),
        request.launch.command.front(), limits));
}

RemoteSession::RemoteSession(ChildProcess child, RecordingFiles files, std::string command,
                             const std::string& program, const RemoteLimits& limits)
    : child_(std::move(child)),
      files_(std::move(files)),
      command_(std::move(command)),
      limits_(limits),
      program_(program) {
    parts_.push_back(std::make_unique<RecordingReader>(program));
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
    const bool too_late = stopped_ && Clock::now() - *stopped_ > limits_.drain;
    if (!end && (cancelled_ || too_late)) end = child_.stop(remote_grace, take_text);
    if (end)
        finish(*end);
    else
        tell_of_waiting();
}

void RemoteSession::tell_of_waiting() {
    if (const auto signal = child_.stopped()) {
        status_.hint = fmt::format(
            "`{}` was stopped by signal {} ({}). Let it go on with `kill -CONT {}`, or "
            "cancel the recording.",
            command_, *signal, strsignal(*signal), child_.pid());
    } else if (status_.phase == RecordingPhase::waiting && Clock::now() - start_ >= limits_.silence_limit) {
        status_.hint =
            "Nothing has come from there yet. It may wait for the network, or for a machine to be free. A "
            "password cannot be asked for here: the command must connect without one.";
    } else {
        status_.hint.clear();
    }
}

void RemoteSession::take(std::string_view text, const OnChildText& on_text) {
    while (!text.empty() && !unreadable_) {
        const auto end = text.find('\n');
        const std::string_view part = text.substr(0, end == std::string_view::npos ? end : end + 1);
        text.remove_prefix(part.size());
        if (!leaves_line_out_) line_ += part;
        if (line_.size() > limits_.line) {
            leaves_line_out_ = true;
            line_.clear();
            add_problem({ErrorCode::too_large, "A line that came from there is too long and was left out",
                         command_, "Nothing but roofwalk-cli should write there."});
        }
        if (end == std::string_view::npos) return;
        if (!std::exchange(leaves_line_out_, false)) take_line(line_, on_text);
        line_.clear();
    }
}

/// What a shell says there as it starts comes before the recording, and what it says as it ends behind it.
void RemoteSession::take_line(std::string_view line, const OnChildText& on_text) {
    const bool begun = parts_.front()->begun();
    const RecordingPart part = begun ? part_of(line) : RecordingPart{0, line};
    if (part.number > 0) return keep(part);
    const auto begins = begun ? std::string_view::npos : line.find(recording_begins);
    const std::string_view said = !begun || all_ended() ? line.substr(0, begins) : std::string_view();
    if (!said.empty() && on_text) on_text(ChildStream::output, said);
    line.remove_prefix(said.size());
    if (!line.empty()) keep({0, line});
}

RecordingReader* RemoteSession::reader_of(std::size_t part) {
    // They are numbered as they come.
    if (part > parts_.size()) return nullptr;
    if (part == parts_.size())
        parts_.push_back(std::make_unique<RecordingReader>(fmt::format("{}, part {}", program_, part)));
    return parts_[part].get();
}

void RemoteSession::keep(const RecordingPart& part) {
    RecordingReader* const reader = reader_of(part.number);
    const bool begun = reader != nullptr && reader->begun();
    const auto read = reader != nullptr
                          ? reader->add(part.line)
                          : unexpected(ErrorCode::bad_json, "A line is of a process that was not heard of",
                                       command_, "Use roofwalk-cli of the same release there.");
    ++revision_;
    if (!read) {
        add_problem(read.error());
        if (!parts_.front()->begun()) refuse();
        return;
    }
    if (!begun && reader->begun()) begin();
    const std::string line = std::string(part.line) + (part.line.ends_with('\n') ? "" : "\n");
    if (const auto written = files_.write(part.number, child_.pid(), line); !written)
        add_problem(written.error());
}

void RemoteSession::begin() {
    ++status_.processes;
    if (status_.phase != RecordingPhase::waiting) return;
    status_.phase = RecordingPhase::running;
    status_.sentence = "Recording.";
}

bool RemoteSession::all_ended() const {
    return std::ranges::all_of(parts_, [](const auto& part) { return part->ended(); });
}

/// Nothing behind a header that cannot be read can be.
void RemoteSession::refuse() {
    stop();
    unreadable_ = true;
}

void RemoteSession::add_problem(Error problem) {
    if (status_.problems.size() < most_remote_problems &&
        std::ranges::find(status_.problems, problem) == status_.problems.end())
        status_.problems.push_back(std::move(problem));
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
    const std::string said = last_words();
    const std::string quoted = said.empty() ? std::string() : fmt::format(" It said: {}", said);
    status_.hint.clear();
    const bool begun = parts_.front()->begun();
    status_.phase = begun ? RecordingPhase::ended : RecordingPhase::failed;
    ++revision_;
    if (cancelled_) {
        status_.sentence = "The recording was cancelled.";
    } else if (!begun) {
        finish_without_recording(end, quoted);
    } else if (end.exit_code == no_connection && !all_ended()) {
        status_.sentence = fmt::format("The connection of `{}` broke.{}", command_, quoted);
    } else {
        status_.sentence = stopped_ ? "The recording was stopped."
                                    : fmt::format("roofwalk-cli behind `{}` {}.", command_, words_for(end));
    }
}

void RemoteSession::finish_without_recording(const ChildEnd& end, const std::string& quoted) {
    if (!status_.problems.empty()) {
        const Error& problem = status_.problems.front();
        status_.sentence = fmt::format("What came from `{}` cannot be read. {}.", command_, problem.what);
        status_.hint = problem.hint.empty() ? "Use roofwalk-cli of the same release there." : problem.hint;
    } else if (end.exit_code == no_connection) {
        status_.sentence = fmt::format("`{}` could not connect.{}", command_, quoted);
        status_.hint = cure_for(words_);
    } else if (end.exit_code == no_such_program) {
        status_.sentence =
            fmt::format("There is no roofwalk-cli on the PATH behind `{}`.{}", command_, quoted);
        status_.hint =
            "Copy it there, and end the prefix with its path, as in `ssh node /opt/roofwalk/bin/roofwalk-cli`.";
    } else {
        status_.sentence = fmt::format("roofwalk-cli behind `{}` {} and recorded nothing.{}", command_,
                                       words_for(end), quoted);
        status_.hint =
            "`roofwalk-cli check` there says whether kernels can be recorded, and what is missing.";
    }
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
    for (const auto& part : parts_) {
        const std::uint64_t told = part->launches();
        RecordingCounts counts = part->counts().value_or(RecordingCounts{told, told, 0, 0, 0});
        counts.seen = std::max(counts.seen, told);
        status.counts += counts;
        for (const Warning& warning : part->warnings())
            if (const Error problem = message_of(warning);
                std::ranges::find(status.problems, problem) == status.problems.end())
                status.problems.push_back(problem);
    }
    return status;
}

Profile RemoteSession::snapshot() const {
    std::vector<Profile> profiles;
    for (const auto& part : parts_)
        if (part->launches() > 0) profiles.push_back(part->profile(over()));
    if (profiles.empty()) return {};
    std::vector<const Profile*> pointers;
    for (const Profile& each : profiles)
        pointers.push_back(&each);
    Profile profile = merge_profiles(pointers);
    for (const Error& problem : status_.problems)
        profile.warnings.push_back({problem, {}});
    return profile;
}

}  // namespace roofwalk

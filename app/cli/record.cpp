// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/record.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <limits>

#include "app/cli/console.h"
#include "app/cli/end_signals.h"
#include "app/cli/shared_options.h"
#include "core/base/text.h"
#include "core/roofline/summary.h"
#include "profiler/recording/ncu_session.h"

namespace roofwalk::cli {

namespace {

constexpr std::string_view this_tool = "Roofwalk " ROOFWALK_VERSION;

/// A line that rewrites itself, where it disturbs nothing: on a terminal that the program does not write to.
class RecordingLine {
  public:
    explicit RecordingLine(bool program_writes_here)
        : shown_(isatty(STDERR_FILENO) != 0 && !(program_writes_here && isatty(STDOUT_FILENO) != 0)) {}
    RecordingLine(const RecordingLine&) = delete;
    RecordingLine& operator=(const RecordingLine&) = delete;
    ~RecordingLine() {
        if (shown_) write_error_text(wiped_line);
    }

    void show(const RecordingStatus& status) const {
        if (!shown_) return;
        write_error_text(fmt::format("{}{:.0f} s, {} seen, {} measured", wiped_line, status.elapsed.value(),
                                     rows_counted(status.counts.seen, GroupBy::launch),
                                     format_count(static_cast<double>(status.counts.recorded))));
    }

  private:
    bool shown_;
};

std::string counted(std::uint64_t number, std::string_view what) {
    return number == 0 ? std::string()
                       : fmt::format(", {} {}", format_count(static_cast<double>(number)), what);
}

/// `said` was said before the start.
void say_outcome(const RecordingStatus& status, const std::vector<Error>& said, const RecordingLog& log) {
    for (const Error& problem : status.problems)
        if (std::ranges::find(said, problem) == said.end()) say_warning(to_line(problem));
    say(status.sentence + (status.hint.empty() ? "" : " " + status.hint));
    if (status.phase == RecordingPhase::failed && !log.path().empty()) say(log.name_for_person());
    if (status.processes == 0) return;
    const RecordingCounts& counts = status.counts;
    const std::uint64_t told = counts.recorded + counts.sampled_out + counts.filtered + counts.dropped;
    say(fmt::format("{} seen{}{}{}{}{}.", rows_counted(counts.seen, GroupBy::launch),
                    counted(counts.recorded, "measured"), counted(counts.sampled_out, "alike and left out"),
                    counted(counts.filtered, "not asked for"), counted(counts.dropped, "lost"),
                    counted(counts.seen - std::min(told, counts.seen), "without figures")));
    if (counts.recorded + counts.sampled_out == 0)
        return say("No kernel in the recording has figures: there is nothing to look at.");
    for (const std::string& file : status.files)
        say_recorded_in(file);
}

/// Whether nobody holds the other end of our standard input any more; what comes from there is dropped.
bool input_has_ended() {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    if (poll(&input, 1, 0) <= 0) return false;
    std::array<char, 4096> dropped{};
    const auto count = read(STDIN_FILENO, dropped.data(), dropped.size());
    return count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN);
}

void run(ProfileSession& session, bool started_a_program, bool until_input_ends, const OnChildText& on_text,
         const RecordingLog& log) {
    constexpr std::chrono::milliseconds turn{100};
    EndSignals signals;
    const RecordingLine line(started_a_program && !on_text);
    bool hinted = false;
    while (!session.over()) {
        session.step(turn, on_text);
        // What is typed at the terminal has reached the program too.
        const int signal = signals.take();
        if (signal != 0 && !started_a_program) session.stop();
        if ((signal != 0 && signal != SIGINT) || (signal == SIGINT && on_text)) session.pass_on(signal);
        if (until_input_ends && input_has_ended()) {
            session.stop();
            until_input_ends = false;
        }
        const RecordingStatus status = session.status();
        log.follow(status);
        if (status.phase == RecordingPhase::waiting && !status.hint.empty() && !hinted) {
            say("roofwalk-cli: " + status.sentence + " " + status.hint);
            hinted = true;
        }
        line.show(status);
    }
}

int exit_code(const ProfileSession& session, const RecordingStatus& status) {
    const auto of_program = session.program_end() ? session.program_end()->shell_status() : std::nullopt;
    if (of_program && *of_program != 0) return *of_program;
    if (session.lost_lines()) return exit_unreadable;
    return status.phase == RecordingPhase::failed ? exit_no_profiling : exit_done;
}

}  // namespace

void add_record_options(CLI::App& verb, RecordOptions& options) {
    verb.add_option(
            "-o,--output", options.request.output,
            "file of the recording, one for each process: %h is the host, %p the number of the process, "
            "%q{NAME} a variable; - for stdout")
        ->type_name("PATTERN")
        ->default_str("roofwalk-%p.jsonl");
    LaunchFilter& filter = options.request.measuring.filter;
    repeatable(verb.add_option("--kernel", filter.kernels,
                               "record kernels only whose name this regular expression is found in")
                   ->type_name("REGEX"));
    repeatable(
        verb.add_option("--except", options.except,
                        "leave kernels of such a name alone, instead of ^nccl and ^nvshmem; none for no name")
            ->type_name("REGEX"));
    repeatable(verb.add_option("--nvtx", filter.nvtx_ranges,
                               "record launches only inside of an NVTX range that this is found in")
                   ->type_name("REGEX"));
    constexpr std::uint64_t most_launches = std::numeric_limits<std::uint32_t>::max();
    verb.add_option("--skip", filter.skip, "launches to leave alone first")
        ->type_name("N")
        ->check(whole_number(0, most_launches));
    verb.add_option("--count", filter.count, "launches to record after those; all without it")
        ->type_name("N")
        ->check(whole_number(1, most_launches));
    verb.add_flag("--every-launch", options.request.measuring.every_launch,
                  "measure every launch; without it kernels that repeat are sampled");
    verb.add_option_function<std::string>(
            "--replay",
            [&options](const std::string& name) {
                for (const ReplayPolicy replay :
                     {ReplayPolicy::never, ReplayPolicy::once, ReplayPolicy::always})
                    if (name_of(replay) == name) options.request.measuring.replay = replay;
            },
            "count FLOP on the launch that bytes are counted on, which runs in several passes. once is the first of "
            "a kernel and geometry, where less than 16 GiB of the GPU's memory are in use, with as much free. always "
            "is each that is measured")
        ->type_name("WHEN")
        ->default_str(std::string(name_of(options.request.measuring.replay)))
        ->check(CLI::IsMember({"never", "once", "always"}));
    verb.add_flag("--timing", options.timing,
                  "record time only: needs no permission to read counters, and no bytes or FLOPs are known")
        ->excludes("--replay")
        ->excludes("--every-launch");
    verb.add_option("--cupti", options.choices.cupti, "the library libcupti.so.13 or 12 to use")
        ->type_name("FILE");
    verb.add_option("--agent", options.choices.agent, "the agent to load, instead of the installed one")
        ->type_name("FILE");
    verb.add_flag("--force", options.choices.despite_findings,
                  "start even where `roofwalk-cli check` says that kernels cannot be profiled");
}

ProfileRequest request_of(const RecordOptions& options) {
    ProfileRequest request = options.request;
    request.measuring.counters = !options.timing;
    if (request.output.empty()) request.output = "roofwalk-%p.jsonl";
    if (!options.except.empty()) request.measuring.filter.except = options.except;
    std::erase(request.measuring.filter.except, "none");
    return request;
}

void say_recorded_in(const std::string& file) {
    say("Recorded in " + file + "; look at it with `roofwalk-cli report " + quote_shell_shown(file) +
        "`, or in the window.");
}

RecordingLog begin_log(const ProfileRequest& request) {
    return RecordingLog::begin(this_tool, request);
}

int refuse_recording(const Error& error, const RecordingLog& log) {
    say_error(log.failed(error));
    return exit_code_of(error.code);
}

int record(const RecordOptions& options) {
    const ProfileRequest request = request_of(options);
    const RecordingLog log = begin_log(request);
    auto parts = prepare_session(request, options.choices, std::string(this_tool), log);
    const bool to_stdout = request.output == "-";
    const bool starts = !request.attach_to;
    if (!parts) return refuse_recording(parts.error(), log);
    const std::vector<Error> warnings = parts->warnings;
    for (const Error& warning : warnings)
        say_warning(to_line(warning));
    // Standard output is the recording's: what the program writes there goes to standard error.
    if (to_stdout) parts->streams = ChildProcess::Streams::surviving;
    OnChildText on_text;
    if (to_stdout && starts) on_text = [](ChildStream, std::string_view text) { write_error_text(text); };
    auto session = ProfileSession::start(request, *std::move(parts));
    if (!session) return refuse_recording(session.error(), log);
    run(**session, starts, options.until_input_ends && to_stdout, on_text, log);
    const RecordingStatus status = (*session)->status();
    log.follow(status);
    say_outcome(status, warnings, log);
    return exit_code(**session, status);
}

int record_with_ncu(const RecordOptions& options) {
    ProfileRequest request = request_of(options);
    if (options.request.output.empty()) request.output = "roofwalk-%p.ncu-rep";
    const RecordingLog log = begin_log(request);
    const auto plan = prepare_ncu(request, options.choices.despite_findings);
    if (plan) say(std::string(ncu_passes));
    const auto before = reports_of(request.output);
    auto program = plan.and_then(
        [](const LaunchPlan& ready) { return ChildProcess::start(ready, ChildProcess::Streams::inherited); });
    if (!program) return refuse_recording(program.error(), log);
    // Ctrl-C is for the program and ncu, which share our terminal.
    EndSignals signals;
    std::optional<ChildEnd> end;
    while (!end) {
        end = program->wait(std::chrono::milliseconds(500));
        if (const int signal = signals.take(); signal != 0 && signal != SIGINT) program->pass_on(signal);
    }
    const auto report = before ? written_report(request.output, *before) : std::nullopt;
    int status = end->shell_status().value_or(exit_done);
    std::string outcome = fmt::format("Nsight Compute {}", words_for(*end));
    if (report) outcome += "; its report is " + report->string();
    if (before && !report) {
        outcome += " and wrote no report";
        if (status == exit_done) status = exit_no_profiling;
    }
    outcome += ".";
    log.info(outcome);
    say(outcome);
    if (status != 0 && !log.path().empty()) say(log.name_for_person());
    return status;
}

}  // namespace roofwalk::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/ncu_session.h"

#include <fmt/format.h>

#include <csignal>
#include <filesystem>
#include <utility>

#include "profiler/recording/session_machine.h"

namespace roofwalk {

Result<std::unique_ptr<NcuSession>> NcuSession::start(const LaunchPlan& plan, const NcuLimits& limits) {
    auto child = ChildProcess::start(plan, ChildProcess::Streams::piped);
    if (!child) return tl::unexpected(child.error());
    return std::unique_ptr<NcuSession>(new NcuSession(*std::move(child), limits));
}

NcuSession::NcuSession(ChildProcess child, const NcuLimits& limits)
    : child_(std::move(child)), limits_(limits) {
    status_.phase = RecordingPhase::running;
    status_.sentence = "Nsight Compute records. Its report opens when the program has ended.";
}

void NcuSession::step(std::chrono::milliseconds limit, const OnChildText& on_text) {
    if (over()) return;
    const OnChildText take = [&](ChildStream stream, std::string_view text) {
        log_.add(stream, text);
        if (on_text) on_text(stream, text);
    };
    auto end = child_.wait(limit, take);
    const bool too_late =
        stopped_ && Clock::now() - *stopped_ > (cancelled_ ? limits_.cancel : limits_.drain);
    if (!end && too_late) end = child_.stop(limits_.grace, take);
    if (end) finish(*end);
}

void NcuSession::stop() {
    if (over() || stopped_) return;
    stopped_ = Clock::now();
    status_.phase = RecordingPhase::draining;
    status_.sentence = "Nsight Compute ends the program and writes its report.";
    child_.pass_on(SIGINT);
}

void NcuSession::cancel() {
    stop();
    if (over() || std::exchange(cancelled_, true)) return;
    stopped_ = Clock::now();  // its limit begins now, however long ago the stop was
}

void NcuSession::finish(const ChildEnd& end) {
    std::error_code failed;
    if (!log_.report().empty() && std::filesystem::is_regular_file(log_.report(), failed)) {
        status_.phase = RecordingPhase::ended;
        status_.files = {std::filesystem::absolute(log_.report()).string()};
        status_.sentence =
            stopped_ ? "The recording was stopped." : fmt::format("Nsight Compute {}.", words_for(end));
        return;
    }
    status_.phase = RecordingPhase::failed;
    if (stopped_) {
        status_.sentence = "The recording was stopped before Nsight Compute wrote a report.";
        return;
    }
    const std::vector<Error>& problems = log_.problems();
    status_.sentence = fmt::format("Nsight Compute {} and wrote no report{}", words_for(end),
                                   problems.empty() ? "." : ": " + problems.back().what);
    status_.hint = "All that it said stands in the output of the program.";
}

RecordingStatus NcuSession::status() const {
    RecordingStatus status = status_;
    status.elapsed = Seconds(std::chrono::duration<double>(Clock::now() - start_).count());
    status.processes = log_.processes();
    status.seen = status.recorded = log_.launches();
    status.problems = log_.problems();
    return status;
}

}  // namespace roofwalk

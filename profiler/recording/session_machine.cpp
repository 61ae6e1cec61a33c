// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/session_machine.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

namespace roofwalk {

namespace {

constexpr std::string_view why_no_agent =
    "CUDA loads it with its first call: the program may not have come that far, may have cleaned its "
    "environment, or may run its kernels in a container, a sandbox or on another machine.";

std::string seconds(std::chrono::milliseconds time) {
    return fmt::format("{:g} s", static_cast<double>(time.count()) / 1000);
}

}  // namespace

std::string words_for(const ChildEnd& end) {
    if (end.signal) return fmt::format("was killed by signal {} ({})", *end.signal, strsignal(*end.signal));
    if (end.exit_code) return fmt::format("ended with exit code {}", *end.exit_code);
    return "ended, and nobody can tell how";
}

SessionMachine::SessionMachine(SessionLimits limits, std::optional<pid_t> attached_to, Time now)
    : limits_(limits), attached_to_(attached_to), since_(now) {
    if (attached_to_)
        sentence_ = fmt::format("Waiting for the agent in process {}.", *attached_to_);
    else
        sentence_ = "Starting the program.";
}

void SessionMachine::enter(RecordingPhase phase, std::string sentence, std::string hint) {
    phase_ = phase;
    sentence_ = std::move(sentence);
    hint_ = std::move(hint);
}

void SessionMachine::program_started(Time now) {
    since_ = now;
    enter(RecordingPhase::waiting, "Waiting for the agent in the program.");
}

void SessionMachine::drain(std::string sentence, Time now) {
    since_ = now;
    enter(RecordingPhase::draining, std::move(sentence));
}

void SessionMachine::program_ended(const ChildEnd& end, Time now) {
    if (over() || program_end_) return;
    program_end_ = end;
    if (phase_ != RecordingPhase::draining) drain(fmt::format("The program {}.", words_for(end)), now);
}

void SessionMachine::stop(Time now) {
    if (over() || std::exchange(stopped_, true)) return;
    if (phase_ != RecordingPhase::draining) drain("Recording stops.", now);
}

void SessionMachine::look(const AgentCounts& agents, Time now) {
    switch (phase_) {
        case RecordingPhase::starting:
        case RecordingPhase::waiting:
            look_while_waiting(agents, now);
            return;
        case RecordingPhase::running:
            if (attached_to_ && agents.connected == 0) finish(agents, false);
            return;
        case RecordingPhase::draining:
            look_while_draining(agents, now);
            return;
        case RecordingPhase::ended:
        case RecordingPhase::failed:
            return;
    }
}

void SessionMachine::look_while_waiting(const AgentCounts& agents, Time now) {
    const auto passed = std::chrono::duration_cast<std::chrono::milliseconds>(now - since_);
    if (agents.processes > 0) {
        since_ = now;
        enter(RecordingPhase::running, "Recording.");
    } else if (attached_to_ && agents.connected == 0) {
        enter(RecordingPhase::failed, fmt::format("The agent in process {} hung up.", *attached_to_),
              "Another collector may hold it; an agent serves one at a time.");
    } else if (attached_to_ && passed >= limits_.answer) {
        enter(RecordingPhase::failed,
              fmt::format("The agent in process {} did not answer within {}.", *attached_to_,
                          seconds(limits_.answer)),
              "The process may be stopped, or its agent is of another release.");
    } else if (!attached_to_ && passed >= limits_.connect && hint_.empty()) {
        enter(phase_, fmt::format("No agent has connected after {}.", seconds(limits_.connect)),
              std::string(why_no_agent));
    }
}

/// A program that has ended has no agent left but in children that outlive it; what it sent may take a while.
void SessionMachine::look_while_draining(const AgentCounts& agents, Time now) {
    if (std::exchange(launches_, agents.launches) != agents.launches) since_ = now;
    const bool too_long = now - since_ >= limits_.drain;
    if (agents.connected == 0 || (stopped_ && agents.drained) || too_long)
        finish(agents, agents.connected > 0 && !agents.drained);
}

void SessionMachine::finish(const AgentCounts& agents, bool too_late) {
    if (agents.processes == 0) {
        const std::string how = program_end_ ? "The program " + words_for(*program_end_)
                                             : std::string("The recording was stopped");
        enter(RecordingPhase::failed, how + " before any agent had connected: no kernel was recorded.",
              std::string(why_no_agent));
        return;
    }
    if (too_late) cut_ = "The recording was closed while its process still ran";
    std::string how = attached_to_ ? "The process has ended" : "The recording was stopped";
    if (program_end_) how = "The program " + words_for(*program_end_);
    if (attached_to_ && stopped_) how = fmt::format("Process {} runs on unrecorded", *attached_to_);
    if (agents.launches == 0) {
        enter(RecordingPhase::ended, how + "; no kernel was recorded.");
        return;
    }
    enter(RecordingPhase::ended, how + ".",
          too_late ? fmt::format("Processes that outlived it were let go after {}.", seconds(limits_.drain))
                   : std::string());
}

}  // namespace roofwalk

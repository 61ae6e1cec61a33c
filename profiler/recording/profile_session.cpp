// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/profile_session.h"

#include <fmt/format.h>
#include <algorithm>
#include <utility>

namespace roofwalk {

namespace {

constexpr std::string_view why_no_agent =
    "CUDA loads it with its first call: the program may not have come that far, or may have cleaned its "
    "environment. It may run its kernels in a container, a sandbox or on another machine.";

std::string seconds(std::chrono::milliseconds time) {
    return fmt::format("{:g} s", static_cast<double>(time.count()) / 1000);
}

/// For a program that is asked to end.
constexpr std::chrono::milliseconds grace{3000};

std::optional<pid_t> process_of(const ProfileRequest& request) {
    return request.attach_to ? std::optional(static_cast<pid_t>(*request.attach_to)) : std::nullopt;
}

}  // namespace

RecordingStateMachine::RecordingStateMachine(RecordingLimits limits, std::optional<pid_t> attached_to,
                                             Time now)
    : limits_(limits), attached_to_(attached_to), since_(now) {
    if (attached_to_)
        sentence_ = fmt::format("Waiting for the agent in process {}.", *attached_to_);
    else
        sentence_ = "Starting the program.";
}

void RecordingStateMachine::enter(RecordingPhase phase, std::string sentence, std::string hint) {
    phase_ = phase;
    sentence_ = std::move(sentence);
    hint_ = std::move(hint);
}

void RecordingStateMachine::program_started(Time now) {
    since_ = now;
    enter(RecordingPhase::waiting, "Waiting for the agent in the program.");
}

void RecordingStateMachine::drain(std::string sentence, Time now) {
    since_ = now;
    enter(RecordingPhase::draining, std::move(sentence));
}

void RecordingStateMachine::program_ended(const ChildEnd& end, Time now) {
    if (over() || program_end_) return;
    program_end_ = end;
    if (phase_ != RecordingPhase::draining) drain(fmt::format("The program {}.", words_for(end)), now);
}

void RecordingStateMachine::stop(Time now) {
    if (over() || std::exchange(stopped_, true)) return;
    if (phase_ != RecordingPhase::draining) drain("Recording stops.", now);
}

void RecordingStateMachine::look(const AgentCounts& agents, Time now) {
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

void RecordingStateMachine::look_while_waiting(const AgentCounts& agents, Time now) {
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
void RecordingStateMachine::look_while_draining(const AgentCounts& agents, Time now) {
    if (std::exchange(launches_, agents.launches) != agents.launches) since_ = now;
    const bool too_long = now - since_ >= limits_.drain;
    if (agents.connected == 0 || (stopped_ && agents.drained) || too_long)
        finish(agents, agents.connected > 0 && !agents.drained);
}

void RecordingStateMachine::finish(const AgentCounts& agents, bool too_late) {
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

ProfileSession::ProfileSession(const ProfileRequest& request, RecordingSetup parts, RecordingFiles files)
    : now_(std::move(parts.now)),
      start_(now_()),
      files_(std::move(files)),
      machine_(parts.limits, process_of(request), start_),
      collector_(request.measuring, std::move(parts.planner), std::move(parts.tool),
                 [this](std::size_t number, const ProcessRecording& recording, const std::string& lines) {
                     write(number, recording, lines);
                 }),
      problems_(std::move(parts.warnings)) {}

Result<std::unique_ptr<ProfileSession>> ProfileSession::start(const ProfileRequest& request,
                                                              RecordingSetup parts) {
    auto files = RecordingFiles::make(request.output);
    if (!files) return tl::unexpected(files.error());
    const AgentPaths agent{parts.agent, {}, parts.cupti};
    const ChildProcess::Streams streams = parts.streams;
    const RecordingLog log = parts.log;
    const std::vector<std::string> environment = std::move(parts.environment);
    std::unique_ptr<ProfileSession> session(new ProfileSession(request, std::move(parts), *std::move(files)));
    session->collector_.offer_cupti(agent.cupti.string());
    session->collector_.log_to(log);
    const auto started = request.attach_to
                             ? session->call_agent(static_cast<pid_t>(*request.attach_to))
                             : session->start_program(request.launch, agent, streams, environment);
    if (!started) return tl::unexpected(started.error());
    return session;
}

Result<void> ProfileSession::start_program(const ProgramStart& request, AgentPaths agent,
                                           ChildProcess::Streams streams,
                                           const std::vector<std::string>& environment) {
    auto listener = AgentListener::make();
    if (!listener) return tl::unexpected(listener.error());
    agent.socket = listener->socket();
    const auto plan = plan_launch(request, agent, environment);
    if (!plan) return tl::unexpected(plan.error());
    collector_.listen(*std::move(listener));
    auto program = ChildProcess::start(*plan, streams);
    if (!program) return tl::unexpected(program.error());
    program_.emplace(*std::move(program));
    machine_.program_started(now_());
    return {};
}

Result<void> ProfileSession::call_agent(pid_t process) {
    auto connection = connect_to_agent(process);
    if (!connection) return tl::unexpected(connection.error());
    collector_.add(*std::move(connection));
    return {};
}

void ProfileSession::write(std::size_t number, const ProcessRecording& recording, const std::string& lines) {
    ++revision_;
    const auto written = files_.write(number, static_cast<pid_t>(recording.process()), lines);
    if (written) return;
    lost_lines_ = true;
    if (std::ranges::find(problems_, written.error()) == problems_.end())
        problems_.push_back(written.error());
}

AgentCounts ProfileSession::agent_counts() const {
    AgentCounts counts;
    counts.connected = collector_.connected();
    counts.drained = collector_.drained();
    for (const ProcessRecording* recording : collector_.recordings()) {
        ++counts.processes;
        counts.launches += recording->launches();
    }
    return counts;
}

void ProfileSession::step(std::chrono::milliseconds limit, const OnChildText& on_text) {
    if (finished_) return;
    const bool runs = program_ && !program_end_;
    const std::vector<int> others = runs ? program_->watched() : std::vector<int>();
    collector_.wait(limit, others);
    if (runs) program_end_ = program_->wait(std::chrono::milliseconds(0), on_text);
    if (runs && program_end_) {
        // What it said before it ended is there by now.
        collector_.wait(std::chrono::milliseconds(0));
        machine_.program_ended(*program_end_, now_());
    }
    if (machine_.wants_disarmed()) collector_.disarm();
    machine_.look(agent_counts(), now_());
    if (machine_.over()) finish(on_text);
}

void ProfileSession::finish(const OnChildText& on_text) {
    if (std::exchange(finished_, true)) return;
    collector_.close(machine_.cut());
    if (program_ && !program_end_) program_end_ = program_->stop(grace, on_text);
    ++revision_;
}

void ProfileSession::stop() {
    machine_.stop(now_());
}

void ProfileSession::cancel() {
    collector_.close("The recording was cancelled");
    machine_.stop(now_());
}

void ProfileSession::pass_on(int signal) const {
    if (program_ && !program_end_) program_->pass_on(signal);
}

RecordingStatus ProfileSession::status() const {
    RecordingStatus status;
    status.phase = machine_.phase();
    status.sentence = machine_.sentence();
    status.hint = machine_.hint();
    status.elapsed = Seconds(std::chrono::duration<double>(now_() - start_).count());
    status.files = files_.files();
    status.problems = problems_;
    for (const ProcessRecording* recording : collector_.recordings()) {
        ++status.processes;
        const RecordingCounts counts = recording->counts();
        status.counts += counts;
        for (const Error& problem : recording->problems())
            if (std::ranges::find(status.problems, problem) == status.problems.end())
                status.problems.push_back(problem);
    }
    return status;
}

Profile ProfileSession::snapshot() const {
    std::vector<Profile> parts;
    for (const ProcessRecording* recording : collector_.recordings())
        parts.push_back(recording->snapshot());
    std::vector<const Profile*> pointers;
    for (const Profile& part : parts)
        pointers.push_back(&part);
    return merge_profiles(pointers);
}

}  // namespace roofwalk

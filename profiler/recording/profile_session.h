// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/import/live_profile_source.h"
#include "profiler/recording/child_process.h"
#include "profiler/recording/record_collector.h"
#include "profiler/recording/recording_files.h"
#include "profiler/recording/recording_log.h"
#include "profiler/recording/recording_session.h"

namespace roofwalk {

struct RecordingLimits {
    std::chrono::milliseconds connect{20'000};  ///< until an agent that stays away is spoken of
    std::chrono::milliseconds answer{5'000};    ///< until an agent that was called must have told of itself
    std::chrono::milliseconds drain{5'000};     ///< without news, for what is on its way at the end
};

/// What a session knows of its agents at one moment.
struct AgentCounts {
    std::size_t processes = 0;  ///< that have told of themselves so far
    std::size_t connected = 0;  ///< agents that talk to us now
    bool drained = true;        ///< all of these have told everything
    std::uint64_t launches = 0;
};

/// The life of a session: from its start over the time with agents to its end, and the sentence that a person
/// reads at each. Time is handed in.
class RecordingStateMachine {
  public:
    using Time = std::chrono::steady_clock::time_point;

    /// `attached_to`: the process whose agent was called; absent where a program is started.
    RecordingStateMachine(RecordingLimits limits, std::optional<pid_t> attached_to, Time now);

    void program_started(Time now);
    void program_ended(const ChildEnd& end, Time now);
    /// Somebody wants no more launches.
    void stop(Time now);
    /// Time has passed, and this is how the agents stand.
    void look(const AgentCounts& agents, Time now);

    [[nodiscard]] RecordingPhase phase() const { return phase_; }
    [[nodiscard]] bool over() const {
        return phase_ == RecordingPhase::ended || phase_ == RecordingPhase::failed;
    }
    /// Agents should record no more.
    [[nodiscard]] bool wants_disarmed() const { return stopped_ || phase_ == RecordingPhase::draining; }
    [[nodiscard]] const std::string& sentence() const { return sentence_; }
    [[nodiscard]] const std::string& hint() const { return hint_; }
    /// Why launches may be missing from recordings that have no end of their own; empty while none is.
    [[nodiscard]] const std::string& cut() const { return cut_; }

  private:
    void enter(RecordingPhase phase, std::string sentence, std::string hint = {});
    void drain(std::string sentence, Time now);
    void look_while_waiting(const AgentCounts& agents, Time now);
    void look_while_draining(const AgentCounts& agents, Time now);
    void finish(const AgentCounts& agents, bool too_late);

    RecordingLimits limits_;
    std::optional<pid_t> attached_to_;
    Time since_;  ///< when the phase began
    RecordingPhase phase_ = RecordingPhase::starting;
    std::string sentence_;
    std::string hint_;
    std::string cut_;
    bool stopped_ = false;
    std::uint64_t launches_ = 0;  ///< when there was news last
    std::optional<ChildEnd> program_end_;
};

/// What a session needs beside the request.
struct RecordingSetup {
    std::filesystem::path agent;              ///< the library that is loaded into the program
    std::filesystem::path cupti;              ///< the library that the agent should load; may be empty
    std::unique_ptr<CounterPlanner> planner;  ///< null: kernels are only timed
    ChildProcess::Streams streams = ChildProcess::Streams::inherited;
    std::vector<std::string> environment;  ///< of this process
    std::string tool;                      ///< how recordings name this program
    std::vector<Error> warnings;           ///< of what will be missing, known before the start
    RecordingLog log;
    RecordingLimits limits;
    std::function<RecordingStateMachine::Time()> now = [] { return std::chrono::steady_clock::now(); };
};

/// A recording on this machine: the program or process, its agents, the files.
class ProfileSession : public RecordingSession {
  public:
    /// What cannot be done is refused here, before anything is started.
    [[nodiscard]] static Result<std::unique_ptr<ProfileSession>> start(const ProfileRequest& request,
                                                                       RecordingSetup parts);

    void step(std::chrono::milliseconds limit, const OnChildText& on_text = {}) override;
    void stop() override;
    void cancel() override;
    /// Gives a signal to the program.
    void pass_on(int signal) const;

    [[nodiscard]] bool over() const override { return machine_.over(); }
    [[nodiscard]] RecordingStatus status() const override;
    [[nodiscard]] Profile snapshot() const override;
    [[nodiscard]] std::uint64_t revision() const override { return revision_; }
    [[nodiscard]] const std::optional<ChildEnd>& program_end() const { return program_end_; }
    /// That something could not be written into a file.
    [[nodiscard]] bool lost_lines() const { return lost_lines_; }

  private:
    ProfileSession(const ProfileRequest& request, RecordingSetup parts, RecordingFiles files);
    [[nodiscard]] Result<void> start_program(const ProgramStart& request, AgentPaths agent,
                                             ChildProcess::Streams streams,
                                             const std::vector<std::string>& environment);
    [[nodiscard]] Result<void> call_agent(pid_t process);
    void write(std::size_t number, const ProcessRecording& recording, const std::string& lines);
    [[nodiscard]] AgentCounts agent_counts() const;
    void finish(const OnChildText& on_text);

    std::function<RecordingStateMachine::Time()> now_;
    RecordingStateMachine::Time start_;
    RecordingFiles files_;
    RecordingStateMachine machine_;
    RecordCollector collector_;
    std::optional<ChildProcess> program_;
    std::optional<ChildEnd> program_end_;
    std::vector<Error> problems_;
    std::uint64_t revision_ = 0;
    bool lost_lines_ = false;
    bool finished_ = false;
};

}  // namespace roofwalk

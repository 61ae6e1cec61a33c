// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/import/live_profile_source.h"
#include "profiler/recording/child_process.h"
#include "profiler/recording/launch_plan.h"
#include "profiler/recording/record_collector.h"
#include "profiler/recording/recording_files.h"
#include "profiler/recording/recording_log.h"
#include "profiler/recording/recording_session.h"
#include "profiler/recording/session_machine.h"

namespace roofwalk {

/// What a session needs beside the request.
struct SessionParts {
    std::filesystem::path agent;              ///< the library that is loaded into the program
    std::filesystem::path cupti;              ///< the library that the agent should load; may be empty
    std::unique_ptr<CounterPlanner> planner;  ///< null: kernels are only timed
    ChildProcess::Streams streams = ChildProcess::Streams::inherited;
    std::vector<std::string> environment;  ///< of this process
    std::string tool;                      ///< how recordings name this program
    std::vector<Error> warnings;           ///< of what will be missing, known before the start
    RecordingLog log;
    SessionLimits limits;
    std::function<SessionMachine::Time()> now = [] { return std::chrono::steady_clock::now(); };
};

/// A recording on this machine: the program or process, its agents, the files.
class ProfileSession : public RecordingSession {
  public:
    /// What cannot be done is refused here, before anything is started.
    [[nodiscard]] static Result<std::unique_ptr<ProfileSession>> start(const ProfileRequest& request,
                                                                       SessionParts parts);

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
    ProfileSession(const ProfileRequest& request, SessionParts parts, RecordingFiles files);
    [[nodiscard]] Result<void> start_program(const LaunchRequest& request, AgentPlace agent,
                                             ChildProcess::Streams streams,
                                             const std::vector<std::string>& environment);
    [[nodiscard]] Result<void> call_agent(pid_t process);
    void write(std::size_t number, const ProcessRecording& recording, const std::string& lines);
    [[nodiscard]] AgentCounts agent_counts() const;
    void finish(const OnChildText& on_text);

    std::function<SessionMachine::Time()> now_;
    SessionMachine::Time start_;
    RecordingFiles files_;
    SessionMachine machine_;
    RecordCollector collector_;
    std::optional<ChildProcess> program_;
    std::optional<ChildEnd> program_end_;
    std::vector<Error> problems_;
    std::uint64_t revision_ = 0;
    bool lost_lines_ = false;
    bool finished_ = false;
};

}  // namespace roofwalk

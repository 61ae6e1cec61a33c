// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/import/profile_request.h"
#include "profiler/plan/counter_planner.h"
#include "profiler/recording/agent_connection.h"
#include "profiler/recording/process_recording.h"
#include "profiler/recording/recording_log.h"

namespace roofwalk {

/// Talks to the agents of a session: tells them what to record, gives their devices the counter plans, and
/// makes recordings of what they tell. One thread; nothing here waits but wait().
class RecordCollector {
  public:
    /// New lines of a recording. The number counts the processes of the session, from 0.
    using OnLines =
        std::function<void(std::size_t number, const ProcessRecording& recording, const std::string& lines)>;

    /// Without a planner kernels are only timed.
    RecordCollector(CaptureOptions request, std::unique_ptr<CounterPlanner> planner, std::string tool,
                    OnLines on_lines);
    RecordCollector(const RecordCollector&) = delete;
    RecordCollector& operator=(const RecordCollector&) = delete;
    ~RecordCollector();

    /// A CUPTI for agents that have found none; to be called before any of them comes.
    void offer_cupti(std::string file) { cupti_ = std::move(file); }

    /// What agents are and can, and what is planned for them.
    void log_to(RecordingLog log) { log_ = std::move(log); }

    void listen(AgentListener listener);
    void add(AgentConnection connection);

    /// Serves the agents until something came, one of `others` is readable, or `limit` has passed.
    void wait(std::chrono::milliseconds limit, std::span<const int> others = {});

    /// Agents that still talk to us.
    [[nodiscard]] std::size_t connected() const;
    /// Agents that have recorded all they will: each was disarmed and has answered, or is gone.
    [[nodiscard]] bool drained() const;
    /// Asks every agent to stop recording; new ones are told so at once.
    void disarm();
    /// Ends every recording that is not ended; `cut` says why launches may be missing.
    void close(const std::string& cut);

    /// In the order in which the processes came.
    [[nodiscard]] std::vector<const ProcessRecording*> recordings() const;

  private:
    struct Agent;
    struct DeviceState;

    void serve(Agent& agent);
    void take(Agent& agent, const wire::Record& record);
    void take(Agent& agent, const wire::Device& device);
    void take(Agent& agent, const wire::MetricTable& table);
    void take(Agent& agent, const wire::KernelLaunch& launch);
    void send_plans(Agent& agent, const wire::Device& device);
    [[nodiscard]] bool plans_fit(Agent& agent, const wire::Device& device) const;
    [[nodiscard]] std::map<std::string, double> values_of(Agent& agent, const wire::KernelLaunch& launch);
    void send_orders(Agent& agent);
    void publish(Agent& agent);
    void end(Agent& agent);

    CaptureOptions request_;
    std::unique_ptr<CounterPlanner> planner_;
    std::string tool_;
    std::string cupti_;
    OnLines on_lines_;
    RecordingLog log_;
    std::optional<AgentListener> listener_;
    std::list<Agent> agents_;
    bool armed_ = true;
    std::size_t processes_ = 0;
};

}  // namespace roofwalk

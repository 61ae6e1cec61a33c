// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "profiler/agent/cupti_counter_session.h"
#include "profiler/agent/cupti_hooks.h"
#include "profiler/agent/cupti_timing_session.h"
#include "profiler/agent/driver_library.h"
#include "profiler/agent/launch_policy.h"
#include "profiler/agent/record_sink.h"
#include "profiler/wire/record.h"

namespace roofwalk::agent {

/// What the agent says to its collector, as records. From any thread.
class Reporter {
  public:
    explicit Reporter(RecordSink& sink) : sink_(sink) {}

    void report_session_start();
    void report_session_end(std::uint64_t launches);
    void report_counts(wire::LaunchCounts counts);

    /// Now, and to every collector that comes later, with why it gives no counters. `any_may_count`: some
    /// device does.
    void report_device(std::uint32_t number, DeviceFacts facts, CounterSupport support,
                       std::optional<std::uint32_t> cupti_version, bool any_may_count);
    void report_known_devices(bool any_may_count);

    /// The same to one collector once.
    void note_once(wire::NoteLevel level, const std::string& what,
                   const std::optional<CuptiFailure>& failure = {});
    void forget_notes();

    /// The kernels of a launch that has been made, with `image` in the first of them; how many were sent.
    std::uint64_t report_launch(const ObservedLaunch& launch, const LaunchCall& call,
                                wire::KernelLaunch record, wire::Image image, const CuptiHooks& hooks);
    /// A kernel of `launch` that has ended.
    void report_timed(const AwaitedLaunch& launch, const KernelActivity& kernel);

  private:
    struct Device {
        DeviceFacts facts;
        CounterSupport support;
        std::optional<std::uint32_t> cupti_version;
    };

    // For those who hold mutex_.
    void send(std::uint32_t number, const Device& device, bool any_may_count);
    void send_once(wire::NoteLevel level, const std::string& what,
                   const std::optional<CuptiFailure>& failure);
    [[nodiscard]] FunctionFacts facts_of(const KernelCall& kernel, std::uint32_t device);

    RecordSink& sink_;
    std::mutex mutex_;  ///< of all below
    std::map<std::uint32_t, Device> devices_;
    std::set<std::string> notes_;
    std::map<std::tuple<void*, std::string, std::uint32_t>, FunctionFacts> functions_;  ///< by device too
};

}  // namespace roofwalk::agent

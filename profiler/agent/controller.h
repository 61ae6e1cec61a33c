// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "profiler/agent/cupti_counter_session.h"
#include "profiler/agent/cupti_hooks.h"
#include "profiler/agent/cupti_library.h"
#include "profiler/agent/cupti_timing_session.h"
#include "profiler/agent/launch_policy.h"
#include "profiler/agent/record_sink.h"
#include "profiler/agent/reporter.h"
#include "profiler/wire/record_reader.h"

namespace roofwalk::agent {

/// Does what the collector orders: asks LaunchPolicy about each launch of the program, has the counter or the
/// timing session measure it, and the reporter tell of it. Whatever fails is reported once; the program never
/// notices.
class Controller final : public LaunchListener {
  public:
    struct Hints {
        /// CUPTI has been put to use, and may have made objects that end with the program: at first every
        /// time, then more and more rarely.
        void (*cupti_used)();
        void (*thread_uses_cuda)();  ///< on it: it makes contexts, or launches kernels that are timed
    };

    Controller(RecordSink& sink, const Hints& hints);

    /// Loads CUPTI, from this file where it is not empty, and subscribes: a collector is there and will want
    /// launches.
    void start(const std::string& cupti_file);
    /// The same when the first orders come: until then launches cost what they cost without an agent. A
    /// subscriber takes 0.2 s and then up to 1 µs of each launch, whatever it asks for (H100, CUPTI 13.0).
    void start_on_orders(const std::string& cupti_file) { cupti_file_ = cupti_file; }

    void on_collector_connected();
    void on_collector_lost();
    void take(const wire::Record& record);

    /// To be called often while is_at_work(); does something ten times a second.
    void poll();
    [[nodiscard]] bool is_at_work() const { return is_recording() || is_releasing_; }

    /// Gets from CUPTI the times that it has, while it may make objects for them, where no thread is in the
    /// midst of it; after a moment of waiting.
    void take_times();
    /// The program ends in order: nothing more is begun. False where a thread is in the midst of something,
    /// after a moment of waiting.
    [[nodiscard]] bool end_launches();
    /// After that: gets from CUPTI what it still has, and calls it no more.
    void end_measuring();
    /// After that: the last words.
    void report_end();

    void on_context_created(void* context) override;
    void on_context_destroying(void* context) override;
    [[nodiscard]] bool on_instantiate_enter(void* context, void* graph) override;
    void on_instantiate_exit() override;
    void on_launch_enter(const LaunchCall& call) override;
    void on_launch_exit(const LaunchCall& call, bool accepted) override;
    void on_launch_passed() override;
    void on_fatal_error(const CuptiFailure& failure) override;

  private:
    void take(const wire::Orders& orders);
    void take(const wire::CounterPlan& plan);
    void take(const wire::PlansSent& sent);
    void take(const wire::WantPlan& wish);

    /// Loads CUPTI and subscribes, or says in fatal_error_ why not. On a thread of its own other threads
    /// may be in CUDA meanwhile.
    void use_cupti(const std::string& file);
    [[nodiscard]] bool is_recording() const { return policy_.is_recording(); }
    void release_counters();
    void report_fatal_error();
    void report_counts();
    void report_long_launch();
    void warn_once(const std::vector<std::string>& warnings);
    void count_cupti_use(std::atomic<std::uint64_t>& uses) const;
    [[nodiscard]] bool is_at_rest();

    void make_context_known(void* context);
    void wait_for_plans(void* context);
    void time_until_plans();
    void check_for_late_plans();
    void retry_held_counters();
    void finish_resuming();

    void start_counting(ObservedLaunch& launch, const LaunchCall& call);
    [[nodiscard]] std::optional<CuptiFailure> start_counters(ObservedLaunch& launch, const LaunchCall& call);
    [[nodiscard]] bool has_been_set_without_replay(ObservedLaunch& launch);
    void fall_back(PolicyState to);
    void time_instead(ObservedLaunch& launch, const LaunchCall& call, PolicyState to);
    void start_timing_if_due();
    void ask_for_first_times(bool of_graph);
    void flush_times();
    void await_time(ObservedLaunch& launch, const LaunchCall& call);
    void finish_counting(ObservedLaunch& launch, const LaunchCall& call, bool accepted);
    [[nodiscard]] std::optional<PolicyState> take_failure(const ObservedLaunch& launch,
                                                          const CuptiFailure& failure);
    void report_untimed(const ObservedLaunch& launch, const LaunchCall& call);
    void on_kernel_timed(const KernelActivity& kernel);

    RecordSink& sink_;
    Reporter reporter_;
    Hints hints_;
    std::atomic<std::uint64_t> counter_uses_ = 0;  ///< each part of CUPTI makes its own objects
    std::atomic<std::uint64_t> time_uses_ = 0;
    std::array<std::atomic<bool>, 2> has_told_{};           ///< CUPTI, of a kernel; of one of a graph
    std::array<std::atomic<std::uint64_t>, 2> asked_ns_{};  ///< by a thread that launches, for these
    std::string cupti_file_;                                ///< to be loaded; empty: the one that is found
    std::optional<CuptiLibrary> cupti_;
    std::unique_ptr<CuptiHooks> hooks_;
    GraphRegistry graphs_;
    // The flags here and below are no states of the policy: each may hold in any of them.
    bool always_watches_ = false;  ///< launches, also while nothing is recorded

    std::mutex mutex_;         ///< of the next five but policy_.state(); never held while CUPTI may call back
    std::string fatal_error_;  ///< why nothing can be recorded, for every collector; empty: it can
    std::optional<CuptiFailure> fatal_failure_;
    std::condition_variable policy_changed_;
    LaunchPolicy policy_{graphs_};
    bool has_waited_ = false;  ///< in vain for the collector: it is not waited for again

    std::uint64_t last_poll_ns_ = 0;  ///< of the link's thread alone, as the next three
    bool counts_are_due_ = false;
    bool watches_ = false;       ///< launches are wanted
    bool is_releasing_ = false;  ///< a launch that was counted for the collector lasts

    CounterSession counters_;  ///< whose turn is never waited for inside of mutex_
    TimingSession times_;      ///< called with mutex_ held for what it expects only, and calls back
};

}  // namespace roofwalk::agent

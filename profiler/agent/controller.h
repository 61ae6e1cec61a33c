// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "profiler/agent/agent_settings.h"
#include "profiler/agent/counting_turn.h"
#include "profiler/agent/cupti_activity.h"
#include "profiler/agent/cupti_hooks.h"
#include "profiler/agent/cupti_range_profiler.h"
#include "profiler/agent/driver_library.h"
#include "profiler/agent/launch_filter.h"
#include "profiler/agent/launch_sampler.h"
#include "profiler/agent/record_sink.h"
#include "profiler/agent/retry_times.h"
#include "profiler/wire/record_reader.h"

namespace roofwalk::agent {

/// Does what the collector orders: hears of launches, decides which is counted how, and sends a record of
/// each. Whatever fails is told once; the program never notices.
class Controller final : public LaunchListener {
  public:
    Controller(AgentSettings settings, RecordSink& sink);

    /// Loads CUPTI and subscribes. `launches_now`: a collector is there and will want launches.
    void start(bool launches_now);

    void collector_came();
    void collector_went();
    void take(const wire::Record& record);

    /// To be called often while is_recording(); does something ten times a second.
    void tend();
    [[nodiscard]] bool is_recording() const { return armed_; }

    /// Whether no thread is in the midst of it, after a moment of waiting.
    [[nodiscard]] bool is_at_rest();

    /// The program ends in order.
    void end();

    void context_made(void* context) override;
    void context_ends(void* context) override;
    void launch_starts(const LaunchCall& call) override;
    void launch_ends(const LaunchCall& call, bool accepted) override;
    void launch_passed() override;
    void broke(const CuptiFailure& failure) override;

  private:
    enum class Mode {
        counters,
        times,
        neither,  ///< both have failed: launches are only told of
    };

    struct DeviceState {
        DeviceFacts facts;
        std::string chip;
        std::vector<std::byte> availability;
        bool has_counters = false;
        std::map<char, std::shared_ptr<const CounterSet>> sets;
        bool planned = false;       ///< all counter plans are here
        std::uint64_t told_ns = 0;  ///< when the collector was told of the device, which plans then
        [[nodiscard]] bool lacks_plans() const { return has_counters && !planned; }
        [[nodiscard]] bool may_count() const { return has_counters && !(planned && sets.empty()); }
        std::unique_ptr<LaunchSampler> sampler;
    };

    struct ContextState {
        std::uint32_t id = 0;
        std::uint32_t device = 0;
        std::unique_ptr<RangeProfiler> profiler;
    };

    /// A launch that KernelTimes will tell of.
    struct Pending {
        std::uint64_t id = 0;
        std::uint32_t kernels_told = 0;
        bool graph = false;
        std::vector<std::string> nvtx;
    };

    /// The call that a thread is in, and what is done about it.
    struct Step;

    void take(const wire::Orders& orders);
    void take(const wire::CounterPlan& plan);
    void take(const wire::PlansSent& sent);
    void take(const wire::WantPlan& wish);

    /// Loads CUPTI and subscribes, or says in trouble_ why not. On a thread of its own other threads may be
    /// in CUDA meanwhile.
    void use_cupti(const std::string& file);
    void tell_trouble();
    void wait_for_plans(std::uint32_t device);
    /// Until the plans that are late are here, launches are timed. For those who hold mutex_.
    void time_meanwhile();
    /// The late plans are here.
    void count_from_now_on();
    /// Launches that were timed are counted again, where they can be.
    void count_again();
    void look_for_free_counters();
    void tell_of_free_counters();
    [[nodiscard]] bool lacks_all_plans() const;
    [[nodiscard]] bool no_device_counts() const;
    void look_for_late_plans();
    void send_session_start();
    void send_device(std::uint32_t device, DeviceState& state);
    void send_counts();
    void tell_of_patience();
    void make_sampler(DeviceState& device) const;
    void make_context_known(void* context);
    /// On threads that launch; does nothing while another thread is at it.
    [[nodiscard]] std::optional<CuptiFailure> start_timing();
    void stop_timing();
    /// What was launched before is still heard of, as it ends.
    void stop_timing_launches();
    [[nodiscard]] std::optional<CuptiFailure> flush_times();
    void stop_counting();
    void note_once(wire::NoteLevel level, const std::string& what,
                   const std::optional<CuptiFailure>& failure = {});

    [[nodiscard]] bool is_inside(Step& step);
    void plan_kernel(Step& step, const LaunchCall& call);
    void plan_graph(Step& step, const LaunchCall& call);
    void choose_deed(Step& step, const LaunchCall& call, Shape shape, bool may_count);
    void time_instead(Step& step, const LaunchCall& call);
    void start_counting(Step& step, const LaunchCall& call);
    void await_time(Step& step, const LaunchCall& call);
    void count_failure();
    void send_counted(Step& step, const LaunchCall& call, const CounterData& data);
    void send_untimed(Step& step, const LaunchCall& call);
    void send_awaited(Step& step, const LaunchCall& call);
    std::uint64_t send_kernels(Step& step, const LaunchCall& call, wire::KernelLaunch record,
                               wire::Image image);
    void hear(const KernelActivity& kernel);
    void fall_back();
    void make_sure_of_times();
    [[nodiscard]] FunctionFacts facts_of(const KernelCall& kernel);
    static Step& step_of_thread();

    AgentSettings settings_;
    RecordSink& sink_;
    std::optional<CuptiLibrary> cupti_;
    std::unique_ptr<CuptiHooks> hooks_;
    GraphBook graphs_;
    bool always_watches_ = false;  ///< launches, also while not armed
    std::string trouble_;          ///< why nothing can be recorded, for every collector; empty: it can
    std::optional<CuptiFailure> trouble_failure_;

    mutable std::mutex mutex_;  ///< of all below; never held while CUPTI may call back
    std::condition_variable news_;
    bool orders_known_ = false;
    std::atomic<bool> armed_ = false;
    std::atomic<bool> told_of_ranges_ = false;  ///< that there were too many at a time
    Mode mode_ = Mode::counters;
    bool plans_are_late_ = false;        ///< launches are timed meanwhile
    bool timed_for_lack_ = false;        ///< of a device that may count: until one is known
    bool has_waited_ = false;            ///< in vain for the collector: it is not waited for again
    RetryTimes busy_;                    ///< counters, that another program holds
    std::uint64_t timed_meanwhile_ = 0;  ///< launches
    SamplingPolicy policy_;
    std::optional<LaunchFilter> filter_;
    std::map<std::uint32_t, DeviceState> devices_;
    std::map<void*, ContextState> contexts_;
    std::map<Shape, Shape> graph_of_kernel_;              ///< launches of graphs by a kernel in them
    std::unordered_map<std::uint32_t, Pending> pending_;  ///< by correlation
    std::map<std::pair<void*, std::string>, FunctionFacts> functions_;
    std::set<std::string> told_;          ///< notes
    std::uint64_t counted_since_ns_ = 0;  ///< 0: no launch is being counted
    std::string counted_name_;
    int failures_in_a_row_ = 0;
    wire::LaunchCounts counts_;
    wire::LaunchCounts counts_sent_;

    std::uint64_t last_tended_ns_ = 0;  ///< of the link's thread alone, as the next
    bool counts_are_due_ = false;

    CountingTurn turn_;       ///< never waited for inside of mutex_
    std::mutex times_mutex_;  ///< of times_, are_timed_ and awaits_times_; mutex_ may be taken inside of it,
                              ///< not the other way
    std::unique_ptr<KernelTimes> times_;
    std::atomic<bool> are_timed_ = false;
    bool awaits_times_ = false;  ///< of launches that were made before timing was stopped
};

}  // namespace roofwalk::agent

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/agent/graph_registry.h"
#include "profiler/agent/launch_filter.h"
#include "profiler/agent/launch_sampler.h"
#include "profiler/wire/record.h"

namespace roofwalk::agent {

/// The planner of CUPTI takes a fifth of a second when it is used for the first time.
inline constexpr std::chrono::milliseconds plans_timeout{500};

/// What is done with the launches of the program. LaunchPolicy has the transitions.
enum class PolicyState {
    unordered,            ///< no collector is there, or its orders have not come
    paused,               ///< as ordered
    counting,             ///< launches are counted as the sampler chooses
    timing,               ///< every launch is timed: as ordered, or because counting has failed for good
    timing_until_plans,   ///< the counter plans are late
    timing_until_free,    ///< another program holds the counters
    timing_until_device,  ///< no device that is known may count
    resuming,             ///< nothing is timed any more, and nothing is counted yet: launches wait
    broken,               ///< CUPTI has given up, for as long as the program lasts
    ending,               ///< the program ends, and CUPTI must not be called: parts of it may be gone
};

/// Whether the collector gets a record of launches.
[[nodiscard]] bool is_recording(PolicyState state);
[[nodiscard]] bool is_timing(PolicyState state);

/// What to count, as the collector has planned it.
struct CounterSet {
    explicit CounterSet(const wire::CounterPlan& from);

    char plan = 'A';
    std::uint32_t table = 0;
    std::uint32_t passes = 1;
    std::vector<std::string> metrics;
    std::vector<std::byte> config;
};

/// A launch from its start to its end, and what is done about it.
struct ObservedLaunch {
    enum class Action {
        none,
        list,           ///< a record with neither counters nor time
        count,          ///< a record with counters
        time,           ///< the record follows when CUPTI tells of its kernels
        stop_counting,  ///< no device gives counters: this launch and those after it are timed
    };

    struct Kernel {
        std::uint64_t id = 0;
        KernelCall call;
        void* node = nullptr;  ///< of a graph
        bool wanted = true;
    };

    Action action = Action::none;
    std::uint64_t id = 0;  ///< of its first kernel
    std::vector<Kernel> kernels;
    std::vector<std::string> nvtx;
    std::uint64_t start_ns = 0;
    std::uint32_t device = 0;
    std::uint32_t context_id = 0;
    SampleKey shape;  ///< that the sampler knows it by
    [[nodiscard]] bool is_graph() const { return !kernels.empty() && kernels.front().node != nullptr; }
    std::shared_ptr<const CounterSet> set;
    bool is_counted = false;                                ///< now; the thread has the turn
    wire::LaunchStatus status = wire::LaunchStatus::timed;  ///< of a record without counters
};

/// Decides which launch is counted with which counters, timed, listed or left out: by the orders and plans of
/// the collector, by what is known of devices and graphs, and by what has failed. Calls neither CUPTI nor the
/// collector. Not for two threads at a time, but for state().
class LaunchPolicy {
  public:
    explicit LaunchPolicy(const GraphRegistry& graphs) : graphs_(graphs) {}

    [[nodiscard]] PolicyState state() const { return state_; }
    [[nodiscard]] bool is_recording() const { return agent::is_recording(state_); }

    // What the collector says.
    /// Orders have come: what is begun by the old ones may now be ended.
    void suspend(const wire::Orders& orders);
    void follow(const wire::Orders& orders);
    void forget_orders();
    /// Forgets all that came from it, and what was counted for it.
    void collector_lost();
    void add_plan(std::uint32_t device, std::shared_ptr<const CounterSet> set);
    [[nodiscard]] bool knows_device(std::uint32_t device) const { return devices_.contains(device); }
    void plans_complete(std::uint32_t device);
    void want(const wire::WantPlan& wish);

    // Transitions for what happens. Those that answer say whether this changed the state.
    /// From counting, where no device has its plans.
    [[nodiscard]] bool time_until_plans();
    /// From counting, to one of those that time.
    [[nodiscard]] bool stop_counting(PolicyState to);
    /// From those that time until something has come.
    [[nodiscard]] bool begin_resuming();
    void resume_counting();
    void break_down();
    void end();

    // What is known of the program.
    /// Absent where the context is not known.
    [[nodiscard]] std::optional<std::uint32_t> device_of(void* context) const;
    void add_context(void* context, std::uint32_t id, std::uint32_t device);
    void forget_context(void* context) { contexts_.erase(context); }
    void add_device(std::uint32_t number, bool has_counters);
    /// The collector was told of the device, and plans now.
    void device_reported(std::uint32_t device, std::uint64_t now_ns) {
        devices_[device].reported_ns = now_ns;
    }
    void all_devices_reported(std::uint64_t now_ns);
    [[nodiscard]] bool may_count(std::uint32_t device) const;
    /// Whether counting on the device waits for the collector.
    [[nodiscard]] bool lacks_plans(std::uint32_t device) const;
    /// Whether a device has lacked its plans for longer than the collector should take.
    [[nodiscard]] bool lacks_plans_for_long(std::uint64_t now_ns) const;

    // Launches.
    /// `times_work`: timing has not failed. Adds to `warnings` what has to be said of it.
    [[nodiscard]] ObservedLaunch decide(const LaunchCall& call, bool times_work,
                                        std::vector<std::string>& warnings);
    /// What is to be counted while a graph becomes executable, so that its launches can be; absent where
    /// these are not to be counted, or others like them have been made so often enough. Without `replays` in
    /// the passes of plan A.
    [[nodiscard]] std::optional<ObservedLaunch> decide_instantiation(void* context, void* graph,
                                                                     bool replays);
    /// A launch that must not be touched.
    void pass_over();
    /// Whether a kernel that was timed is recorded. One that a graph launched has yet to pass the filters.
    [[nodiscard]] bool takes_timed(std::string_view kernel, bool of_graph);

    // How counting went.
    /// Whether the collector that has planned its counters is still there.
    [[nodiscard]] bool is_awaited(const ObservedLaunch& launch) const;
    void counted(const ObservedLaunch& launch, std::uint64_t took_ns);
    /// True where no more is tried for launches like it.
    bool not_counted(const ObservedLaunch& launch);
    /// CUPTI could not count the launch of a graph, which may have ended the program: no more is tried for
    /// any.
    void leave_graphs_alone() { counts_graphs_ = false; }
    /// Another program holds the counters.
    void refused(const ObservedLaunch& launch, std::uint64_t now_ns);
    /// CUPTI could not count it. True where none of its device could be counted so far and this one was
    /// another try: the device may not count again until later.
    [[nodiscard]] bool failed_again(const ObservedLaunch& launch, std::uint64_t now_ns);
    /// True for the first after counters were held, or none could be counted on its device for a while.
    [[nodiscard]] bool cupti_worked(const ObservedLaunch& launch);
    /// Whether the launch is replayed unasked, and only where there is little memory to save.
    [[nodiscard]] bool replays_little(const ObservedLaunch& launch);
    /// The launch gets plan A in place of that; false where it is not known any more.
    [[nodiscard]] bool without_replay(ObservedLaunch& launch);
    /// The launch could not be tried: a later one like it gets its plan.
    void not_tried(const ObservedLaunch& launch);
    /// The device lets nothing be counted, until new orders.
    void deny(std::uint32_t device) {
        devices_[device].denied = true;
        devices_[device].retries = {};
    }
    [[nodiscard]] bool any_may_count() const;
    /// Whether counters that were held, or of a device on which none could be counted, are to be tried again.
    [[nodiscard]] bool tries_again(std::uint64_t now_ns);
    void timed();
    /// Launches that were timed since counting stopped; from now on none.
    [[nodiscard]] std::uint64_t take_timed_meanwhile();

    wire::LaunchCounts counts;

  private:
    struct Device {
        std::map<char, std::shared_ptr<const CounterSet>> sets;
        std::optional<LaunchSampler> sampler;
        std::uint64_t reported_ns = 0;
        bool has_counters = false;
        bool planned = false;  ///< all counter plans are here
        bool denied = false;   ///< since the orders, as the next three
        bool has_counted = false;
        bool has_failed = false;
        RetryTimes retries;  ///< where all has failed
        [[nodiscard]] bool fails_from_the_start() const;
        void rest(std::uint64_t now_ns);
        [[nodiscard]] bool lacks_plans() const { return has_counters && !planned; }
        [[nodiscard]] bool may_count() const { return has_counters && !denied && !(planned && sets.empty()); }
    };

    struct Context {
        std::uint32_t id = 0;
        std::uint32_t device = 0;
    };

    [[nodiscard]] bool is_over() const {
        return state_ == PolicyState::broken || state_ == PolicyState::ending;
    }
    void make_sampler(Device& device) const;
    [[nodiscard]] bool lacks_all_plans() const;
    [[nodiscard]] LaunchSampler* sampler_of(const ObservedLaunch& launch);
    [[nodiscard]] bool is_inside(ObservedLaunch& launch, std::vector<std::string>& warnings) const;
    void decide_kernel(ObservedLaunch& launch, const LaunchCall& call, std::vector<std::string>& warnings);
    void decide_graph(ObservedLaunch& launch, const LaunchCall& call, bool times_work,
                      std::vector<std::string>& warnings);
    void add_sizes(SampleKey& shape, std::string_view range);
    void choose_action(ObservedLaunch& launch, const LaunchCall& call, SampleKey shape, bool runs_alone,
                       std::vector<std::string>& warnings);

    const GraphRegistry& graphs_;
    std::atomic<PolicyState> state_ = PolicyState::unordered;
    SamplingPolicy sampling_;
    std::optional<CompiledLaunchFilter> filter_;
    std::map<std::uint32_t, Device> devices_;
    std::map<void*, Context> contexts_;
    bool counts_graphs_ = true;
    std::map<SampleKey, std::uint32_t>
        instantiated_;  ///< graphs by the shape of their launches, while counted
    std::map<SampleKey, std::set<std::string>> sizes_;  ///< of inputs, by kernel and geometry
    std::map<SampleKey, SampleKey> graph_of_kernel_;    ///< launches of graphs by a kernel in them
    RetryTimes held_;                                   ///< counters, by another program
    std::uint64_t timed_meanwhile_ = 0;                 ///< launches
};

}  // namespace roofwalk::agent

// SPDX-License-Identifier: Apache-2.0
// What to count: the plans of the collector, and what is done while they are not here.
#include <algorithm>
#include <chrono>
#include <utility>

#include "profiler/agent/clock.h"
#include "profiler/agent/controller.h"

namespace roofwalk::agent {

namespace {

/// The planner of CUPTI takes a fifth of a second when it is used for the first time.
constexpr std::chrono::milliseconds patience_for_plans{500};

bool is_over(std::uint64_t since_ns) {
    return std::chrono::nanoseconds(now_ns() - since_ns) > patience_for_plans;
}

}  // namespace

void Controller::take(const wire::CounterPlan& plan) {
    const auto set = std::make_shared<const CounterSet>(plan);
    {
        const std::lock_guard lock(mutex_);
        const auto device = devices_.find(plan.device);
        if (device == devices_.end()) return;
        device->second.sets[set->plan] = set;
    }
    sink_.send(wire::MetricTable{plan.table, plan.device, plan.metrics});
}

void Controller::take(const wire::PlansSent& sent) {
    bool late = false;
    bool first_that_counts = false;
    {
        const std::lock_guard lock(mutex_);
        const auto device = devices_.find(sent.device);
        if (device == devices_.end()) return;
        device->second.planned = true;
        make_sampler(device->second);
        has_waited_ = false;
        news_.notify_all();
        late = plans_are_late_;
        first_that_counts = mode_ == Mode::times && timed_for_lack_ && device->second.may_count();
    }
    if (late)
        count_from_now_on();
    else if (first_that_counts)
        count_again();
}

void Controller::take(const wire::WantPlan& wish) {
    const std::lock_guard lock(mutex_);
    const auto device = devices_.find(wish.device);
    if (device == devices_.end() || !device->second.sampler) return;
    const Shape shape{std::string(wish.name), wish.grid, wish.block, wish.dynamic_shared};
    const auto graph = graph_of_kernel_.find(shape);
    if (graph != graph_of_kernel_.end()) device->second.sampler->want(graph->second, wish.plan);
    device->second.sampler->want(shape, wish.plan);
}

void Controller::make_sampler(DeviceState& device) const {
    std::vector<char> letters;
    for (const auto& [letter, set] : device.sets)
        letters.push_back(letter);
    device.sampler = std::make_unique<LaunchSampler>(policy_, std::move(letters));
}

void Controller::wait_for_plans(std::uint32_t device) {
    if (!sink_.is_open()) return;
    std::unique_lock lock(mutex_);
    const auto decided = [&] {
        if (!sink_.is_open() || has_waited_) return true;
        return orders_known_ && (!armed_ || mode_ != Mode::counters || !devices_[device].lacks_plans());
    };
    if (news_.wait_for(lock, patience_for_plans, decided)) return;
    has_waited_ = true;
    if (orders_known_)
        time_meanwhile();
    else
        note_once(wire::NoteLevel::warning,
                  "The recorder has not answered in time; launches before it does are not recorded.");
}

void Controller::time_meanwhile() {
    if (plans_are_late_ || !armed_ || mode_ != Mode::counters || !lacks_all_plans()) return;
    plans_are_late_ = true;
    mode_ = Mode::times;
    note_once(wire::NoteLevel::warning,
              "The counter plans have not come in time; kernels are only timed until they do.");
}

/// Counters and times are not taken at once: where some devices are planned, the launches on others are only
/// told of.
bool Controller::lacks_all_plans() const {
    bool lacks = false;
    for (const auto& [device, state] : devices_) {
        if (state.has_counters && state.planned) return false;
        lacks = lacks || state.lacks_plans();
    }
    return lacks;
}

bool Controller::no_device_counts() const {
    return std::none_of(devices_.begin(), devices_.end(),
                        [](const auto& device) { return device.second.may_count(); });
}

void Controller::look_for_late_plans() {
    bool begun_too_late = false;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [device, state] : devices_)
            if (state.lacks_plans() && is_over(state.told_ns)) time_meanwhile();
        // A launch may have begun to time just as the plans came.
        begun_too_late = are_timed_ && mode_ == Mode::counters;
    }
    if (begun_too_late) stop_timing_launches();
}

void Controller::count_from_now_on() {
    count_again();
    const std::lock_guard lock(mutex_);
    plans_are_late_ = false;
    note_once(wire::NoteLevel::warning,
              "The counter plans came late: " + std::to_string(std::exchange(timed_meanwhile_, 0)) +
                  " launches before them have a time alone.");
}

void Controller::count_again() {
    {
        const std::lock_guard lock(mutex_);
        mode_ = Mode::neither;
    }
    stop_timing_launches();
    const std::lock_guard lock(mutex_);
    mode_ = Mode::counters;
    timed_for_lack_ = false;
}

void Controller::look_for_free_counters() {
    {
        const std::lock_guard lock(mutex_);
        if (mode_ != Mode::times || !busy_.take_turn(now_ns())) return;
    }
    count_again();
}

void Controller::tell_of_free_counters() {
    if (!busy_.is_waiting()) return;
    busy_ = {};
    note_once(wire::NoteLevel::warning, "The performance counters are free again: " +
                                            std::to_string(std::exchange(timed_meanwhile_, 0)) +
                                            " launches before have a time alone.");
}

}  // namespace roofwalk::agent

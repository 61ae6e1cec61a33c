// SPDX-License-Identifier: Apache-2.0
#include "profiler/agent/controller.h"

#include <unistd.h>

#include <variant>

#include "profiler/agent/clock.h"
#include "profiler/agent/cupti_device.h"
#include "profiler/agent/patience.h"
#include "profiler/agent/session_facts.h"

namespace roofwalk::agent {

namespace {

constexpr std::uint64_t tending_period_ns = 100'000'000;
constexpr std::uint64_t long_launch_ns = 2'000'000'000;

std::vector<std::string_view> views_of(const std::vector<std::string>& texts) {
    return {texts.begin(), texts.end()};
}

}  // namespace

Controller::Controller(AgentSettings settings, RecordSink& sink)
    : settings_(std::move(settings)), sink_(sink) {}

void Controller::start(bool launches_now) {
    use_cupti(settings_.cupti);
    if (!hooks_) return;
    always_watches_ = launches_now;
    hooks_->watch_launches(launches_now);
}

void Controller::use_cupti(const std::string& file) {
    cupti_ = CuptiLibrary::load(file);
    if (!cupti_) {
        trouble_ =
            file.empty()
                ? "libcupti.so.13 was not found in the program; nothing is recorded. Name it with --cupti."
                : "The library " + file +
                      " could not be loaded; nothing is recorded. Name another libcupti.so.13 with --cupti.";
        return;
    }
    trouble_.clear();
    CuptiHooks::Refusal why;
    hooks_ = CuptiHooks::subscribe(*cupti_, *this, graphs_, why);
    if (hooks_) return hooks_->watch();
    trouble_ = sentence_for(why.failure);
    if (!why.other.empty()) trouble_ += " It calls itself " + why.other + ".";
    trouble_failure_ = why.failure;
}

void Controller::tell_trouble() {
    const std::lock_guard lock(mutex_);
    if (!trouble_.empty()) note_once(wire::NoteLevel::error, trouble_, trouble_failure_);
}

void Controller::collector_came() {
    send_session_start();
    // Where no CUPTI was found, the collector's orders may name one.
    if (cupti_) tell_trouble();
    const std::lock_guard lock(mutex_);
    for (auto& [device, state] : devices_)
        send_device(device, state);
}

void Controller::collector_went() {
    armed_ = false;
    if (hooks_) hooks_->watch_launches(false);
    stop_counting();
    stop_timing();
    const std::lock_guard lock(mutex_);
    always_watches_ = false;
    orders_known_ = false;
    plans_are_late_ = timed_for_lack_ = has_waited_ = false;
    busy_ = {};
    timed_meanwhile_ = 0;
    counts_ = {};
    told_.clear();
    pending_.clear();
    for (auto& [device, state] : devices_) {
        state.sets.clear();
        state.planned = false;
        state.sampler.reset();
    }
    news_.notify_all();
}

void Controller::take(const wire::Record& record) {
    if (const auto* orders = std::get_if<wire::Orders>(&record))
        take(*orders);
    else if (const auto* plan = std::get_if<wire::CounterPlan>(&record))
        take(*plan);
    else if (const auto* sent = std::get_if<wire::PlansSent>(&record))
        take(*sent);
    else if (const auto* wish = std::get_if<wire::WantPlan>(&record))
        take(*wish);
}

void Controller::take(const wire::Orders& orders) {
    if (!cupti_ && !orders.cupti.empty()) use_cupti(std::string(orders.cupti));
    if (!hooks_) {
        tell_trouble();
        return send_counts();
    }
    if (!orders.armed) armed_ = false;
    stop_counting();
    {
        const std::lock_guard lock(mutex_);
        mode_ = orders.counters ? Mode::counters : Mode::times;
        plans_are_late_ = timed_for_lack_ = false;
        busy_ = {};
        policy_ = {orders.work, orders.tensor, orders.memory_first, orders.memory_every};
        filter_.emplace(orders);
        failures_in_a_row_ = 0;
        for (auto& [device, state] : devices_)
            make_sampler(state);
    }
    // Times are begun by the launch that wants the first: this thread waits for nothing inside of CUPTI.
    if (!orders.armed || orders.counters) stop_timing();
    armed_ = orders.armed;
    hooks_->watch_launches(orders.armed || always_watches_);
    {
        const std::lock_guard lock(mutex_);
        orders_known_ = true;
        news_.notify_all();
    }
    send_counts();
}

std::optional<CuptiFailure> Controller::start_timing() {
    const std::unique_lock lock(times_mutex_, std::try_to_lock);
    if (!lock.owns_lock() || are_timed_) return std::nullopt;
    if (!times_)
        times_ =
            std::make_unique<KernelTimes>(*cupti_, [this](const KernelActivity& kernel) { hear(kernel); });
    auto failure = times_->enable();
    are_timed_ = !failure;
    return failure;
}

void Controller::stop_timing() {
    const std::lock_guard lock(times_mutex_);
    if (!are_timed_ && !awaits_times_) return;
    awaits_times_ = false;
    static_cast<void>(times_->flush(true));
    if (are_timed_.exchange(false)) times_->disable();
}

void Controller::stop_timing_launches() {
    const std::lock_guard lock(times_mutex_);
    if (!are_timed_.exchange(false)) return;
    times_->disable();
    awaits_times_ = true;
}

std::optional<CuptiFailure> Controller::flush_times() {
    const std::lock_guard lock(times_mutex_);
    if (!are_timed_ && !awaits_times_) return std::nullopt;
    auto failure = times_->flush(false);
    if (are_timed_) return failure;
    const std::lock_guard pending(mutex_);
    awaits_times_ = !failure && !pending_.empty();
    return std::nullopt;
}

void Controller::stop_counting() {
    if (!turn_.take()) return;
    std::vector<std::unique_ptr<RangeProfiler>> ended;
    {
        const std::lock_guard lock(mutex_);
        for (auto& [context, state] : contexts_)
            ended.push_back(std::move(state.profiler));
    }
    ended.clear();
    turn_.end();
}

void Controller::tend() {
    const std::uint64_t now = now_ns();
    if (now - last_tended_ns_ < tending_period_ns) return;
    last_tended_ns_ = now;
    tell_of_patience();
    look_for_late_plans();
    if (const auto failure = flush_times()) {
        const std::lock_guard lock(mutex_);
        note_once(wire::NoteLevel::error, "CUPTI could not time kernels; they are only listed.", failure);
        mode_ = Mode::neither;
    }
    look_for_free_counters();
    counts_are_due_ = !counts_are_due_;
    if (counts_are_due_) send_counts();
}

bool Controller::is_at_rest() {
    return can_be_had(mutex_) && can_be_had(times_mutex_) && sink_.is_at_rest();
}

void Controller::tell_of_patience() {
    const std::lock_guard lock(mutex_);
    if (counted_since_ns_ == 0 || now_ns() - counted_since_ns_ < long_launch_ns) return;
    note_once(wire::NoteLevel::warning,
              "A launch of " + counted_name_ +
                  " does not end while it is counted. A kernel that waits for others never does, because "
                  "they run one by one: leave it alone.");
}

void Controller::end() {
    armed_ = false;
    if (!sink_.is_open()) return;
    stop_timing();
    tell_trouble();
    send_counts();
    std::uint64_t launches = 0;
    {
        const std::lock_guard lock(mutex_);
        launches = counts_.seen;
    }
    sink_.send(wire::SessionEnd{now_ns(), launches});
}

void Controller::send_session_start() {
    const SessionFacts facts = SessionFacts::of_this_process();
    const auto command = facts.command();
    const auto ranks = views_of(facts.ranks);
    wire::SessionStart start;
    start.process = static_cast<std::uint32_t>(getpid());
    start.parent = static_cast<std::uint32_t>(getppid());
    start.start_ns = now_ns();
    start.host = facts.host;
    start.directory = facts.directory;
    start.command = command;
    start.rank_environment = ranks;
    start.agent_version = ROOFWALK_VERSION;
    sink_.send(start);
}

void Controller::send_device(std::uint32_t device, DeviceState& state) {
    const std::string version = driver_version();
    state.told_ns = now_ns();
    const DeviceFacts& facts = state.facts;
    sink_.send(wire::Device{device, facts.uuid, facts.name, state.chip, version, facts.capability_major,
                            facts.capability_minor, facts.sm_count, facts.sm_clock_khz,
                            facts.memory_clock_khz, facts.memory_bus_bits, facts.memory_bytes,
                            state.availability, cupti_ ? cupti_->version() : std::nullopt});
}

void Controller::send_counts() {
    wire::LaunchCounts counts;
    {
        const std::lock_guard lock(mutex_);
        counts = counts_;
    }
    counts.dropped = sink_.dropped();
    sink_.send(counts);
}

void Controller::note_once(wire::NoteLevel level, const std::string& what,
                           const std::optional<CuptiFailure>& failure) {
    std::string where;
    std::optional<std::int32_t> code;
    if (failure) {
        code = failure->code;
        where = failure->call;
    }
    if (told_.insert(what + where).second) sink_.send(wire::Note{level, code, what, where});
}

void Controller::make_context_known(void* context) {
    {
        const std::lock_guard lock(mutex_);
        if (contexts_.count(context) > 0) return;
    }
    const auto device = hooks_->device_of(context);
    if (!device) return;
    const std::uint32_t id = hooks_->id_of_context(context);
    bool is_new = false;
    {
        const std::lock_guard lock(mutex_);
        ContextState& state = contexts_[context];
        state.id = id;
        state.device = *device;
        is_new = devices_.count(*device) == 0;
    }
    if (!is_new) return;
    const DeviceFacts facts = device_facts(*device);
    CounterSupport support = counter_support(*cupti_, *device, context);
    const std::lock_guard lock(mutex_);
    DeviceState& state = devices_[*device];
    state.facts = facts;
    state.chip = std::move(support.chip);
    state.availability = std::move(support.availability);
    state.has_counters = !support.failure;
    send_device(*device, state);
    make_sampler(state);
    if (support.failure) note_once(wire::NoteLevel::warning, sentence_for(*support.failure), support.failure);
}

void Controller::context_made(void* context) {
    make_context_known(context);
    std::uint32_t device = 0;
    {
        const std::lock_guard lock(mutex_);
        const auto known = contexts_.find(context);
        if (known == contexts_.end()) return;
        device = known->second.device;
    }
    wait_for_plans(device);
}

void Controller::context_ends(void* context) {
    if (!turn_.take()) return;
    std::unique_ptr<RangeProfiler> ended;
    {
        const std::lock_guard lock(mutex_);
        const auto known = contexts_.find(context);
        if (known != contexts_.end()) {
            ended = std::move(known->second.profiler);
            contexts_.erase(known);
        }
    }
    ended.reset();
    turn_.end();
}

void Controller::broke(const CuptiFailure& failure) {
    armed_ = false;
    const std::lock_guard lock(mutex_);
    note_once(wire::NoteLevel::error, "CUPTI has given up in this program; nothing more is recorded.",
              failure);
}

}  // namespace roofwalk::agent

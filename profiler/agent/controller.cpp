// SPDX-License-Identifier: Apache-2.0
#include "profiler/agent/controller.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>
#include <variant>

#include "profiler/agent/clock.h"
#include "profiler/agent/controller_step.h"
#include "profiler/agent/cupti_device.h"
#include "profiler/agent/nvtx_ranges.h"
#include "profiler/agent/patience.h"
#include "profiler/agent/per_thread.h"
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

namespace {

/// After so many launches in a row that could not be counted, no more are tried.
constexpr int most_failures_in_a_row = 3;

/// Launches of graphs whose kernels KernelTimes may still tell of.
constexpr std::size_t most_pending = std::size_t{1} << 18U;

/// Room is left for the other fields of the record.
constexpr std::size_t most_image_bytes = wire::longest_payload - (std::size_t{1} << 20U);

}  // namespace

Controller::Step& Controller::step_of_thread() {
    return PerThread<Step>::get();
}

void Controller::launch_passed() {
    const std::lock_guard lock(mutex_);
    ++counts_.seen;
    if (armed_) ++counts_.sampled_out;
}

void Controller::launch_starts(const LaunchCall& call) {
    Step& step = step_of_thread();
    step = {};
    if (armed_) {
        make_context_known(call.context);
        make_sure_of_times();
    }
    bool counts = false;
    {
        const std::lock_guard lock(mutex_);
        if (call.graph_exec != nullptr)
            plan_graph(step, call);
        else
            plan_kernel(step, call);
        counts = mode_ == Mode::counters;
    }
    if (!armed_) return;
    if (step.deed == Step::Deed::count)
        start_counting(step, call);
    else if (step.deed == Step::Deed::give_up)
        time_instead(step, call);
    else if (counts)
        turn_.stand_by();
}

/// Started ranges may have been started by any thread, and need not be nested: a launch stands in those that
/// were asked for, outside of what its own thread has pushed.
bool Controller::is_inside(Step& step) {
    const std::vector<std::string>& pushed = current_ranges();
    bool inside = filter_->is_everywhere();
    if (!inside) {
        for (const std::string& range : started_ranges())
            if (filter_->counts_inside(range)) step.nvtx.push_back(range + std::string(wire::started_range));
        if (started_ranges_overflowed() && !told_of_ranges_.exchange(true))
            note_once(wire::NoteLevel::warning,
                      "More than " + std::to_string(most_started_ranges) +
                          " NVTX ranges were started and not ended: later ones are not known, and launches "
                          "inside of them may be missing.");
        inside = !step.nvtx.empty() || std::any_of(pushed.begin(), pushed.end(), [&](const auto& range) {
            return filter_->counts_inside(range);
        });
    }
    if (inside) step.nvtx.insert(step.nvtx.end(), pushed.begin(), pushed.end());
    return inside;
}

void Controller::plan_kernel(Step& step, const LaunchCall& call) {
    const std::uint64_t id = counts_.seen++;
    if (!armed_ || !filter_) return;
    if (!filter_->wants(call.kernel.name) || !is_inside(step) || !filter_->take()) {
        ++counts_.filtered;
        return;
    }
    step.kernels.push_back({id, call.kernel, nullptr, true});
    const KernelCall& kernel = call.kernel;
    choose_deed(step, call, {kernel.name, kernel.grid, kernel.block, kernel.dynamic_shared}, true);
}

void Controller::plan_graph(Step& step, const LaunchCall& call) {
    const GraphKernels graph = graphs_.kernels_of(call.graph_exec);
    std::uint64_t id = counts_.seen;
    counts_.seen += std::max<std::size_t>(graph.nodes.size(), 1);
    if (!armed_ || !filter_) return;
    const bool by_time = mode_ == Mode::times;
    if (!is_inside(step)) {
        counts_.filtered += std::max<std::size_t>(graph.nodes.size(), 1);
        return;
    }
    if (!graph.whole && !by_time) {
        ++counts_.sampled_out;
        note_once(wire::NoteLevel::warning,
                  "The kernels of a graph are not known, so that its launches are not recorded.");
        return;
    }
    const bool tells_before = graph.whole && graph.in_order;
    bool runs_alone = true;
    bool any = by_time;
    for (const auto& node : graph.nodes) {
        runs_alone = runs_alone && !filter_->leaves_alone(node.kernel.name);
        // Launches that are timed are filtered as their kernels are told of; until then only those that will
        // pass are spoken of.
        const bool wanted = filter_->wants(node.kernel.name) &&
                            (by_time ? tells_before && filter_->takes_all() : filter_->take());
        if (!wanted && !by_time) ++counts_.filtered;
        any = any || wanted;
        step.kernels.push_back({id++, node.kernel, node.node, wanted});
    }
    if (!any) return;
    if (!graph.in_order && !by_time)
        note_once(wire::NoteLevel::warning,
                  "A graph has branches: which of its kernels got which counters follows the order in which "
                  "they were made, and may be wrong.");
    Shape shape{"graph", {}, {}, 0};
    for (const auto& kernel : step.kernels) {
        const KernelCall& made = kernel.call;
        shape.name += ' ' + made.name + '/' + std::to_string(made.grid.x) + '/' + std::to_string(made.grid.y);
    }
    for (const auto& kernel : step.kernels)
        graph_of_kernel_.try_emplace(
            Shape{kernel.call.name, kernel.call.grid, kernel.call.block, kernel.call.dynamic_shared}, shape);
    choose_deed(step, call, std::move(shape), runs_alone);
}

void Controller::choose_deed(Step& step, const LaunchCall& call, Shape shape, bool may_count) {
    step.start_ns = now_ns();
    step.deed = Step::Deed::tell;
    const auto context = contexts_.find(call.context);
    if (context == contexts_.end()) return;
    step.device = context->second.device;
    step.context_id = context->second.id;
    if (mode_ == Mode::times) {
        await_time(step, call);
        return;
    }
    const DeviceState& device = devices_[step.device];
    if (mode_ != Mode::counters || !may_count) return;
    if (!device.may_count()) {
        timed_for_lack_ = no_device_counts();
        if (timed_for_lack_)
            step.deed = Step::Deed::give_up;
        else
            note_once(
                wire::NoteLevel::warning,
                "Device " + std::to_string(step.device) +
                    " gives no counters, and times cannot be taken while other devices are counted: its "
                    "kernels are only listed.");
        return;
    }
    if (!device.planned) return;
    step.shape = std::move(shape);
    const auto plan = device.sampler->choose(step.shape);
    const auto set = plan ? device.sets.find(*plan) : device.sets.end();
    if (set != device.sets.end()) {
        step.set = set->second;
        step.deed = Step::Deed::count;
    }
}

void Controller::await_time(Step& step, const LaunchCall& call) {
    // Another thread may be about to begin timing, and is not waited for.
    if (!are_timed_) return;
    step.deed = Step::Deed::time;
    if (plans_are_late_ || busy_.is_waiting()) ++timed_meanwhile_;
    if (pending_.size() >= most_pending) pending_.clear();
    const std::uint64_t id = step.kernels.empty() ? counts_.seen - 1 : step.kernels.front().id;
    pending_[call.correlation] = {id, 0, call.graph_exec != nullptr, step.nvtx};
}

void Controller::time_instead(Step& step, const LaunchCall& call) {
    step.deed = Step::Deed::tell;
    fall_back();
    const std::lock_guard lock(mutex_);
    if (mode_ == Mode::times) await_time(step, call);
}

void Controller::start_counting(Step& step, const LaunchCall& call) {
    step.deed = Step::Deed::tell;
    const auto fails = [&](const std::optional<CuptiFailure>& failure) {
        const std::lock_guard lock(mutex_);
        if (failure) note_once(wire::NoteLevel::warning, sentence_for(*failure), failure);
        // The collector may have gone while CUPTI took its time.
        LaunchSampler* const sampler = devices_[step.device].sampler.get();
        if (sampler == nullptr) return;
        if (failure && is_held_by_others(*failure)) {
            busy_.refused(now_ns());
            sampler->not_tried(step.shape, step.set->plan);
        } else {
            sampler->failed(step.shape, step.set->plan);
        }
    };
    if (!turn_.take()) return fails({});
    if (!armed_) return turn_.end();
    RangeProfiler* profiler = nullptr;
    {
        const std::lock_guard lock(mutex_);
        profiler = contexts_[call.context].profiler.get();
    }
    if (profiler == nullptr) {
        CuptiFailure why;
        auto enabled = RangeProfiler::enable(*cupti_, call.context, why);
        profiler = enabled.get();
        if (profiler == nullptr) {
            turn_.end();
            fails(why);
            return time_instead(step, call);
        }
        const std::lock_guard lock(mutex_);
        contexts_[call.context].profiler = std::move(enabled);
    }
    if (const auto failure = profiler->start(step.set, step.kernels.size())) {
        turn_.end();
        fails(failure);
        if (is_held_by_others(*failure)) return time_instead(step, call);
        step.status = wire::LaunchStatus::failed;
        return count_failure();
    }
    step.profiler = profiler;
    const std::lock_guard lock(mutex_);
    tell_of_free_counters();
    counted_since_ns_ = now_ns();
    counted_name_ = step.kernels.front().call.name;
}

void Controller::launch_ends(const LaunchCall& call, bool accepted) {
    Step& step = step_of_thread();
    if (step.profiler == nullptr) {
        if (step.deed == Step::Deed::tell && accepted) send_untimed(step, call);
        if (step.deed == Step::Deed::time && accepted) send_awaited(step, call);
        return;
    }
    CounterData data;
    const auto failure = step.profiler->stop(data);
    const bool fits = data.image.size() <= most_image_bytes;
    const bool counted =
        !failure && accepted && fits && data.ranges == step.kernels.size() && !turn_.is_disturbed();
    if (counted) send_counted(step, call, data);
    turn_.end();
    {
        const std::lock_guard lock(mutex_);
        counted_since_ns_ = 0;
        LaunchSampler* const sampler = devices_[step.device].sampler.get();
        if (sampler != nullptr && counted) sampler->measured(step.shape, step.set->plan);
        const bool given_up = sampler != nullptr && !counted && sampler->failed(step.shape, step.set->plan);
        if (!fits)
            note_once(wire::NoteLevel::warning,
                      "A graph has so many kernels that their counters cannot be sent.");
        else if (given_up && accepted && !failure)
            note_once(wire::NoteLevel::warning, "Launches of " + step.kernels.front().call.name +
                                                    " could not be told from others that ran meanwhile; "
                                                    "their counters are left out.");
        if (failure) note_once(wire::NoteLevel::warning, sentence_for(*failure), failure);
        if (!failure) failures_in_a_row_ = 0;
    }
    if (failure) count_failure();
    if (failure) step.status = wire::LaunchStatus::failed;
    if (accepted && !counted) send_untimed(step, call);
}

void Controller::count_failure() {
    {
        const std::lock_guard lock(mutex_);
        if (++failures_in_a_row_ < most_failures_in_a_row) return;
    }
    fall_back();
}

void Controller::fall_back() {
    {
        const std::lock_guard lock(mutex_);
        if (mode_ != Mode::counters || !armed_) return;
        mode_ = Mode::times;
    }
    stop_counting();
    if (!start_timing()) return;
    const std::lock_guard lock(mutex_);
    mode_ = Mode::neither;
}

void Controller::make_sure_of_times() {
    if (are_timed_) return;
    {
        const std::lock_guard lock(mutex_);
        if (mode_ != Mode::times) return;
    }
    const auto failure = start_timing();
    if (!failure) return;
    const std::lock_guard lock(mutex_);
    if (mode_ == Mode::times) mode_ = Mode::neither;
    note_once(wire::NoteLevel::error, "CUPTI could not time kernels; they are only listed.", failure);
}

// What to count: the plans of the collector, and what is done while they are not here.

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

FunctionFacts Controller::facts_of(const KernelCall& kernel) {
    const std::pair key(kernel.function, kernel.name);
    {
        const std::lock_guard lock(mutex_);
        if (const auto known = functions_.find(key); known != functions_.end()) return known->second;
    }
    const FunctionFacts facts = function_facts(kernel.function);
    const std::lock_guard lock(mutex_);
    return functions_.emplace(key, facts).first->second;
}

void Controller::send_counted(Step& step, const LaunchCall& call, const CounterData& data) {
    wire::KernelLaunch record;
    record.plan = step.set->plan;
    record.passes = step.set->passes;
    record.status = wire::LaunchStatus::counted;
    record.metric_table = step.set->table;
    const std::uint64_t sent = send_kernels(step, call, record, data.image);
    const std::lock_guard lock(mutex_);
    counts_.recorded += sent;
}

void Controller::send_untimed(Step& step, const LaunchCall& call) {
    wire::KernelLaunch record;
    record.status = step.status;
    const std::uint64_t sent = send_kernels(step, call, record, {});
    const std::lock_guard lock(mutex_);
    counts_.sampled_out += sent;
}

/// A process that is killed takes along what CUPTI has not given out yet: the launch itself is told at once.
/// Where there is no room for that, what CUPTI gives out later is all the same told in full.
void Controller::send_awaited(Step& step, const LaunchCall& call) {
    wire::KernelLaunch record;
    record.status = wire::LaunchStatus::awaited;
    send_kernels(step, call, record, {});
}

std::uint64_t Controller::send_kernels(Step& step, const LaunchCall& call, wire::KernelLaunch record,
                                       wire::Image image) {
    const std::vector<std::string_view> nvtx(step.nvtx.begin(), step.nvtx.end());
    record.nvtx = nvtx;
    record.device = step.device;
    record.context = step.context_id;
    record.stream = hooks_->id_of_stream(call);
    record.start_ns = step.start_ns;
    std::optional<std::uint64_t> image_sent;
    std::uint64_t sent = 0;
    for (std::size_t at = 0; at < step.kernels.size(); ++at) {
        const Step::Kernel& kernel = step.kernels[at];
        if (!kernel.wanted) continue;
        const FunctionFacts facts = facts_of(kernel.call);
        record.id = kernel.id;
        record.name = kernel.call.name;
        record.grid = kernel.call.grid;
        record.block = kernel.call.block;
        record.registers = facts.registers;
        record.static_shared = facts.static_shared;
        record.dynamic_shared = kernel.call.dynamic_shared;
        record.graph_node = kernel.node != nullptr ? hooks_->id_of_node(kernel.node) : std::nullopt;
        record.range = static_cast<std::uint32_t>(at);
        record.counter_data = image_sent ? wire::Image{} : image;
        record.image_launch = image.empty() ? std::nullopt : image_sent;
        const bool is_told_again = record.status == wire::LaunchStatus::awaited;
        if (!sink_.send(record, is_told_again ? RecordSink::Worth::none : RecordSink::Worth::is_missed))
            continue;
        if (!image_sent) image_sent = kernel.id;
        ++sent;
    }
    return sent;
}

void Controller::hear(const KernelActivity& kernel) {
    wire::KernelLaunch record;
    std::vector<std::string> ranges;
    {
        const std::lock_guard lock(mutex_);
        const auto found = pending_.find(kernel.correlation);
        if (found == pending_.end() || !filter_) return;
        Pending& launch = found->second;
        record.id = launch.id + launch.kernels_told++;
        ranges = launch.nvtx;
        if (launch.graph) {
            if (!filter_->wants(kernel.name) || !filter_->take()) {
                ++counts_.filtered;
                return;
            }
        } else {
            pending_.erase(found);
        }
        ++counts_.recorded;
    }
    const std::vector<std::string_view> nvtx(ranges.begin(), ranges.end());
    record.name = kernel.name;
    record.device = kernel.device;
    record.context = kernel.context;
    record.stream = kernel.stream;
    record.grid = kernel.grid;
    record.block = kernel.block;
    record.registers = kernel.registers;
    record.static_shared = kernel.static_shared;
    record.dynamic_shared = kernel.dynamic_shared;
    if (kernel.start_ns != 0) record.start_ns = kernel.start_ns;
    if (kernel.start_ns != 0 && kernel.end_ns >= kernel.start_ns)
        record.duration_ns = kernel.end_ns - kernel.start_ns;
    record.graph_node = kernel.graph_node;
    record.nvtx = nvtx;
    record.status = wire::LaunchStatus::timed;
    sink_.send(record);
}

}  // namespace roofwalk::agent

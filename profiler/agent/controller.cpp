// SPDX-License-Identifier: Apache-2.0
#include "profiler/agent/controller.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <variant>

#include "profiler/agent/clock.h"
#include "profiler/agent/driver_library.h"
#include "profiler/agent/per_thread.h"
#include "profiler/wire/cupti_folders.h"

namespace roofwalk::agent {

namespace {

using Action = ObservedLaunch::Action;

constexpr std::uint64_t poll_period_ns = 100'000'000;
constexpr std::uint64_t long_launch_ns = 2'000'000'000;

/// Uses of CUPTI after each of which it may have made objects; an exit handler takes 32 bytes.
constexpr std::uint64_t first_uses = 1024;

/// CUPTI saves the memory in use, and restores it before each pass. Beside 16 GiB two passes took 20 to 31 ms
/// longer (H100), where as much is free. Else it takes memory of the host, which is slower by far.
constexpr std::uint64_t most_saved_bytes = std::uint64_t{16} << 30U;

bool saves_little(const std::optional<DeviceMemory>& memory) {
    return memory && memory->used < most_saved_bytes && memory->used <= memory->free;
}

/// Room is left for the other fields of the record.
constexpr std::size_t most_image_bytes = wire::longest_payload - (std::size_t{1} << 20U);

/// The launch that the calling thread is in.
ObservedLaunch& launch_of_thread() {
    return PerThread<ObservedLaunch>::get();
}

}  // namespace

Controller::Controller(RecordSink& sink, const Hints& hints)
    : sink_(sink),
      reporter_(sink),
      hints_(hints),
      times_({[this](const KernelActivity& kernel) { on_kernel_timed(kernel); },
              [this] { count_cupti_use(time_uses_); }}) {}

void Controller::start(const std::string& cupti_file) {
    cupti_file_ = cupti_file;
    use_cupti(cupti_file);
    if (!hooks_) return;
    always_watches_ = true;
    hooks_->watch_launches(true);
}

void Controller::use_cupti(const std::string& file) {
    const int driver = driver_cuda();
    cupti_ = CuptiLibrary::load(file, driver);
    if (!cupti_) {
        std::string files;
        for (const std::string& name : wire::cupti_files_for(driver))
            files += (files.empty() ? "" : " or ") + name;
        if (const std::string other = CuptiLibrary::other_in_process(); !other.empty())
            fatal_error_ = "The program has loaded " + other + ", which is no " + files +
                           ", and can have but one CUPTI; nothing is recorded.";
        else
            fatal_error_ =
                (file.empty() ? "No CUPTI was found" : "The library " + file + " could not be loaded") +
                "; nothing is recorded. Name a " + files + " with --cupti.";
        return;
    }
    // Its objects are not to be gone before it has been used for the last time.
    count_cupti_use(counter_uses_);
    fatal_error_.clear();
    CuptiHooks::Refusal why;
    hooks_ = CuptiHooks::subscribe(*cupti_, *this, graphs_, why);
    if (hooks_) hooks_->watch();
    count_cupti_use(counter_uses_);
    if (hooks_) return;
    fatal_error_ = sentence_for(why.failure);
    if (!why.other.empty()) fatal_error_ += " It calls itself " + why.other + ".";
    fatal_failure_ = why.failure;
}

void Controller::report_fatal_error() {
    const std::lock_guard lock(mutex_);
    if (!fatal_error_.empty()) reporter_.note_once(wire::NoteLevel::error, fatal_error_, fatal_failure_);
}

void Controller::on_collector_connected() {
    reporter_.report_session_start();
    // Where no CUPTI was found, the collector's orders may name one.
    if (cupti_) report_fatal_error();
    const std::lock_guard lock(mutex_);
    policy_.all_devices_reported(steady_ns());
    policy_.counts = {};  // what was launched while a counted one ended
    reporter_.report_known_devices(policy_.any_may_count());
}

void Controller::on_collector_lost() {
    {
        const std::lock_guard lock(mutex_);
        policy_.forget_orders();
    }
    always_watches_ = watches_ = false;
    release_counters();
    times_.stop();  // which may still tell of launches for the one that has gone
    times_.forget_expected();
    reporter_.forget_notes();
    const std::lock_guard lock(mutex_);
    policy_.collector_lost();
    has_waited_ = false;
    policy_changed_.notify_all();
}

/// The end of a launch that is being counted has yet to be told, and is when poll() does this again.
void Controller::release_counters() {
    is_releasing_ = !counters_.release_all();
    if (hooks_) hooks_->watch_launches(watches_ || is_releasing_);
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
    if (!hooks_) use_cupti(cupti_file_);
    if (!cupti_ && !orders.cupti.empty()) use_cupti(std::string(orders.cupti));
    if (!hooks_) {
        report_fatal_error();
        return report_counts();
    }
    {
        const std::lock_guard lock(mutex_);
        policy_.suspend(orders);
    }
    watches_ = orders.armed || always_watches_;
    // Times are begun by the launch that wants the first: this thread waits for nothing inside of CUPTI.
    if (!orders.armed || orders.counters) times_.stop();
    release_counters();
    {
        const std::lock_guard lock(mutex_);
        policy_.follow(orders);
        policy_changed_.notify_all();
    }
    report_counts();
}

void Controller::take(const wire::CounterPlan& plan) {
    const auto set = std::make_shared<const CounterSet>(plan);
    {
        const std::lock_guard lock(mutex_);
        if (!policy_.knows_device(plan.device)) return;
        policy_.add_plan(plan.device, set);
    }
    sink_.send(wire::MetricTable{plan.table, plan.device, plan.metrics});
}

void Controller::take(const wire::PlansSent& sent) {
    bool were_late = false;
    {
        const std::lock_guard lock(mutex_);
        if (!policy_.knows_device(sent.device)) return;
        policy_.plans_complete(sent.device);
        has_waited_ = false;
        policy_changed_.notify_all();
        were_late = policy_.state() == PolicyState::timing_until_plans;
        const bool first_that_counts =
            policy_.state() == PolicyState::timing_until_device && policy_.may_count(sent.device);
        if ((!were_late && !first_that_counts) || !policy_.begin_resuming()) return;
    }
    finish_resuming();
    if (!were_late) return;
    const std::lock_guard lock(mutex_);
    reporter_.note_once(wire::NoteLevel::warning,
                        "The counter plans came late: " + std::to_string(policy_.take_timed_meanwhile()) +
                            " launches before them have a time alone.");
}

void Controller::take(const wire::WantPlan& wish) {
    const std::lock_guard lock(mutex_);
    policy_.want(wish);
}

/// Counters and times are not taken at once: launches that come between the two wait.
void Controller::finish_resuming() {
    times_.stop_launches();
    const std::lock_guard lock(mutex_);
    policy_.resume_counting();
    policy_changed_.notify_all();
}

void Controller::poll() {
    const std::uint64_t now = steady_ns();
    if (now - last_poll_ns_ < poll_period_ns) return;
    last_poll_ns_ = now;
    if (is_releasing_ && !counters_.is_in_use()) release_counters();
    if (!is_recording()) return;
    report_long_launch();
    if (counters_.release_idle()) count_cupti_use(counter_uses_);
    check_for_late_plans();
    if (now - std::max<std::uint64_t>(asked_ns_[0], asked_ns_[1]) >= 2 * poll_period_ns) flush_times();
    retry_held_counters();
    counts_are_due_ = !counts_are_due_;
    if (counts_are_due_) report_counts();
}

bool Controller::is_at_rest() {
    return try_lock_for(mutex_).owns_lock() && times_.is_at_rest() && counters_.is_at_rest() &&
           sink_.is_at_rest();
}

bool Controller::end_launches() {
    {
        const auto lock = try_lock_for(mutex_);
        if (!lock.owns_lock()) return false;
        policy_.end();
    }
    return is_at_rest();
}

void Controller::report_long_launch() {
    const auto running = counters_.running();
    if (!running || steady_ns() - running->since_ns < long_launch_ns) return;
    reporter_.note_once(wire::NoteLevel::warning,
                        "A launch of " + running->kernel +
                            " does not end while it is counted, or what was launched before it does not. A "
                            "kernel that waits for others never does, because they run one by one: leave it "
                            "alone.");
}

void Controller::report_counts() {
    wire::LaunchCounts counts;
    {
        const std::lock_guard lock(mutex_);
        counts = policy_.counts;
    }
    reporter_.report_counts(counts);
}

void Controller::take_times() {
    if (time_uses_ <= first_uses && is_at_rest()) static_cast<void>(times_.flush());
}

void Controller::end_measuring() {
    // What a thread has begun to count ends before CUPTI does.
    counters_.wait_for_others();
    times_.stop();
}

void Controller::report_end() {
    if (!sink_.is_open()) return;
    report_fatal_error();
    report_counts();
    std::uint64_t launches = 0;
    {
        const std::lock_guard lock(mutex_);
        launches = policy_.counts.seen;
    }
    reporter_.report_session_end(launches);
}

void Controller::warn_once(const std::vector<std::string>& warnings) {
    for (const std::string& warning : warnings)
        reporter_.note_once(wire::NoteLevel::warning, warning);
}

void Controller::count_cupti_use(std::atomic<std::uint64_t>& uses) const {
    const std::uint64_t now = ++uses;
    if (now <= first_uses || std::has_single_bit(now)) hints_.cupti_used();
}

void Controller::make_context_known(void* context) {
    {
        const std::lock_guard lock(mutex_);
        if (policy_.device_of(context)) return;
    }
    const auto device = hooks_->device_of(context);
    if (!device) return;
    const std::uint32_t id = hooks_->id_of_context(context);
    {
        const std::lock_guard lock(mutex_);
        policy_.add_context(context, id, *device);
        if (policy_.knows_device(*device)) return;
    }
    DeviceFacts facts = device_facts(*device);
    CounterSupport support = counter_support(*cupti_, *device, context);
    count_cupti_use(counter_uses_);
    const std::lock_guard lock(mutex_);
    policy_.add_device(*device, !support.failure);
    policy_.device_reported(*device, steady_ns());
    reporter_.report_device(*device, std::move(facts), std::move(support), cupti_->version(),
                            policy_.any_may_count());
    policy_changed_.notify_all();
}

void Controller::on_context_created(void* context) {
    if (policy_.state() == PolicyState::ending) return;
    hints_.thread_uses_cuda();
    make_context_known(context);
    wait_for_plans(context);
    // CUPTI times what is launched after this, and perhaps not the launch in whose callback it is asked to.
    bool none_counts = false;
    {
        const std::lock_guard lock(mutex_);
        none_counts = policy_.state() == PolicyState::counting && !policy_.any_may_count();
    }
    if (none_counts) fall_back(PolicyState::timing_until_device);
    start_timing_if_due();
}

void Controller::on_context_destroying(void* context) {
    if (policy_.state() == PolicyState::ending) return;
    counters_.release(context);
    const std::lock_guard lock(mutex_);
    policy_.forget_context(context);
}

/// As its context is made, or before the first launch in it that a collector sees.
void Controller::wait_for_plans(void* context) {
    if (!sink_.is_open()) return;
    std::unique_lock lock(mutex_);
    const auto device = policy_.device_of(context);
    if (!device) return;
    const auto decided = [&] {
        const PolicyState state = policy_.state();
        if (!sink_.is_open() || has_waited_) return true;
        if (state == PolicyState::unordered || state == PolicyState::resuming) return false;
        const bool counts = state == PolicyState::counting || state == PolicyState::timing_until_device;
        // Another thread may be finding out about the device.
        return !counts || (policy_.knows_device(*device) && !policy_.lacks_plans(*device));
    };
    if (policy_changed_.wait_for(lock, plans_timeout, decided)) return;
    has_waited_ = true;
    if (policy_.state() == PolicyState::unordered)
        reporter_.note_once(
            wire::NoteLevel::warning,
            "The recorder has not answered in time; launches before it does are not recorded.");
    else
        time_until_plans();
}

/// For those who hold mutex_.
void Controller::time_until_plans() {
    if (policy_.time_until_plans())
        reporter_.note_once(wire::NoteLevel::warning,
                            "The counter plans have not come in time; kernels are only timed until they do.");
}

void Controller::check_for_late_plans() {
    bool begun_too_late = false;
    {
        const std::lock_guard lock(mutex_);
        if (policy_.lacks_plans_for_long(steady_ns())) time_until_plans();
        // A launch may have begun to time just as the plans came.
        begun_too_late = times_.is_on() && policy_.state() == PolicyState::counting;
    }
    if (begun_too_late) times_.stop_launches();
}

void Controller::retry_held_counters() {
    {
        const std::lock_guard lock(mutex_);
        if (!policy_.tries_again(steady_ns()) || !policy_.begin_resuming()) return;
    }
    finish_resuming();
}

void Controller::on_fatal_error(const CuptiFailure& failure) {
    const std::lock_guard lock(mutex_);
    policy_.break_down();
    fatal_error_ = "CUPTI has given up in this program; nothing more is recorded.";
    fatal_failure_ = failure;
    reporter_.note_once(wire::NoteLevel::error, fatal_error_, failure);
}

void Controller::on_launch_passed() {
    const std::lock_guard lock(mutex_);
    policy_.pass_over();
}

void Controller::on_launch_enter(const LaunchCall& call) {
    ObservedLaunch& launch = launch_of_thread();
    if (is_recording()) {
        make_context_known(call.context);
        wait_for_plans(call.context);
        start_timing_if_due();
    }
    PolicyState state{};
    std::vector<std::string> warnings;
    {
        const std::lock_guard lock(mutex_);
        launch = policy_.decide(call, !times_.has_failed(), warnings);
        if (launch.action == Action::time) await_time(launch, call);
        state = policy_.state();
    }
    warn_once(warnings);
    if (launch.action == Action::count)
        start_counting(launch, call);
    else if (launch.action == Action::stop_counting)
        time_instead(launch, call, PolicyState::timing_until_device);
    else if (state == PolicyState::counting)
        counters_.wait_for_turn();
}

/// For those who hold mutex_.
void Controller::await_time(ObservedLaunch& launch, const LaunchCall& call) {
    // Another thread may be about to begin timing, and is not waited for.
    launch.action = times_.is_on() ? Action::time : Action::list;
    if (launch.action == Action::list) return;
    policy_.timed();
    times_.expect(call.correlation, {launch.id, call.graph_exec != nullptr, launch.nvtx});
}

void Controller::start_counting(ObservedLaunch& launch, const LaunchCall& call) {
    launch.action = Action::list;
    if (!counters_.take_turn()) {
        const std::lock_guard lock(mutex_);
        policy_.not_counted(launch);
        return;
    }
    if (!is_recording()) return counters_.end_turn();
    if (!counters_.begin(call.context, launch)) {
        counters_.end_turn();
        const std::lock_guard lock(mutex_);
        return policy_.not_tried(launch);
    }
    const auto failure = start_counters(launch, call);
    launch.is_counted = !failure;
    if (!failure) return;
    counters_.end_turn();
    launch.status = wire::LaunchStatus::failed;
    if (const auto state = take_failure(launch, *failure)) time_instead(launch, call, *state);
}

/// A launch that cannot be replayed, or had too much memory to save, is counted in the passes of plan A.
std::optional<CuptiFailure> Controller::start_counters(ObservedLaunch& launch, const LaunchCall& call) {
    bool asks_for_memory = false;
    {
        const std::lock_guard lock(mutex_);
        asks_for_memory = policy_.replays_little(launch);
    }
    if (asks_for_memory && !saves_little(device_memory()))
        static_cast<void>(has_been_set_without_replay(launch));
    auto failure = counters_.start(*cupti_, call.context, launch);
    const bool may_be_of_replay =
        failure && launch.set->plan == replay_plan && !is_refusal(*failure) && !is_held_by_others(*failure);
    if (!may_be_of_replay || !has_been_set_without_replay(launch)) return failure;
    reporter_.note_once(wire::NoteLevel::warning,
                        "A launch could not be replayed: its FLOP are those of another launch.", failure);
    return counters_.start(*cupti_, call.context, launch);
}

bool Controller::has_been_set_without_replay(ObservedLaunch& launch) {
    const std::lock_guard lock(mutex_);
    return policy_.without_replay(launch);
}

/// The state that counting has to give way to; absent where the failure costs this launch alone.
std::optional<PolicyState> Controller::take_failure(const ObservedLaunch& launch,
                                                    const CuptiFailure& failure) {
    const std::lock_guard lock(mutex_);
    if (is_held_by_others(failure)) {
        reporter_.note_once(wire::NoteLevel::warning, sentence_for(failure), failure);
        policy_.refused(launch, steady_ns());
        return PolicyState::timing_until_free;
    }
    policy_.not_counted(launch);
    const bool refuses = is_refusal(failure);
    if (launch.is_graph() && !refuses) policy_.leave_graphs_alone();
    if (refuses) policy_.deny(launch.device);
    reporter_.note_once(wire::NoteLevel::warning, sentence_for(failure, policy_.any_may_count()), failure);
    if ((!refuses && !policy_.failed_again(launch, steady_ns())) || policy_.any_may_count())
        return std::nullopt;
    return PolicyState::timing_until_device;
}

/// CUPTI 13.0 counts the kernels of a graph that became executable while it counted, also with another set
/// later, and of no other.
bool Controller::on_instantiate_enter(void* context, void* graph) {
    if (is_recording()) {
        make_context_known(context);
        wait_for_plans(context);
    }
    if (policy_.state() != PolicyState::counting) return false;
    const bool replays = saves_little(device_memory());
    std::optional<ObservedLaunch> launch;
    {
        const std::lock_guard lock(mutex_);
        launch = policy_.decide_instantiation(context, graph, replays);
    }
    if (!launch || !counters_.take_turn()) return false;
    launch->is_counted = policy_.state() == PolicyState::counting && counters_.begin(context, *launch) &&
                         !counters_.start(*cupti_, context, *launch);
    if (!launch->is_counted) counters_.end_turn();
    const bool counts = launch->is_counted;
    launch_of_thread() = *std::move(launch);
    return counts;
}

void Controller::on_instantiate_exit() {
    if (!std::exchange(launch_of_thread(), {}).is_counted) return;
    CounterData data;
    static_cast<void>(counters_.stop(data, true));
    count_cupti_use(counter_uses_);
    counters_.end_turn();
}

void Controller::on_launch_exit(const LaunchCall& call, bool accepted) {
    // Callbacks may have been enabled in the midst of a call, of which only the end is told then.
    ObservedLaunch launch = std::exchange(launch_of_thread(), {});
    if (launch.is_counted) return finish_counting(launch, call, accepted);
    if (!accepted || policy_.state() == PolicyState::ending) return;
    if (launch.action == Action::list) report_untimed(launch, call);
    if (launch.action != Action::time) return;
    // A process that is killed takes along what CUPTI has not given out yet: the launch itself is reported at
    // once. Where there is no room for that, what CUPTI gives out later is all the same reported in full.
    wire::KernelLaunch record;
    record.status = wire::LaunchStatus::awaited;
    reporter_.report_launch(launch, call, record, {}, *hooks_);
    ask_for_first_times(call.graph_exec != nullptr);
}

/// As CUPTI tells of the first kernels it makes objects, whose destructors would meet it half made where a
/// thread that uses no CUDA calls exit() meanwhile. A program that does so in the midst of a launch of
/// another thread takes its chances without us as well: such a thread is to make them, and not that of the
/// agent.
void Controller::ask_for_first_times(bool of_graph) {
    if (has_told_[of_graph]) return;
    const std::uint64_t now = steady_ns();
    std::uint64_t asked = asked_ns_[of_graph];
    if (now - asked < poll_period_ns || !asked_ns_[of_graph].compare_exchange_strong(asked, now)) return;
    flush_times();
}

void Controller::flush_times() {
    if (const auto failure = times_.flush())
        reporter_.note_once(wire::NoteLevel::error, "CUPTI could not time kernels; they are only listed.",
                            failure);
}

void Controller::finish_counting(ObservedLaunch& launch, const LaunchCall& call, bool accepted) {
    CounterData data;
    const auto failure = counters_.stop(data);
    count_cupti_use(counter_uses_);
    launch.is_counted = false;
    const std::uint64_t took_ns = counters_.took_ns();
    if (const std::lock_guard lock(mutex_); !policy_.is_awaited(launch)) return counters_.end_turn();
    const bool fits = data.image.size() <= most_image_bytes;
    const bool counted =
        !failure && accepted && fits && data.ranges == launch.kernels.size() && !counters_.is_disturbed();
    std::uint64_t sent = 0;
    if (counted) {
        wire::KernelLaunch record;
        record.plan = launch.set->plan;
        record.passes = launch.set->passes;
        record.status = wire::LaunchStatus::counted;
        record.metric_table = launch.set->table;
        sent = reporter_.report_launch(launch, call, record, data.image, *hooks_);
    }
    counters_.end_turn();
    if (failure) {
        launch.status = wire::LaunchStatus::failed;
        if (const auto state = take_failure(launch, *failure)) fall_back(*state);
    } else {
        const std::lock_guard lock(mutex_);
        if (policy_.cupti_worked(launch))
            reporter_.note_once(wire::NoteLevel::warning, "Counters failed for a while: " +
                                                              std::to_string(policy_.take_timed_meanwhile()) +
                                                              " launches have a time alone.");
        policy_.counts.recorded += sent;
        if (counted)
            policy_.counted(launch, took_ns);
        else if (!accepted)
            policy_.not_tried(launch);
        else if (const bool given_up = policy_.not_counted(launch); !fits)
            reporter_.note_once(wire::NoteLevel::warning,
                                "A graph has so many kernels that their counters cannot be sent.");
        else if (given_up)
            reporter_.note_once(wire::NoteLevel::warning,
                                "Launches of " + launch.kernels.front().call.name +
                                    " could not be told from others that ran meanwhile; "
                                    "their counters are left out.");
    }
    if (accepted && !counted) report_untimed(launch, call);
}

void Controller::report_untimed(const ObservedLaunch& launch, const LaunchCall& call) {
    wire::KernelLaunch record;
    record.status = launch.status;
    const std::uint64_t sent = reporter_.report_launch(launch, call, record, {}, *hooks_);
    if (launch.status == wire::LaunchStatus::failed) return;  // no other stands for it
    const std::lock_guard lock(mutex_);
    policy_.counts.sampled_out += sent;
}

void Controller::fall_back(PolicyState to) {
    {
        const std::lock_guard lock(mutex_);
        if (!policy_.stop_counting(to)) return;
    }
    static_cast<void>(counters_.release_all());  // else when they are idle
    start_timing_if_due();
}

void Controller::time_instead(ObservedLaunch& launch, const LaunchCall& call, PolicyState to) {
    launch.action = Action::list;
    fall_back(to);
    const std::lock_guard lock(mutex_);
    if (is_timing(policy_.state())) await_time(launch, call);
}

void Controller::start_timing_if_due() {
    if (!is_timing(policy_.state())) return;
    hints_.thread_uses_cuda();
    if (times_.is_on() || times_.has_failed()) return;
    if (const auto failure = times_.start(*cupti_))
        reporter_.note_once(wire::NoteLevel::error, "CUPTI could not time kernels; they are only listed.",
                            failure);
    count_cupti_use(time_uses_);
}

void Controller::on_kernel_timed(const KernelActivity& kernel) {
    const auto launch = times_.take_expected(kernel.correlation);
    if (!launch) return;
    has_told_[launch->is_graph] = true;
    {
        const std::lock_guard lock(mutex_);
        if (!policy_.takes_timed(kernel.name, launch->is_graph)) return;
    }
    reporter_.report_timed(*launch, kernel);
}

}  // namespace roofwalk::agent

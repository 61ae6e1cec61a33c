// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "profiler/agent/clock.h"
#include "profiler/agent/controller_step.h"
#include "profiler/agent/nvtx_ranges.h"
#include "profiler/agent/per_thread.h"

namespace roofwalk::agent {

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

}  // namespace roofwalk::agent

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "profiler/agent/clock.h"
#include "profiler/agent/controller.h"
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

struct Controller::Step {
    enum class Deed {
        nothing,
        tell,     ///< a record with neither counters nor time
        count,    ///< a record with counters
        time,     ///< KernelTimes will tell
        give_up,  ///< there are no counters: this launch and those after it are timed
    };

    struct Kernel {
        std::uint64_t id = 0;
        KernelCall call;
        void* node = nullptr;  ///< of a graph
        bool wanted = true;
    };

    Deed deed = Deed::nothing;
    std::vector<Kernel> kernels;
    std::vector<std::string> nvtx;
    std::uint64_t start_ns = 0;
    std::uint32_t device = 0;
    std::uint32_t context_id = 0;
    Shape shape;  ///< that the sampler knows it by
    std::shared_ptr<const CounterSet> set;
    RangeProfiler* profiler = nullptr;                      ///< that counts now; the thread has the turn
    wire::LaunchStatus status = wire::LaunchStatus::timed;  ///< of a record without counters
};

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

void Controller::plan_kernel(Step& step, const LaunchCall& call) {
    const std::uint64_t id = counts_.seen++;
    if (!armed_ || !filter_) return;
    if (!filter_->wants(call.kernel.name) || !filter_->inside(current_ranges()) || !filter_->take()) {
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
    if (!filter_->inside(current_ranges())) {
        counts_.filtered += std::max<std::size_t>(graph.nodes.size(), 1);
        return;
    }
    if (!graph.whole && !by_time) {
        ++counts_.sampled_out;
        note_once(wire::NoteLevel::warning,
                  "The kernels of a graph are not known, so that its launches are not recorded.");
        return;
    }
    bool runs_alone = true;
    bool any = by_time;
    for (const auto& node : graph.nodes) {
        runs_alone = runs_alone && !filter_->leaves_alone(node.kernel.name);
        // Launches that are timed are filtered as their kernels are told of.
        const bool wanted = !by_time && filter_->wants(node.kernel.name) && filter_->take();
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
    step.nvtx = current_ranges();
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
    if (!device.has_counters || (device.planned && device.sets.empty())) {
        step.deed = Step::Deed::give_up;
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
    step.deed = Step::Deed::time;
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
        devices_[step.device].sampler->failed(step.shape, step.set->plan);
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
        step.status = wire::LaunchStatus::failed;
        return count_failure();
    }
    step.profiler = profiler;
    const std::lock_guard lock(mutex_);
    counted_since_ns_ = now_ns();
    counted_name_ = step.kernels.front().call.name;
}

void Controller::launch_ends(const LaunchCall& call, bool accepted) {
    Step& step = step_of_thread();
    if (step.profiler == nullptr) {
        if (step.deed == Step::Deed::tell && accepted) send_untimed(step, call);
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
    mode_ = Mode::neither;
    note_once(wire::NoteLevel::error, "CUPTI could not time kernels; they are only listed.", failure);
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
        if (!sink_.send(record)) continue;
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

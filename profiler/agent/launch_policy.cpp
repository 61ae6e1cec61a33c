// SPDX-License-Identifier: Apache-2.0
#include "profiler/agent/launch_policy.h"

#include <algorithm>
#include <utility>

#include "profiler/agent/clock.h"
#include "profiler/agent/nvtx_ranges.h"

namespace roofwalk::agent {

namespace {

/// A device that has had so many launches, of which some failed and none could be counted, is left alone for
/// a while: a few that fail say nothing of others.
constexpr std::uint64_t launches_before_a_rest = 100;

/// Each costs as much as another plan, and programs make the same graph executable again and again.
constexpr std::uint32_t most_instantiations = 5;

std::string sentence_for_rest(std::uint32_t device) {
    return "No launch could be counted on device " + std::to_string(device) +
           " so far: counters are tried again there after a second, then more and more rarely.";
}

SampleKey sample_key_of(const KernelCall& kernel) {
    return {kernel.name, kernel.grid, kernel.block, kernel.dynamic_shared};
}

bool has_all_of(const CounterSet& set, const CounterSet& other) {
    return std::ranges::all_of(other.metrics, [&](const std::string& metric) {
        return std::ranges::find(set.metrics, metric) != set.metrics.end();
    });
}

/// Of the launches of one that runs these kernels.
SampleKey sample_key_of_graph(const std::vector<ObservedLaunch::Kernel>& kernels) {
    SampleKey shape{"graph", {}, {}, 0};
    for (const auto& kernel : kernels) {
        const auto& [name, grid, block, shared, sizes] = sample_key_of(kernel.call);
        shape.name += ' ' + name + sizes;
        for (const std::uint32_t number : {grid.x, grid.y, grid.z, block.x, block.y, block.z, shared})
            shape.name += '/' + std::to_string(number);
    }
    return shape;
}

std::string_view why_not_counted(const GraphKernels& graph) {
    return graph.has_attributes
               ? "A graph has kernels in clusters or with other launch attributes, which fail where CUPTI counts "
                 "them: its kernels are listed."
               : "CUPTI counts no kernels of a graph that was instantiated while nothing was counted: they are "
                 "listed.";
}

}  // namespace

bool is_timing(PolicyState state) {
    return state == PolicyState::timing || state == PolicyState::timing_until_plans ||
           state == PolicyState::timing_until_free || state == PolicyState::timing_until_device;
}

bool is_recording(PolicyState state) {
    return state == PolicyState::counting || state == PolicyState::resuming || is_timing(state);
}

CounterSet::CounterSet(const wire::CounterPlan& from)
    : plan(from.plan),
      table(from.table),
      passes(from.passes),
      metrics(from.metrics.begin(), from.metrics.end()),
      config(from.config.begin(), from.config.end()) {}

void LaunchPolicy::suspend(const wire::Orders& orders) {
    if (is_over()) return;
    if (!orders.armed)
        state_ = PolicyState::paused;
    else if (is_recording())
        state_ = PolicyState::resuming;
}

void LaunchPolicy::follow(const wire::Orders& orders) {
    if (is_over()) return;
    sampling_ = {.work = orders.work,
                 .tensor = orders.tensor,
                 .memory_first = orders.memory_first,
                 .memory_every = orders.memory_every,
                 .replay = orders.replay};
    filter_.emplace(orders);
    held_ = {};
    sizes_.clear();
    for (auto& [number, device] : devices_) {
        make_sampler(device);
        device.denied = device.has_counted = device.has_failed = false;
        device.retries = {};
    }
    if (!orders.armed)
        state_ = PolicyState::paused;
    else
        state_ = orders.counters ? PolicyState::counting : PolicyState::timing;
}

void LaunchPolicy::forget_orders() {
    if (!is_over()) state_ = PolicyState::unordered;
}

void LaunchPolicy::collector_lost() {
    forget_orders();
    held_ = {};
    timed_meanwhile_ = 0;
    counts = {};
    for (auto& [number, device] : devices_) {
        device.sets.clear();
        device.planned = false;
        device.sampler.reset();
    }
}

bool LaunchPolicy::Device::fails_from_the_start() const {
    return has_failed && !has_counted && sampler && sampler->seen() >= launches_before_a_rest;
}

void LaunchPolicy::Device::rest(std::uint64_t now_ns) {
    denied = true;
    retries.refused(now_ns);
}

void LaunchPolicy::make_sampler(Device& device) const {
    std::vector<char> letters;
    SamplingPolicy sampling = sampling_;
    for (const auto& [letter, set] : device.sets) {
        letters.push_back(letter);
        if (letter == tensor_plan) sampling.tensor_unasked = set->passes == 1;
    }
    const auto tensor = device.sets.find(tensor_plan);
    const auto replay = device.sets.find(replay_plan);
    sampling.replay_has_tensor = tensor != device.sets.end() && replay != device.sets.end() &&
                                 has_all_of(*replay->second, *tensor->second);
    device.sampler.emplace(sampling, std::move(letters));
}

void LaunchPolicy::add_plan(std::uint32_t device, std::shared_ptr<const CounterSet> set) {
    auto& sets = devices_[device].sets;
    sets[set->plan] = std::move(set);
}

void LaunchPolicy::plans_complete(std::uint32_t device) {
    devices_[device].planned = true;
    make_sampler(devices_[device]);
}

void LaunchPolicy::want(const wire::WantPlan& wish) {
    const auto device = devices_.find(wish.device);
    if (device == devices_.end() || !device->second.sampler) return;
    const SampleKey shape{std::string(wish.name), wish.grid, wish.block, wish.dynamic_shared};
    const auto graph = graph_of_kernel_.find(shape);
    if (graph != graph_of_kernel_.end()) device->second.sampler->want(graph->second, wish.plan);
    device->second.sampler->want(shape, wish.plan);
    const auto sizes = sizes_.find(shape);
    if (sizes == sizes_.end()) return;
    for (const std::string& each : sizes->second) {
        SampleKey of_sizes = shape;
        of_sizes.sizes = each;
        device->second.sampler->want(of_sizes, wish.plan);
    }
}

bool LaunchPolicy::time_until_plans() {
    if (state_ != PolicyState::counting || !lacks_all_plans()) return false;
    state_ = PolicyState::timing_until_plans;
    return true;
}

bool LaunchPolicy::stop_counting(PolicyState to) {
    if (state_ != PolicyState::counting) return false;
    state_ = to;
    return true;
}

bool LaunchPolicy::begin_resuming() {
    if (!is_timing(state_) || state_ == PolicyState::timing) return false;
    state_ = PolicyState::resuming;
    return true;
}

void LaunchPolicy::resume_counting() {
    if (state_ == PolicyState::resuming) state_ = PolicyState::counting;
}

void LaunchPolicy::break_down() {
    if (state_ != PolicyState::ending) state_ = PolicyState::broken;
}

void LaunchPolicy::end() {
    state_ = PolicyState::ending;
}

std::optional<std::uint32_t> LaunchPolicy::device_of(void* context) const {
    const auto known = contexts_.find(context);
    if (known == contexts_.end()) return std::nullopt;
    return known->second.device;
}

void LaunchPolicy::add_context(void* context, std::uint32_t id, std::uint32_t device) {
    contexts_[context] = {id, device};
}

void LaunchPolicy::add_device(std::uint32_t number, bool has_counters) {
    Device& device = devices_[number];
    device.has_counters = has_counters;
    make_sampler(device);
}

void LaunchPolicy::all_devices_reported(std::uint64_t now_ns) {
    for (auto& [number, device] : devices_)
        device.reported_ns = now_ns;
}

bool LaunchPolicy::may_count(std::uint32_t device) const {
    const auto known = devices_.find(device);
    return known != devices_.end() && known->second.may_count();
}

bool LaunchPolicy::any_may_count() const {
    return std::any_of(devices_.begin(), devices_.end(),
                       [](const auto& known) { return known.second.may_count(); });
}

bool LaunchPolicy::lacks_plans(std::uint32_t device) const {
    const auto known = devices_.find(device);
    return known != devices_.end() && known->second.lacks_plans();
}

bool LaunchPolicy::lacks_plans_for_long(std::uint64_t now_ns) const {
    return std::any_of(devices_.begin(), devices_.end(), [&](const auto& device) {
        return device.second.lacks_plans() &&
               std::chrono::nanoseconds(now_ns - device.second.reported_ns) > plans_timeout;
    });
}

/// Counters and times are not taken at once: where some devices are planned, the launches on others are only
/// listed.
bool LaunchPolicy::lacks_all_plans() const {
    bool lacks = false;
    for (const auto& [number, device] : devices_) {
        if (device.has_counters && device.planned) return false;
        lacks = lacks || device.lacks_plans();
    }
    return lacks;
}

ObservedLaunch LaunchPolicy::decide(const LaunchCall& call, bool times_work,
                                    std::vector<std::string>& warnings) {
    ObservedLaunch launch;
    launch.id = counts.seen;
    if (call.graph_exec != nullptr)
        decide_graph(launch, call, times_work, warnings);
    else
        decide_kernel(launch, call, warnings);
    return launch;
}

void LaunchPolicy::pass_over() {
    ++counts.seen;
    if (is_recording()) ++counts.sampled_out;
}

/// Started ranges may have been started by any thread, and need not be nested: a launch stands in those that
/// were asked for, outside of what its own thread has pushed.
bool LaunchPolicy::is_inside(ObservedLaunch& launch, std::vector<std::string>& warnings) const {
    const std::vector<std::string>& pushed = current_ranges();
    bool inside = filter_->is_everywhere();
    if (!inside) {
        for (const std::string& range : started_ranges())
            if (filter_->counts_inside(range))
                launch.nvtx.push_back(range + std::string(wire::started_range));
        if (started_ranges_overflowed())
            warnings.push_back("More than " + std::to_string(most_started_ranges) +
                               " NVTX ranges were started and not ended: later ones are not known, and "
                               "launches inside of them may be missing.");
        inside = !launch.nvtx.empty() || std::any_of(pushed.begin(), pushed.end(), [&](const auto& range) {
            return filter_->counts_inside(range);
        });
    }
    if (inside) launch.nvtx.insert(launch.nvtx.end(), pushed.begin(), pushed.end());
    return inside;
}

void LaunchPolicy::decide_kernel(ObservedLaunch& launch, const LaunchCall& call,
                                 std::vector<std::string>& warnings) {
    ++counts.seen;
    if (!is_recording() || !filter_) return;
    if (!filter_->wants(call.kernel.name) || !is_inside(launch, warnings) || !filter_->take()) {
        ++counts.filtered;
        return;
    }
    launch.kernels.push_back({launch.id, call.kernel, nullptr, true});
    choose_action(launch, call, sample_key_of(call.kernel), true, warnings);
}

/// Where the range is an operator of PyTorch with the sizes of its inputs, launches of other sizes do other
/// work, also in one geometry. Sizes that change with every call are not told apart for ever.
void LaunchPolicy::add_sizes(SampleKey& shape, std::string_view range) {
    constexpr std::string_view before = ", sizes = [";
    constexpr std::size_t most_sizes = 16;
    const std::size_t begin = range.find(before);
    if (begin == std::string_view::npos) return;
    std::string sizes(range.substr(begin, range.find(", input_op_ids", begin) - begin));
    std::set<std::string>& known = sizes_[shape];
    if (known.size() < most_sizes) known.insert(sizes);
    if (known.contains(sizes)) shape.sizes = std::move(sizes);
}

void LaunchPolicy::decide_graph(ObservedLaunch& launch, const LaunchCall& call, bool times_work,
                                std::vector<std::string>& warnings) {
    const GraphKernels graph = graphs_.kernels_of(call.graph_exec);
    const std::uint64_t kernels = std::max<std::size_t>(graph.nodes.size(), 1);
    counts.seen += kernels;
    if (!is_recording() || !filter_) return;
    const bool by_time = is_timing(state_) && times_work;
    if (!is_inside(launch, warnings)) {
        counts.filtered += kernels;
        return;
    }
    if (!graph.whole && !by_time) {
        ++counts.sampled_out;
        warnings.emplace_back("The kernels of a graph are not known, so that its launches are not recorded.");
        return;
    }
    const bool reports_ahead = graph.whole && graph.in_order;
    bool runs_alone = true;
    bool any = by_time;
    std::uint64_t id = launch.id;
    for (const auto& node : graph.nodes) {
        runs_alone = runs_alone && !filter_->leaves_alone(node.kernel.name);
        // Launches that are timed are filtered as CUPTI tells of their kernels; until then only those that
        // will pass are reported.
        const bool wanted = filter_->wants(node.kernel.name) &&
                            (by_time ? reports_ahead && filter_->takes_all() : filter_->take());
        if (!wanted && !by_time) ++counts.filtered;
        any = any || wanted;
        launch.kernels.push_back({id++, node.kernel, node.node, wanted});
    }
    if (!any) return;
    if (!graph.in_order && !by_time)
        warnings.emplace_back(
            "A graph has branches: which of its kernels got which counters follows the order in which they "
            "were made, and may be wrong.");
    SampleKey shape = sample_key_of_graph(launch.kernels);
    for (const auto& kernel : launch.kernels)
        graph_of_kernel_.try_emplace(sample_key_of(kernel.call), shape);
    if (!by_time && (graph.has_attributes || !graph.can_be_counted || !counts_graphs_))
        warnings.push_back(std::string(counts_graphs_
                                           ? why_not_counted(graph)
                                           : "CUPTI could not count the kernels of a graph, and is "
                                             "not asked to again: those of all graphs are listed.") +
                           " --timing gives their times.");
    const bool may_be_counted = graph.can_be_counted && counts_graphs_ && !graph.has_attributes;
    choose_action(launch, call, std::move(shape), runs_alone && (may_be_counted || by_time), warnings);
}

std::optional<ObservedLaunch> LaunchPolicy::decide_instantiation(void* context, void* graph, bool replays) {
    const auto known = contexts_.find(context);
    if (state_ != PolicyState::counting || !filter_ || !counts_graphs_ || known == contexts_.end())
        return std::nullopt;
    const std::uint32_t number = known->second.device;
    if (!may_count(number)) return std::nullopt;
    const GraphKernels kernels = graphs_.kernels_in(graph);
    bool wanted = false;
    ObservedLaunch launch;
    for (const auto& node : kernels.nodes) {
        if (filter_->leaves_alone(node.kernel.name)) return std::nullopt;
        wanted = wanted || filter_->wants(node.kernel.name);
        launch.kernels.push_back({0, node.kernel, node.node, true});
    }
    if (!kernels.whole || kernels.has_attributes || !wanted) return std::nullopt;
    const auto& sets = devices_[number].sets;
    auto set = sets.find(replay_plan);
    if (set == sets.end() || !replays) set = sets.find(memory_plan);
    if (set == sets.end() || instantiated_[sample_key_of_graph(launch.kernels)]++ >= most_instantiations)
        return std::nullopt;
    launch.device = number;
    launch.set = set->second;
    return launch;
}

void LaunchPolicy::choose_action(ObservedLaunch& launch, const LaunchCall& call, SampleKey shape,
                                 bool runs_alone, std::vector<std::string>& warnings) {
    using Action = ObservedLaunch::Action;
    launch.start_ns = now_ns();
    launch.action = Action::list;
    const auto context = contexts_.find(call.context);
    if (context == contexts_.end()) return;
    launch.device = context->second.device;
    launch.context_id = context->second.id;
    if (is_timing(state_)) {
        launch.action = Action::time;
        return;
    }
    const auto found = devices_.find(launch.device);
    if (state_ != PolicyState::counting || !runs_alone || found == devices_.end()) return;
    Device& device = found->second;
    if (device.may_count() && device.fails_from_the_start()) {
        device.rest(steady_ns());
        warnings.push_back(sentence_for_rest(launch.device));
    }
    if (!device.may_count()) {
        if (!any_may_count())
            launch.action = Action::stop_counting;
        else
            warnings.push_back("Device " + std::to_string(launch.device) +
                               " gives no counters, and times cannot be taken while other devices are "
                               "counted: its kernels are only listed.");
        return;
    }
    if (!device.planned) return;
    launch.shape = std::move(shape);
    if (call.graph_exec == nullptr && !launch.nvtx.empty()) add_sizes(launch.shape, launch.nvtx.back());
    const auto plan = device.sampler->choose(launch.shape);
    const auto set = plan ? device.sets.find(*plan) : device.sets.end();
    if (set != device.sets.end()) {
        launch.set = set->second;
        launch.action = Action::count;
    }
}

bool LaunchPolicy::takes_timed(std::string_view kernel, bool of_graph) {
    if (!filter_) return false;
    const bool taken = !of_graph || (filter_->wants(kernel) && filter_->take());
    ++(taken ? counts.recorded : counts.filtered);
    return taken;
}

/// Null when the collector has gone meanwhile.
LaunchSampler* LaunchPolicy::sampler_of(const ObservedLaunch& launch) {
    auto& sampler = devices_[launch.device].sampler;
    return sampler ? &*sampler : nullptr;
}

bool LaunchPolicy::is_awaited(const ObservedLaunch& launch) const {
    const auto& sets = devices_.at(launch.device).sets;
    const auto set = sets.find(launch.set->plan);
    return set != sets.end() && set->second == launch.set;
}

void LaunchPolicy::counted(const ObservedLaunch& launch, std::uint64_t took_ns) {
    if (LaunchSampler* const sampler = sampler_of(launch))
        sampler->measured(launch.shape, launch.set->plan, took_ns / launch.kernels.size());
}

bool LaunchPolicy::not_counted(const ObservedLaunch& launch) {
    devices_[launch.device].has_failed = true;
    LaunchSampler* const sampler = sampler_of(launch);
    return sampler != nullptr && sampler->failed(launch.shape, launch.set->plan);
}

bool LaunchPolicy::replays_little(const ObservedLaunch& launch) {
    if (sampling_.replay == wire::Replay::always) return false;
    if (launch.set->plan == replay_plan) return true;
    LaunchSampler* const sampler = sampler_of(launch);
    return launch.set->plan == tensor_plan && launch.set->passes > 1 && sampler != nullptr &&
           !sampler->is_asked(launch.shape);
}

bool LaunchPolicy::without_replay(ObservedLaunch& launch) {
    LaunchSampler* const sampler = sampler_of(launch);
    if (sampler == nullptr) return false;
    sampler->without_replay(launch.shape);
    const auto& sets = devices_[launch.device].sets;
    const auto memory = sets.find(memory_plan);
    if (memory == sets.end()) return false;
    launch.set = memory->second;
    return true;
}

void LaunchPolicy::not_tried(const ObservedLaunch& launch) {
    if (LaunchSampler* const sampler = sampler_of(launch)) sampler->not_tried(launch.shape, launch.set->plan);
}

void LaunchPolicy::refused(const ObservedLaunch& launch, std::uint64_t now_ns) {
    if (sampler_of(launch) != nullptr) held_.refused(now_ns);
    not_tried(launch);
}

bool LaunchPolicy::failed_again(const ObservedLaunch& launch, std::uint64_t now_ns) {
    Device& device = devices_[launch.device];
    if (!device.retries.is_waiting()) return false;
    device.rest(now_ns);
    return true;
}

bool LaunchPolicy::cupti_worked(const ObservedLaunch& launch) {
    Device& device = devices_[launch.device];
    device.has_counted = true;
    const bool were_held = std::exchange(held_, {}).is_waiting();
    return std::exchange(device.retries, {}).is_waiting() || were_held;
}

bool LaunchPolicy::tries_again(std::uint64_t now_ns) {
    bool any = false;
    for (auto& [number, device] : devices_) {
        if (!device.retries.take_turn(now_ns)) continue;
        any = true;
        device.denied = false;
        make_sampler(device);  // which has given up kernels, and measured none
    }
    if (state_ == PolicyState::timing_until_device) return any;
    return state_ == PolicyState::timing_until_free && held_.take_turn(now_ns);
}

void LaunchPolicy::timed() {
    if (is_timing(state_) && state_ != PolicyState::timing) ++timed_meanwhile_;
}

std::uint64_t LaunchPolicy::take_timed_meanwhile() {
    return std::exchange(timed_meanwhile_, 0);
}

}  // namespace roofwalk::agent

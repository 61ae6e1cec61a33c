// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include "profiler/agent/controller_step.h"

namespace roofwalk::agent {

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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/import/fake_ncu_metrics.h"

namespace roofwalk::test {

namespace {

const std::map<std::string, double, std::less<>> no_instances;

std::optional<double> look_up(const std::map<std::string, double, std::less<>>& numbers,
                              std::string_view name) {
    const auto found = numbers.find(name);
    return found == numbers.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

NcuMetrics FakeNcuMetrics::metrics() const {
    NcuMetrics metrics;
    metrics.value = [this](std::string_view name) { return look_up(values, name); };
    metrics.instance_sum = [this](std::string_view name) { return look_up(instance_sums, name); };
    if (opcodes)
        metrics.opcode_count = [this](std::string_view name) -> std::optional<double> {
            return look_up(*opcodes, name).value_or(0);
        };
    metrics.for_each_instance = [this](std::string_view metric, const auto& visit) {
        const bool forms = metric.ends_with("_with_modifier_all");
        const bool threads = metric.starts_with("sass__thread_inst_executed_true_per_opcode");
        for (const auto& [name, count] :
             threads ? (forms ? thread_forms : thread_opcodes) : (forms ? opcode_forms : no_instances))
            visit(name, count);
    };
    metrics.for_each = [this](const auto& visit) {
        for (const auto& [name, number] : values)
            visit(name, number);
    };
    metrics.charts = charts;
    return metrics;
}

std::optional<double> AppliedLaunch::work(Pipe pipe) const {
    const WorkSample* sample = launch.find(pipe);
    return sample ? std::optional(sample->work.value()) : std::nullopt;
}

std::optional<double> AppliedLaunch::bytes(Boundary boundary) const {
    const TrafficSample* sample = launch.find(boundary);
    return sample ? std::optional(sample->total.value()) : std::nullopt;
}

std::optional<double> AppliedLaunch::ceiling(Pipe pipe) const {
    const ComputeCeiling* found = launch.ceilings ? launch.ceilings->find(pipe) : nullptr;
    return found ? std::optional(found->rate.value()) : std::nullopt;
}

std::optional<double> AppliedLaunch::ceiling(Boundary boundary) const {
    const BandwidthCeiling* found = launch.ceilings ? launch.ceilings->find(boundary) : nullptr;
    return found ? std::optional(found->rate.value()) : std::nullopt;
}

std::string AppliedLaunch::source(Boundary boundary) const {
    const TrafficSample* sample = launch.find(boundary);
    return sample ? std::string(profile.texts.view(sample->source)) : std::string();
}

std::string AppliedLaunch::source(Pipe pipe) const {
    const WorkSample* sample = launch.find(pipe);
    return sample ? std::string(profile.texts.view(sample->source)) : std::string();
}

AppliedLaunch apply(const NcuMetrics& metrics, const Device& device) {
    AppliedLaunch applied;
    applied.profile.devices.push_back(device);
    apply_ncu_metrics(metrics, applied.profile.devices.front(), LaunchIndex{0}, applied.launch,
                      applied.profile);
    return applied;
}

AppliedLaunch apply(const FakeNcuMetrics& metrics, const Device& device) {
    return apply(metrics.metrics(), device);
}

Device device_of(int major, int minor, int sm_count) {
    Device device;
    device.compute_capability = ComputeCapability{major, minor};
    device.sm_count = sm_count;
    return device;
}

}  // namespace roofwalk::test

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/ncu_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/import/ncu/ncu_ceilings.h"
#include "core/import/ncu/ncu_contradictions.h"
#include "core/import/ncu/ncu_evidence.h"
#include "core/import/ncu/ncu_shared_memory.h"
#include "core/import/ncu/ncu_tensor_work.h"
#include "core/import/ncu/ncu_traffic.h"
#include "core/import/ncu/ncu_work.h"

namespace roofwalk {

namespace {

void keep(const NcuWork& work, Launch& launch, StringPool& texts) {
    launch.work.push_back({work.pipe, work.origin, texts.intern(work.source), work.work});
}

void keep(const NcuTraffic& traffic, Launch& launch, StringPool& texts) {
    launch.traffic.push_back({traffic.boundary, traffic.origin, texts.intern(traffic.source), traffic.total,
                              traffic.read, traffic.write});
}

/// Launches that ran with the same clocks share one set.
std::shared_ptr<const CeilingSet> shared_set(CeilingSet ceilings, const Profile& profile) {
    if (ceilings.empty()) return nullptr;
    if (!profile.launches.empty()) {
        const auto& last = profile.launches.back().ceilings;
        if (last && *last == ceilings) return last;
    }
    return std::make_shared<const CeilingSet>(std::move(ceilings));
}

template <class Ceiling, class Key>
void add_missing(std::vector<Ceiling>& known, std::vector<Ceiling> more, Key key) {
    for (Ceiling& ceiling : more)
        if (std::ranges::none_of(known, [&](const Ceiling& entry) {
                return entry.*key == ceiling.*key && entry.provenance.source == ceiling.provenance.source;
            }))
            known.push_back(std::move(ceiling));
}

void keep_on_device(const CeilingSet& measured, Device& device) {
    CeilingSet boosted = at_boost_clock(measured, device);
    add_missing(device.ceilings.compute, std::move(boosted.compute), &ComputeCeiling::pipe);
    add_missing(device.ceilings.bandwidth, std::move(boosted.bandwidth), &BandwidthCeiling::boundary);
}

}  // namespace

void apply_ncu_metrics(const NcuMetrics& metrics, const Device& device, LaunchIndex index, Launch& launch,
                       Profile& profile) {
    const NcuValues values(metrics, device);
    // What cannot be is refused, and said, where all readers meet.
    launch.duration = values.impossible_duration();
    if (const auto& duration = values.duration()) {
        launch.duration = Seconds(duration->value);
        launch.duration_source = profile.texts.intern(duration->formula);
    }
    if (values.derives_duration()) launch.duration_origin = TimeOrigin::derived;

    const std::vector<TensorPath> paths = tensor_paths(values);
    const std::vector<NcuWork> vector_work = vector_pipe_work(values);
    const NcuTensorWork tensor = tensor_work(values, paths);
    for (const auto* list : {&vector_work, &tensor.work})
        for (const NcuWork& work : *list)
            keep(work, launch, profile.texts);
    launch.uncounted = uncounted_vector_work(values, launch.work);
    launch.uncounted.tensor = tensor.unknown;

    if (const auto hbm = hbm_traffic(values)) keep(*hbm, launch, profile.texts);
    for (const NcuTraffic& traffic : cache_traffic(values))
        keep(traffic, launch, profile.texts);
    for (const NcuTraffic& traffic : shared_memory_traffic(values))
        keep(traffic, launch, profile.texts);
    keep_evidence(values, launch, profile);

    for (Error& message : contradictions(values, tensor, launch.uncounted)) {
        message.where = fmt::format("kernel {}", static_cast<std::size_t>(index));
        profile.warnings.push_back({std::move(message), {index}});
    }

    CeilingSet measured = measured_ceilings(values, paths, tensor.work);
    const auto device_slot = static_cast<std::size_t>(launch.device);
    if (device_slot < profile.devices.size()) keep_on_device(measured, profile.devices[device_slot]);
    launch.ceilings = shared_set(std::move(measured), profile);
}

void add_ncu_launch(const NcuMetrics& metrics, Launch launch, Profile& profile) {
    const auto index = static_cast<LaunchIndex>(profile.launches.size());
    if (!launch.failed) apply_ncu_metrics(metrics, profile.device_of(launch), index, launch, profile);
    profile.launches.push_back(std::move(launch));
}

void warn_of_failed_launches(Profile& profile) {
    constexpr std::size_t most_warnings = 20;
    std::vector<LaunchIndex> failed;
    for (std::size_t i = 0; i < profile.launches.size(); ++i)
        if (profile.launches[i].failed) failed.push_back(static_cast<LaunchIndex>(i));
    const bool many = failed.size() > most_warnings;
    for (const LaunchIndex launch : failed) {
        const std::string what =
            many ? fmt::format("The profiler could not measure {} kernels, this one first", failed.size())
                 : "The profiler could not measure this kernel";
        profile.warnings.push_back({{ErrorCode::failed_kernel, what,
                                     fmt::format("kernel {}, {}", static_cast<std::size_t>(launch),
                                                 profile.kernel_of(profile.at(launch)).name),
                                     "Profile it again; ncu prints the reason while it runs."},
                                    many ? failed : std::vector{launch}});
        if (many) return;
    }
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "core/advice/guide.h"
#include "core/advice/rule.h"
#include "core/operations/op_binding.h"
#include "core/roofline/missing.h"
#include "tests/core/roofline/profiles.h"

/// Kernels at known places, and metrics beside them.
namespace roofwalk::test {

inline constexpr Boundary hbm = Boundary::hbm_dram_rw;
inline constexpr Boundary l2 = Boundary::l2_sm_sectors;
inline constexpr Boundary smem = Boundary::smem_wavefronts;

using Metrics = std::vector<std::pair<std::string_view, double>>;

/// 10 TFLOP/s under 1 TB/s: the HBM ridge is at 10 FLOP/byte. L2 holds 40 MB.
inline Device round_machine() {
    Device device =
        machine({compute_ceiling(fp32, 10e12), compute_ceiling(tensor_fp16, 160e12)},
                {bandwidth_ceiling(hbm, 1e12), bandwidth_ceiling(l2, 5e12), bandwidth_ceiling(smem, 20e12)});
    device.l2_size = Bytes(40e6);
    return device;
}

/// One second of work under the roofs of the round machine; shared memory is not used.
inline Launch second_of(double flop, double hbm_bytes, double l2_bytes) {
    return launch(1, {{fp32, flop}}, {{hbm, hbm_bytes}, {l2, l2_bytes}, {smem, 0}});
}

inline Launch at_memory_roof() {
    return second_of(1e11, 0.9e12, 1e12);
}
inline Launch below_memory_roof() {
    return second_of(1e11, 0.65e12, 0.8e12);
}
/// It only waits.
inline Launch far_below_memory_roof() {
    return second_of(1e11, 0.3e12, 0.4e12);
}
inline Launch at_compute_roof() {
    return second_of(9e12, 1e10, 2e10);
}
inline Launch below_compute_roof() {
    return second_of(7e12, 1e10, 2e10);
}
inline Launch below_both_roofs() {
    return second_of(3e12, 0.3e12, 0.4e12);
}

inline void add_metrics(Profile& profile, std::size_t launch, const Metrics& metrics) {
    for (const auto& [name, value] : metrics)
        profile.launches[launch].metrics.push_back({profile.texts.intern(name), value});
}

inline Profile with_metrics(Launch launch, const Metrics& metrics) {
    Profile profile = profile_of(round_machine(), {std::move(launch)});
    add_metrics(profile, 0, metrics);
    return profile;
}

/// Analysed with the operations that the profile states.
inline Analysis analysed(const Profile& profile) {
    AnalysisOptions options;
    options.launch_operations = std::make_shared<const LaunchOperations>(bind_operations(profile, {}));
    return analyse(profile, options);
}

inline KernelAdvice advice_on(const Profile& profile, const AdviceThresholds& limits = {}) {
    const Analysis analysis = analysed(profile);
    return advise(profile, analysis, analysis.points.at(0), limits);
}

/// The guide of a kernel of which no counter was collected: every cause may be there.
inline KernelGuide guide_without_counters(RoofPosition position, const KernelPoint& point) {
    KernelAdvice advice;
    advice.position = position;
    for (const auto rules : {latency_rules(), compute_rules(), traffic_rules(), validity_rules()})
        for (const AdviceRule& rule : rules)
            advice.not_measured.emplace_back().id = rule.id;
    return kernel_guide(advice, point, {});
}

/// "id id": the rules of a list in its order.
inline std::string ids_of(const std::vector<Advice>& list) {
    std::string ids;
    for (const Advice& advice : list)
        ids.append(ids.empty() ? "" : " ").append(advice.id);
    return ids;
}

/// What one rule finds, whatever the position.
inline RuleOutcome look(std::string_view id, const Profile& profile, const AdviceThresholds& limits = {}) {
    const Launch& launch = profile.launches.front();
    const auto count = [](Dim3 size) { return 1.0 * size.x * size.y * size.z; };
    const Analysis analysis = analysed(profile);
    const KernelPoint& point = analysis.points.at(0);
    const auto launches = analysis.grouping.launches_of(analysis.grouping.groups[point.group]);
    const Evidence evidence = EvidenceReader(profile).of(launches);
    for (const auto rules : {latency_rules(), compute_rules(), traffic_rules(), validity_rules()})
        for (const AdviceRule& rule : rules)
            if (rule.id == id)
                return rule.look(
                    {.point = point,
                     .evidence = evidence,
                     .device = device_of(profile, point, analysis),
                     .limits = limits,
                     .hbm = directions_of(profile, launches, Boundary::hbm_dram_rw),
                     .l2 = directions_of(profile, launches, Boundary::l2_sm_sectors),
                     .threads = count(launch.grid) * count(launch.block),
                     .threads_of_block = count(launch.block),
                     .warps = count(launch.grid) * std::ceil(count(launch.block) / threads_of_warp),
                     .full_warps = std::ceil(count(launch.grid) * count(launch.block) / threads_of_warp)});
    throw std::invalid_argument("no such rule");
}

}  // namespace roofwalk::test

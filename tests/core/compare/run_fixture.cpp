// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/compare/run_fixture.h"

#include <algorithm>
#include <map>

namespace roofwalk::test {

namespace {

Provenance at_clock(double clock) {
    Provenance provenance;
    provenance.source = CeilingSource::counters;
    provenance.basis = ClockBasis::measured;
    provenance.clock = Hertz(clock);
    return provenance;
}

std::shared_ptr<const CeilingSet> ceilings_of(const LaunchFacts& facts) {
    if (!facts.sm_clock && !facts.memory_clock) return nullptr;
    CeilingSet set;
    if (facts.sm_clock)
        set.compute.push_back(
            {Pipe{PipeKind::fp32}, FlopRate(14e3 * *facts.sm_clock), at_clock(*facts.sm_clock)});
    if (facts.memory_clock)
        set.bandwidth.push_back(
            {Boundary::hbm_dram_rw, ByteRate(1e3 * *facts.memory_clock), at_clock(*facts.memory_clock)});
    return std::make_shared<const CeilingSet>(std::move(set));
}

}  // namespace

Device test_gpu() {
    Device device;
    device.name = "Test GPU";
    const Provenance typed;
    device.ceilings.compute = {{Pipe{PipeKind::fp32}, FlopRate(20e12), typed},
                               {Pipe{PipeKind::tensor_fp16}, FlopRate(200e12), typed}};
    device.ceilings.bandwidth = {{Boundary::hbm_dram_rw, ByteRate(2e12), typed},
                                 {Boundary::l2_sm_sectors, ByteRate(5e12), typed},
                                 {Boundary::smem_wavefronts, ByteRate(20e12), typed}};
    return device;
}

Run::Run(const std::vector<LaunchFacts>& launches, GroupBy group_by, std::vector<Device> devices) {
    options.group_by = group_by;
    profile.sources.emplace_back();
    profile.devices = std::move(devices);
    std::map<std::string, KernelIndex> kernels;
    for (const LaunchFacts& facts : launches) {
        const auto [kernel, fresh] =
            kernels.try_emplace(facts.name, static_cast<KernelIndex>(profile.kernels.size()));
        if (fresh) profile.kernels.push_back({facts.name, {}, {}});
        Launch launch;
        launch.kernel = kernel->second;
        launch.device = static_cast<DeviceIndex>(facts.device);
        launch.grid = facts.grid;
        launch.block = facts.block;
        if (!facts.nvtx.empty()) {
            const auto known = std::ranges::find(profile.nvtx_stacks, facts.nvtx);
            launch.nvtx = static_cast<NvtxIndex>(known - profile.nvtx_stacks.begin());
            if (known == profile.nvtx_stacks.end()) profile.nvtx_stacks.push_back(facts.nvtx);
        }
        if (facts.time) launch.duration = Seconds(*facts.time);
        if (facts.flops)
            launch.work.push_back(
                {Pipe{PipeKind::fp32}, Origin::measured, TextId::none, Flops(*facts.flops)});
        for (const auto& [boundary, bytes] : facts.bytes)
            launch.traffic.push_back({boundary, Origin::measured, TextId::none, Bytes(bytes), {}, {}});
        launch.ceilings = ceilings_of(facts);
        profile.launches.push_back(std::move(launch));
    }
    analyse_again();
}

void Run::analyse_again() {
    analysis = analyse(profile, options);
}

Comparison compare(const std::vector<const Run*>& runs, const CompareOptions& options) {
    std::vector<AnalysedProfile> views;
    for (const Run* run : runs)
        views.push_back(run->view());
    return compare_runs(views, options);
}

KernelChange change_between(const Run& before, const Run& after, const CompareOptions& options) {
    return kernel_change(before.view(), after.view(), {}, options);
}

}  // namespace roofwalk::test

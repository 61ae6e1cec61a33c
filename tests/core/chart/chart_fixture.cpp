// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/chart/chart_fixture.h"

#include <algorithm>
#include <cmath>

#include "core/devices/measured_roof.h"
#include "core/operations/op_binding.h"

namespace roofwalk::test {

namespace {

Device device() {
    Device device;
    device.name = "Test GPU";
    const Provenance provenance{.source = CeilingSource::user,
                                .basis = ClockBasis::boost,
                                .clock = Hertz(1.41e9),
                                .detail = "set by the test"};
    for (const auto& [boundary, rate] :
         {std::pair{Boundary::hbm_dram_rw, 2e12}, std::pair{Boundary::l2_sm_sectors, 5e12},
          std::pair{Boundary::smem_wavefronts, 20e12}})
        device.ceilings.bandwidth.push_back({boundary, ByteRate(rate), provenance});
    for (const auto& [pipe, rate] :
         {std::pair{fp32, 20e12}, std::pair{fp64, 10e12}, std::pair{tensor, 300e12}})
        device.ceilings.compute.push_back({pipe, FlopRate(rate), provenance});
    return device;
}

}  // namespace

ChartFixture::ChartFixture(const std::vector<KernelFacts>& kernels, AnalysisOptions options) {
    profile.devices.push_back(device());
    profile.sources.emplace_back();
    for (const KernelFacts& facts : kernels) {
        Launch launch;
        launch.kernel = static_cast<KernelIndex>(profile.kernels.size());
        launch.duration = Seconds(facts.time);
        for (const auto& [pipe, work] : facts.work)
            launch.work.push_back({pipe, Origin::measured, TextId::none, Flops(work)});
        for (const auto& [boundary, bytes] : facts.traffic)
            launch.traffic.push_back(
                {boundary, Origin::measured, TextId::none, Bytes(bytes), std::nullopt, std::nullopt});
        launch.algorithm = profile.texts.intern(facts.algorithm);
        profile.kernels.push_back({facts.name, {}, {}});
        profile.launches.push_back(std::move(launch));
    }
    options.launch_operations = std::make_shared<const LaunchOperations>(bind_operations(profile, {}));
    analysis = analyse(profile, options);
}

KernelFacts three_levels() {
    return {"three_levels(float const*, float*)",
            1e-3,
            {{fp32, 1e9}},
            {{Boundary::hbm_dram_rw, 1e9}, {Boundary::l2_sm_sectors, 2e9}, {Boundary::smem_wavefronts, 4e9}}};
}

KernelFacts far_from_algorithm() {
    return {"far_from_algorithm(float*)",
            1e-3,
            {{fp32, 1e9}},
            {{Boundary::hbm_dram_rw, 1e9}, {Boundary::l2_sm_sectors, 1e9}},
            "custom flops=1e9 read=1.5e8 write=1e8"};
}

std::vector<KernelFacts> spread_kernels(std::size_t count) {
    std::vector<KernelFacts> kernels;
    for (std::size_t i = 0; i < count; ++i) {
        const auto at = static_cast<double>(i);
        const double intensity = std::pow(10.0, std::fmod(at * 0.618034, 1.0) * 4 - 2);
        const double below = std::pow(10.0, std::fmod(at * 0.754878, 1.0) * 2);
        const double performance = std::min(2e12 * intensity, 20e12) / below;
        const double time = 1e-3 / (at + 1);
        const double work = performance * time;
        kernels.push_back(
            {"spread::kernel_" + std::to_string(i) + "<float, 128>(float const*, float*, int)",
             time,
             {{fp32, work}},
             {{Boundary::hbm_dram_rw, work / intensity}, {Boundary::l2_sm_sectors, 1.7 * work / intensity}}});
    }
    return kernels;
}

void add_unlike_launch(ChartFixture& fixture) {
    Launch other = fixture.profile.launches.back();
    other.duration = *other.duration * 0.5;
    other.work[0].work = other.work[0].work * 0.25;
    fixture.profile.launches.push_back(std::move(other));
    fixture.analysis = analyse(fixture.profile, fixture.analysis.options);
}

void measure_device(ChartFixture& fixture, double share) {
    Device& device = fixture.profile.devices.front();
    device.compute_capability = ComputeCapability{8, 0};
    device.sm_count = 100;
    device.boost_clock = Hertz(1e9);
    device.memory_clock = Hertz(1e9);
    device.memory_bus_bits = 8000;
    const Provenance measured{.source = CeilingSource::benchmark,
                              .basis = ClockBasis::measured,
                              .clock = Hertz(0.5e9),
                              .detail = "best of 12",
                              .mix = {},
                              .date = "2026-11-22"};
    device.ceilings.bandwidth = {{Boundary::hbm_dram_rw, ByteRate(share * 2e12), measured},
                                 {Boundary::smem_wavefronts, ByteRate(share * 6.4e12), measured}};
    device.ceilings.compute = {{fp32, FlopRate(share * 6.4e12), measured}};
    fixture.analysis = analyse(fixture.profile, fixture.analysis.options);
}

const Roof* roof(const Scene& scene, std::string_view id) {
    const auto found = std::ranges::find(scene.roofs, id, &Roof::id);
    return found == scene.roofs.end() ? nullptr : &*found;
}

MeasuredCeilings swept_device() {
    MeasuredCeilings measured;
    measured.date = "2026-11-22";
    measured.device.device.uuid = "GPU-1";
    const MeasuredRoof roof{ByteRate(1.9e12), FlopRate(19e12), 4, 0};
    for (double intensity = 0.25; intensity < 200; intensity *= 2) {
        SweepPoint point;
        point.intensity = Intensity(intensity);
        point.rate = roof.at(point.intensity);
        point.clock = Hertz(1e9);
        measured.sweep.push_back(point);
    }
    return measured;
}

}  // namespace roofwalk::test

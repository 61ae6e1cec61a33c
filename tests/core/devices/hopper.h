// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/devices/measured_ceilings.h"
#include "core/devices/measured_roof.h"

namespace roofwalk::hopper {

inline constexpr const char* uuid = "GPU-ef5c8d02-6a54-3a5e-9c1d-2d0c3c6f1a77";

inline MeasuredRate rate(std::string id, CeilingTarget target, RateUnit unit, double value,
                         std::string mix = {}) {
    MeasuredRate made;
    made.id = std::move(id);
    made.target = target;
    made.unit = unit;
    made.rate = value;
    made.clock = Hertz(1.755e9);
    made.spread = 0.004;
    made.repetitions = 12;
    made.mix = std::move(mix);
    made.shape = "a shape";
    made.operands = "random normal";
    return made;
}

/// An H100 SXM with invented results.
inline MeasuredCeilings measured() {
    MeasuredCeilings made;
    Device& device = made.device.device;
    device.name = "NVIDIA H100 80GB HBM3";
    device.uuid = uuid;
    device.compute_capability = ComputeCapability{9, 0};
    device.sm_count = 132;
    device.boost_clock = Hertz(1.98e9);
    device.memory_clock = Hertz(2.619e9);
    device.memory_bus_bits = 5120;
    device.memory_size = Bytes(85e9);
    made.device.driver = "580.95.05";
    made.device.power_limit = 700;
    made.device.highest_clock = Hertz(1.98e9);
    made.device.application_clock = Hertz(1.98e9);
    made.benchmark_version = current_benchmarks;
    made.date = "2026-11-22";
    made.complete = true;
    const auto bytes = RateUnit::byte_per_second;
    const auto flop = RateUnit::flop_per_second;
    made.rates = {rate("hbm.read", Boundary::hbm_dram_rw, bytes, 3.2e12, "read"),
                  rate("hbm.copy", Boundary::hbm_dram_rw, bytes, 2.9e12, "1 read : 1 write"),
                  rate("l2.read", Boundary::l2_sm_sectors, bytes, 8.1e12, "read"),
                  rate("l2.read", Boundary::l2_sm_sectors, bytes, 8.6e12, "read"),
                  rate("l2.read", Boundary::l2_sm_sectors, bytes, 4.0e12, "read"),
                  rate("fma.fp32", Pipe{PipeKind::fp32}, flop, 58e12),
                  rate("mma.fp64", Pipe{PipeKind::tensor_fp64}, flop, 60e12),
                  rate("mma.bf16", Pipe{PipeKind::tensor_bf16}, flop, 620e12),
                  rate("wgmma.bf16", Pipe{PipeKind::tensor_bf16}, flop, 880e12)};
    return made;
}

/// The same with a sweep whose knee is round.
inline MeasuredCeilings swept() {
    MeasuredCeilings made = measured();
    const MeasuredRoof roof{ByteRate(3.1e12), FlopRate(57e12), 4, 0};
    for (double intensity = 0.25; intensity < 200; intensity *= 1.5) {
        SweepPoint point;
        point.intensity = Intensity(intensity);
        point.rate = roof.at(point.intensity);
        point.clock = Hertz(1.755e9);
        made.sweep.push_back(point);
    }
    return made;
}

}  // namespace roofwalk::hopper

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/devices/device_ceilings.h"

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/devices/chip.h"
#include "core/roofline/practical.h"

namespace roofwalk {

namespace {

Provenance from_attributes(std::optional<Hertz> clock, std::string formula) {
    return {.source = CeilingSource::attributes,
            .basis = ClockBasis::boost,
            .clock = clock,
            .detail = std::move(formula),
            .mix = {},
            .date = {}};
}

void add_dram(const Device& device, CeilingSet& set) {
    if (!device.memory_clock || !device.memory_bus_bits) return;
    const ByteRate rate(device.memory_clock->value() * *device.memory_bus_bits * 2 / 8);
    set.bandwidth.push_back(
        {Boundary::hbm_dram_rw, rate,
         from_attributes(std::nullopt, fmt::format("memory clock {} * {} bits * 2 / 8",
                                                   format(*device.memory_clock), *device.memory_bus_bits))});
}

void add_l1(const Device& device, CeilingSet& set) {
    const Architecture* architecture = architecture_of(device.compute_capability);
    if (architecture == nullptr || architecture->l1_bytes == 0) return;
    const double stage_bytes = architecture->l1_bytes;
    for (const Boundary boundary : all_boundaries) {
        if (!is_in_sm(level_of(boundary))) continue;
        set.bandwidth.push_back(
            {boundary, ByteRate(*device.sm_count * device.boost_clock->value() * stage_bytes),
             from_attributes(device.boost_clock,
                             fmt::format("{} SMs * {} B a cycle", *device.sm_count, stage_bytes))});
    }
}

}  // namespace

CeilingSet ceilings_from_attributes(const Device& device) {
    CeilingSet set;
    add_dram(device, set);
    if (!device.sm_count || !device.boost_clock) return set;
    for (const PipeRate& rate : pipe_rates(device))
        set.compute.push_back(
            {rate.pipe, FlopRate(*device.sm_count * device.boost_clock->value() * rate.per_cycle),
             from_attributes(device.boost_clock,
                             fmt::format("{} SMs * {} {} a cycle, {}", *device.sm_count, rate.per_cycle,
                                         counts_integers(rate.pipe) ? "OP" : "FLOP",
                                         rate.pipe.sparse ? "2:4 sparse" : "dense"))});
    add_l1(device, set);
    return set;
}

CeilingSet practical_ceilings(const CeilingSet& ceilings, PracticalFactors factors) {
    CeilingSet practical = ceilings;
    const auto scale = [](auto& ceiling, double factor) {
        const double share = practical_share(ceiling.provenance, factor);
        if (share == 1) return;
        ceiling.rate = ceiling.rate * share;
        std::string& detail = ceiling.provenance.detail;
        detail = fmt::format("{} of {}", format_percent(share), detail.empty() ? "the ceiling" : detail);
    };
    for (ComputeCeiling& ceiling : practical.compute)
        scale(ceiling, factors.compute);
    for (BandwidthCeiling& ceiling : practical.bandwidth)
        scale(ceiling, factors.bandwidth);
    return practical;
}

}  // namespace roofwalk

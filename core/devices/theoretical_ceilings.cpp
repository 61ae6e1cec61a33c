// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/devices/theoretical_ceilings.h"

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/devices/chip.h"
#include "core/devices/device_ceilings.h"

namespace roofwalk {

namespace {

void add_l2(const Device& device, CeilingSet& set) {
    const auto bytes = l2_bytes_per_cycle(device);
    if (!bytes || !device.boost_clock) return;
    const double own = architecture_of(device.compute_capability)->l2.clock;
    const Hertz clock = own > 0 ? Hertz(own) : *device.boost_clock;
    const std::string taken =
        own > 0 ? fmt::format("at {}, the highest clock that counters show of it", format(clock))
                : "its clock taken for that of the SMs";
    add_l2_ceilings(device, clock * Bytes(*bytes),
                    {.source = CeilingSource::attributes,
                     .basis = ClockBasis::boost,
                     .clock = own > 0 ? std::nullopt : device.boost_clock,
                     .detail = fmt::format("{:g} B a cycle of all slices of L2, {}", *bytes, taken)},
                    set);
}

/// Theory goes with the clock of the SMs as far as one entered it.
template <class Ceiling>
Ceiling at_clock_of(const Provenance& drawn, Ceiling theory) {
    Provenance& provenance = theory.provenance;
    if (!drawn.clock || !provenance.clock || *drawn.clock == *provenance.clock) return theory;
    theory.rate = theory.rate * (*drawn.clock / *provenance.clock);
    provenance.detail +=
        fmt::format("{}scaled from {}", provenance.detail.empty() ? "" : ", ", format(*provenance.clock));
    provenance.clock = drawn.clock;
    provenance.basis = drawn.basis;
    return theory;
}

}  // namespace

CeilingSet theory_from_attributes(const Device& device) {
    CeilingSet set = ceilings_from_attributes(device);
    add_l2(device, set);
    return set;
}

CeilingSet theoretical_ceilings(const Device& device) {
    Device unmeasured = device;
    const auto says_no_theory = [](const auto& ceiling) {
        return ceiling.provenance.is_benchmarked() || ceiling.provenance.source == CeilingSource::user;
    };
    std::erase_if(unmeasured.ceilings.compute, says_no_theory);
    std::erase_if(unmeasured.ceilings.bandwidth, says_no_theory);
    add_l2(device, unmeasured.ceilings);  // after peaks of counters, before the table
    return resolve_ceilings(unmeasured, nullptr, ClockBasis::boost, {});
}

CeilingSet theory_beside(const CeilingSet& drawn, const Device& device, ClockBasis basis) {
    const CeilingSet theory = theoretical_ceilings(device);
    const bool boost = basis == ClockBasis::boost;
    CeilingSet beside;
    for (const ComputeCeiling& ceiling : drawn.compute)
        if (const ComputeCeiling* known = theory.find(ceiling.pipe);
            known != nullptr && ceiling.provenance.is_benchmarked())
            beside.compute.push_back(boost ? *known : at_clock_of(ceiling.provenance, *known));
    for (const BandwidthCeiling& ceiling : drawn.bandwidth)
        if (const BandwidthCeiling* known = theory.find(ceiling.boundary);
            known != nullptr && ceiling.provenance.is_benchmarked()) {
            const bool own_clock =
                boost || memory_levels[level_of(ceiling.boundary)].clock == LevelClock::memory;
            beside.bandwidth.push_back(own_clock ? *known : at_clock_of(ceiling.provenance, *known));
        }
    return beside;
}

}  // namespace roofwalk

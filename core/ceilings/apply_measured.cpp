// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ceilings/apply_measured.h"

#include "core/roofline/device_model.h"

namespace roofwalk {

namespace {

bool benchmarked(const Provenance& provenance) {
    return provenance.source == CeilingSource::benchmark;
}

/// Ours go first, and what a file says of earlier benchmarks goes.
void put_first(const CeilingSet& measured, CeilingSet& ceilings) {
    std::erase_if(ceilings.compute, [](const auto& ceiling) { return benchmarked(ceiling.provenance); });
    std::erase_if(ceilings.bandwidth, [](const auto& ceiling) { return benchmarked(ceiling.provenance); });
    ceilings.compute.insert(ceilings.compute.begin(), measured.compute.begin(), measured.compute.end());
    ceilings.bandwidth.insert(ceilings.bandwidth.begin(), measured.bandwidth.begin(),
                              measured.bandwidth.end());
}

template <class Fits>
std::size_t apply(Profile& profile, const MeasuredCeilings& measured, Fits fits) {
    const CeilingSet set = ceilings_from(measured);
    if (set.empty()) return 0;
    std::size_t devices = 0;
    for (Device& device : profile.devices) {
        if (!fits(device)) continue;
        put_first(set, device.ceilings);
        ++devices;
    }
    return devices;
}

}  // namespace

std::size_t add_measured(Profile& profile, std::span<const MeasuredCeilings> measured) {
    std::size_t devices = 0;
    for (const MeasuredCeilings& each : measured)
        devices += apply(profile, each, [&](const Device& device) {
            return !device.uuid.empty() && device.uuid == each.device.device.uuid;
        });
    return devices;
}

std::size_t add_measured_on_request(Profile& profile, const MeasuredCeilings& measured) {
    const Device& board = measured.device.device;
    return apply(profile, measured, [&](const Device& device) {
        if (!device.uuid.empty()) return device.uuid == board.uuid;
        return may_be_one_model(device, board);
    });
}

}  // namespace roofwalk

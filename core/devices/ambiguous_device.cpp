// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/devices/ambiguous_device.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/devices/device_ceilings.h"

namespace roofwalk {

namespace {

const BandwidthCeiling* memory_roof(const CeilingSet& ceilings) {
    return ceilings.find(Boundary::hbm_dram_rw);
}

/// The entries that the roofs of a device may be of, the one that is taken first; none where it does not
/// matter.
MeantDevices entries_in_doubt(const Device& device) {
    const CeilingSet roofs = resolve_ceilings(device, nullptr, ClockBasis::boost, {});
    const BandwidthCeiling* memory = memory_roof(roofs);
    if (!memory || memory->provenance.source != CeilingSource::table) return {};
    MeantDevices meant{devices_that_fit(device), true, false};
    const auto differs = [&](const Device* other) {
        const BandwidthCeiling* there = memory_roof(other->ceilings);
        return there && there->rate != memory->rate;
    };
    return std::ranges::any_of(meant.devices, differs) ? meant : MeantDevices{};
}

}  // namespace

std::string alternatives(const std::vector<const Device*>& devices, std::size_t first) {
    std::string list;
    for (std::size_t i = first; i < devices.size(); ++i)
        list += fmt::format("{}{}",
                            i == first                ? ""
                            : i + 1 == devices.size() ? " or "
                                                      : ", ",
                            devices[i]->name);
    return list;
}

std::string ambiguous_device_note(std::string_view name, const MeantDevices& meant) {
    const bool variants = meant.devices.size() > 1;
    if (!variants && !meant.by_part) return {};
    return fmt::format("'{}' is taken for the {}{}.", name, meant.devices.front()->name,
                       variants ? "; it may also be the " + alternatives(meant.devices, 1) : "");
}

std::string ambiguous_device_note(const Device& device) {
    const MeantDevices meant = entries_in_doubt(device);
    return ambiguous_device_note(device.name, meant);
}

std::string matched_entry(const Device& device) {
    const MeantDevices meant = entries_in_doubt(device);
    return meant.devices.empty() ? std::string() : meant.devices.front()->name;
}

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/device.h"

namespace roofwalk {

/// The GPUs of `resources/devices.json`: datasheet figures, dense, with the clock each one holds at.
[[nodiscard]] std::span<const Device> known_devices();

/// The built-in entry for a device name as drivers spell it ("NVIDIA A100-SXM4-80GB") or as people type it
/// ("A100 80GB SXM", "H100"). `hint` tells memory size, SM count and bus width apart where names do not. Null
/// when unknown.
[[nodiscard]] const Device* find_known_device(std::string_view name, const Device* hint = nullptr);

/// Every entry that fits, the one above first: more than one where `device` does not tell variants apart.
[[nodiscard]] std::vector<const Device*> devices_that_fit(const Device& device);

/// The entries of the built-in table that a person may mean.
struct MeantDevices {
    std::vector<const Device*> devices;  ///< the usual one first; empty when nothing fits
    bool one_model = false;              ///< they are variants of one model, such as forms of the A100
    bool by_part = false;                ///< the name is a part of theirs: "4090"
};

/// What a name that was typed fits: a whole name, else a part of one that holds the number of the model
/// ("4090", "a6000"; never a family as "ada" alone). A word that says nothing of any entry ("3090 Ti") fits
/// none.
[[nodiscard]] MeantDevices devices_meant(std::string_view name);

/// The names of the built-in table as a list for a sentence.
[[nodiscard]] std::string known_device_names();

/// Theoretical ceilings from clocks, SM count, bus width and compute capability, at the boost clock:
/// memory clock * bus bits * 2 / 8 for HBM; SMs * clock * FLOP a cycle for the pipes; 128 B a cycle and SM
/// (on Turing 64) for SMEM and L1. What the device does not say yields no ceiling.
[[nodiscard]] CeilingSet ceilings_from_attributes(const Device& device);

/// One ceiling for each pipe and boundary: the user's `overrides` first, then what was `measured` on the
/// device, then benchmarks of its own list, counters (of the launch at the measured clock, where `basis` asks
/// for it), the rest of its own list, attributes, the built-in table.
[[nodiscard]] CeilingSet resolve_ceilings(const Device& device, const CeilingSet* of_launch, ClockBasis basis,
                                          const CeilingSet& overrides, const CeilingSet& measured = {});

/// Every ceiling scaled to what good kernels reach in practice; the detail says so.
struct PracticalFactors {
    double compute = 0.80;
    double bandwidth = 0.88;
};
[[nodiscard]] CeilingSet practical_ceilings(const CeilingSet& ceilings, PracticalFactors factors);

}  // namespace roofwalk

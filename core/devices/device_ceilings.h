// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/model/device.h"

namespace roofwalk {

/// Theoretical ceilings from clocks, SM count, bus width and compute capability, at the boost clock:
/// memory clock * bus bits * 2 / 8 for HBM; SMs * clock * FLOP a cycle for the pipes; 128 B a cycle and SM
/// (on Turing 64) for SMEM and L1. What the device does not say yields no ceiling.
[[nodiscard]] CeilingSet ceilings_from_attributes(const Device& device);

/// Adds what L2 passes to the SMs, and what to all its clients (L2Slices::all_clients).
void add_l2_ceilings(const Device& device, ByteRate of_sms, const Provenance& provenance, CeilingSet& set);

/// One ceiling for each pipe and boundary: the user's `overrides` first, then what was `measured` on the
/// device, then benchmarks of its own list, counters (of the launch at the measured clock, where `basis` asks
/// for it), the rest of its own list, attributes, the built-in table.
[[nodiscard]] CeilingSet resolve_ceilings(const Device& device, const CeilingSet* of_launch, ClockBasis basis,
                                          const CeilingSet& overrides, const CeilingSet& measured = {});

/// Every ceiling scaled to what good kernels reach in practice; the detail says so.
struct PracticalFactors {
    double compute = 0.80;
    double bandwidth = 0.88;

    friend bool operator==(const PracticalFactors&, const PracticalFactors&) = default;
};
[[nodiscard]] CeilingSet practical_ceilings(const CeilingSet& ceilings, PracticalFactors factors);

/// What to say of a level that has no ceiling beside `others`: "no ceiling known", and that it can be
/// measured, on a board of which the built-in table has the others.
[[nodiscard]] std::string no_ceiling_words(const CeilingSet& others);

}  // namespace roofwalk

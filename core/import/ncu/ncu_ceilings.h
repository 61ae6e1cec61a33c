// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/import/ncu/ncu_tensor_work.h"
#include "core/import/ncu/ncu_work.h"
#include "core/model/ceiling.h"

namespace roofwalk {

/// Bytes a second DRAM can move at its clock during the launch: the counter's peak, what rate and per cent
/// say, else two transfers a cycle over the bus.
[[nodiscard]] std::optional<NcuAmount> dram_peak(const NcuValues& values);

/// Cycles a second of all SMs, at the clock of L1 (that of the SM): the peak that counters of wavefronts
/// have.
[[nodiscard]] std::optional<NcuAmount> sm_cycle_rate(const NcuValues& values);

/// Ceilings of a launch at the clocks it ran with: those of the charts in the report, then peaks of counters
/// times clocks. `work` tells which tensor pipe kept the tensor cores busy, where only their share of time is
/// known.
[[nodiscard]] CeilingSet ceilings_at_measured_clocks(const NcuValues& values,
                                                     const std::vector<TensorPath>& paths,
                                                     const std::vector<NcuWork>& work);

/// The same ceilings at the highest clocks the device advertises. That of L2 is not advertised: it is taken
/// to run as fast as the SMs, as the built-in table takes it, and the detail says so.
[[nodiscard]] CeilingSet at_boost_clock(const CeilingSet& measured, const Device& device);

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/devices/measured_ceilings.h"
#include "core/model/device.h"

namespace roofwalk {

/// One measured rate beside what theory and the maker say.
struct CeilingComparison {
    MeasuredRate measured;
    bool roof = false;                  ///< it is what ceilings_from() takes for its target
    std::optional<double> theoretical;  ///< in the unit of the rate, at the boost clock
    std::optional<double>
        theoretical_held;             ///< the same at the clock that was held; bytes of HBM: as at boost
    std::optional<double> published;  ///< that the maker prints, of the built-in table
    std::string theory_source;        ///< "132 SMs * 256 FLOP a cycle, dense"; empty without theory
    std::string theory_missing;       ///< without theory which data it lacks: "no boost clock of the SMs"

    /// Of what the hardware can do at the clock it held: 1 is all of it.
    [[nodiscard]] std::optional<double> share_of_theory() const;
};

/// One row for each rate, in the order they were measured.
[[nodiscard]] std::vector<CeilingComparison> compare_ceilings(const MeasuredCeilings& measured);

/// The name of a row: "wgmma.bf16", or "l2.read 16 MiB" of the reads that differ in their footprint.
[[nodiscard]] std::string name_of(const MeasuredRate& rate);
/// A rate in the unit of another one; "-" where it is not known.
[[nodiscard]] std::string rate_like(const MeasuredRate& rate, std::optional<double> other);

/// What was measured: "NVIDIA H100, GPU-..., driver 580.95.05, power limit 700 W, SM clock held 1.755 GHz,
/// benchmarks 2, 2026-11-22".
[[nodiscard]] std::string measurement_line(const MeasuredCeilings& measured);
/// What a person should know of its numbers, a sentence each: where L2 falls, the measured roof, why the
/// clock was held down, other processes, that it was cut.
[[nodiscard]] std::vector<std::string> measurement_notes(const MeasuredCeilings& measured);

/// What is missing where there is none: "No theory of l2.read: no size of L2."
[[nodiscard]] std::vector<std::string> theory_gaps(const std::vector<CeilingComparison>& rows);

/// The rows as a table for a terminal, with what a person should know of the measurement above and below it.
[[nodiscard]] std::string ceiling_comparison_text(const MeasuredCeilings& measured);

}  // namespace roofwalk

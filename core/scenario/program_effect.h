// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/enum_array.h"
#include "core/scenario/kernel_state.h"

namespace roofwalk {

/// Sums over a whole program.
struct ProgramTotals {
    Seconds time;  ///< of every launch whose time is known
    /// By MemoryLevel, of the rows whose bytes are known there; absent where none are.
    EnumArray<MemoryLevel, std::optional<Bytes>> bytes{};
    std::uint32_t rows = 0;
    std::uint32_t rows_without_time = 0;
    EnumArray<MemoryLevel, std::uint32_t> rows_without_bytes{};
};

/// As measured.
[[nodiscard]] ProgramTotals measured_totals(const Analysis& analysis);

/// The totals after one kernel changed and saved some time, whatever their number: what each frame of a drag
/// needs. Start every frame from the same totals, so that rounding does not add up.
[[nodiscard]] ProgramTotals with_change(ProgramTotals totals, const KernelState& from, const KernelState& to,
                                        Seconds saved);

/// How much faster the program gets: Amdahl's law, as the times of all other kernels stay. Absent when one of
/// the times is 0.
[[nodiscard]] std::optional<double> speed_up(const ProgramTotals& before, const ProgramTotals& after);

}  // namespace roofwalk

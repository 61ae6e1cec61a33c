// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tests/support/ncu_report_writer.h"

/// Three runs of one program, as people profile it who know that counting instructions disturbs the time.
namespace roofwalk::test {

/// A launch of the program, with what each run counts of it.
struct SeparateLaunch {
    std::string name;
    std::array<std::uint64_t, 3> grid;
    std::vector<std::string> nvtx;
    double time_ns;
    double read;  ///< of DRAM [byte]
    double write;
    double dadd;  ///< thread instructions
    double dmul;
    double dfma;
};

/// stencil, stencil, stencil with another grid, reduce.
[[nodiscard]] std::vector<SeparateLaunch> separate_launches();

enum class SeparateRun : std::uint8_t {
    time,   ///< gpu__time_duration
    bytes,  ///< dram__bytes_read, dram__bytes_write
    flop,   ///< instructions, and the cycles and the clock of their pass: 100 times the time
};
inline constexpr std::array separate_runs{SeparateRun::time, SeparateRun::bytes, SeparateRun::flop};

/// As an Nsight Compute report; each run is a process of its own.
[[nodiscard]] Fixture separate_report(SeparateRun run, const std::vector<SeparateLaunch>& launches);
/// As `ncu --csv` prints it, without NVTX ranges, and without its header.
[[nodiscard]] std::string separate_rows(SeparateRun run, const std::vector<SeparateLaunch>& launches);
[[nodiscard]] std::string csv_header();

}  // namespace roofwalk::test

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace roofwalk {

/// Where the rules of advice begin to fire; editable. Shares are 0 to 1.
struct AdviceThresholds {
    double bytes_per_sector = 28;    ///< [B] of 32: below it accesses are uncoalesced (87.5 %)
    double l2_hit_rate = 0.3;        ///< share: below it L2 does not keep data that would fit
    double local_share = 0.05;       ///< of the sectors of global memory: from here on local memory counts
    double l2_reuse = 2;             ///< L2 bytes over HBM bytes: from here on blocks load the same data
    double wide_work = 0.5;          ///< share of W on numbers of 16 bits or more, from here on bits may go
    double more_bytes = 1.1;         ///< HBM bytes over the least bytes: from here on the gap is named
    double atomics = 0.1;            ///< atomic instructions over global loads, from here on
    double sectors_per_request = 8;  ///< below it coalesced loads are narrow: less than 8 bytes a thread
    double occupancy = 0.5;          ///< share of the warps an SM holds: below it too few are resident
    double stall_share = 0.3;        ///< of the cycles between two instructions of a warp, from here on
    double issue_active = 0.8;       ///< share of cycles: from here on stalls are hidden
    double channel_imbalance = 1.2;  ///< busiest DRAM channel over the mean, from here on
    double tensor_use = 0.8;         ///< share of time: below it the tensor pipe idles
    double bank_conflicts = 1.1;     ///< wavefronts over those without conflicts, from here on
    double active_threads = 24;      ///< of 32: below it warps diverge
    double pipe_busy = 0.6;          ///< share of time from which another pipe is in the way
    double waves = 1;                ///< below it SMs stay empty
    double shortest_time = 10e-6;    ///< [s]: below it launch and timer weigh
    double l2_resident = 0.1;        ///< HBM bytes over L2 bytes: below it the data lives in L2
    double mixed_work = 0.1;         ///< share of W from which a second pipe makes the work mixed
    double predicated = 0.9;         ///< active threads that are not predicated off: below it, masked work

    friend bool operator==(const AdviceThresholds&, const AdviceThresholds&) = default;
};

/// One threshold by name.
struct ThresholdSpec {
    std::string_view id;  ///< "bytes_per_sector": the stable name used in files and commands
    double AdviceThresholds::*member;
    std::string_view unit;  ///< as of a metric
    std::string_view meaning;
    double highest;  ///< the lowest is 0
};

[[nodiscard]] std::span<const ThresholdSpec> advice_threshold_specs();

/// "NAME=VALUE", as on a command line: sets one threshold.
[[nodiscard]] Result<void> set_threshold(AdviceThresholds& thresholds, std::string_view assignment);

/// Reads a JSON object with some of them; what it does not name stays as in `base`. An unknown name, a value
/// that is no number or outside its range is an error; `name` is where the text is from.
[[nodiscard]] Result<AdviceThresholds> thresholds_from_json(std::string_view json,
                                                            const AdviceThresholds& base = {},
                                                            const std::string& name = {});

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/model/profile.h"
#include "core/roofline/analysis.h"

namespace roofwalk {

/// One quantity a kernel lacks: what it is and which Nsight Compute metrics would give it.
struct MissingQuantity {
    std::string quantity;              ///< "FLOPs", "HBM traffic (hbm/dram-rw)", "time"
    std::vector<std::string> metrics;  ///< metric names
};

/// What a kernel lacks for the levels switched on; empty when nothing is missing.
[[nodiscard]] std::vector<MissingQuantity> missing_quantities(const KernelPoint& point,
                                                              const AnalysisOptions& options);

/// The exact command that collects the missing quantities: section set, or metrics where that is enough;
/// kernel filter by function name; the application taken from the recorded command line where there is one,
/// else
/// "./your_program". Quoted for a POSIX shell.
[[nodiscard]] std::string ncu_command(const Profile& profile, const KernelPoint* point,
                                      const AnalysisOptions& options, const Analysis& analysis);

}  // namespace roofwalk

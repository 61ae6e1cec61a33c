// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/import/profile_request.h"
#include "profiler/recording/launch_plan.h"

namespace roofwalk {

/// The same request for Nsight Compute (`ncu --set roofline`), for chips and programs that our agent does not
/// serve, and to compare. Caches and clocks are left as the program has them, as our agent leaves them. Ncu
/// matches patterns of kernels with the names of functions, and knows the patterns of `output` itself. An
/// error (bad_argument) names what Nsight Compute cannot do.
[[nodiscard]] Result<LaunchPlan> plan_ncu(const ProfileRequest& request, const std::filesystem::path& ncu,
                                          const std::vector<std::string>& inherited);

}  // namespace roofwalk

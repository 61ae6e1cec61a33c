// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <vector>

#include "core/import/profile_request.h"
#include "profiler/recording/capability_check.h"
#include "profiler/recording/launch_plan.h"

namespace roofwalk {

/// The program `ncu` of this machine; an error says why it cannot record here. `findings` are of this
/// machine.
[[nodiscard]] Result<std::filesystem::path> ready_ncu(const std::vector<CapabilityFinding>& findings);

/// The request for the `ncu` of this machine. `despite_findings`: even where the check says that nothing can
/// be measured.
[[nodiscard]] Result<LaunchPlan> prepare_ncu(const ProfileRequest& request, bool despite_findings);

}  // namespace roofwalk

// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/prepare_ncu.h"

#include <algorithm>
#include <cstdlib>

#include "profiler/recording/ncu_plan.h"
#include "profiler/recording/nvidia_software.h"
#include "profiler/recording/prepare_session.h"

namespace roofwalk {

namespace {

Result<std::filesystem::path> installed_ncu() {
    const char* path = std::getenv("PATH");
    if (auto ncu = find_nsight_compute(path == nullptr ? "" : path)) return *std::move(ncu);
    return tl::unexpected(Error{ErrorCode::not_profiled,
                                "The program ncu is neither on PATH nor in NVIDIA's folders", "",
                                "Install Nsight Compute, or record with Roofwalk's own agent."});
}

}  // namespace

Result<std::filesystem::path> ready_ncu(const std::vector<CapabilityFinding>& findings) {
    auto ncu = installed_ncu();
    if (!ncu) return ncu;
    if (auto refused = refuse_by_findings(findings, false); !refused) return tl::unexpected(refused.error());
    const auto counters = std::ranges::find(findings, "counters", &CapabilityFinding::subject);
    if (counters != findings.end() && counters->readiness == Readiness::missing)
        return tl::unexpected(Error{ErrorCode::not_profiled, counters->what, "", counters->hint});
    return ncu;
}

Result<LaunchPlan> prepare_ncu(const ProfileRequest& request, bool despite_findings) {
    const auto ncu = despite_findings ? installed_ncu() : ready_ncu(findings_here());
    if (!ncu) return tl::unexpected(ncu.error());
    return plan_ncu(request, *ncu, environment_here());
}

}  // namespace roofwalk

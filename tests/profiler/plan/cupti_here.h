// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "profiler/plan/cupti_host.h"
#include "profiler/recording/capability_check.h"

namespace roofwalk::test {

/// CUPTI of this machine, or why a test has to do without.
struct CuptiHere {
    std::optional<CuptiHost> host;
    std::string reason;
    std::filesystem::path library{};
};

inline CuptiHere cupti_here() {
    if (!built_with_cupti()) return {std::nullopt, "built without the headers of CUPTI"};
    const CuptiChoice choice = choose_cupti(find_cupti_here());
    if (choice.library.empty()) return {std::nullopt, why_no_cupti(choice).what};
    auto loaded = CuptiHost::load(choice.library);
    if (!loaded) return {std::nullopt, loaded.error().what};
    return {*std::move(loaded), "", choice.library};
}

}  // namespace roofwalk::test

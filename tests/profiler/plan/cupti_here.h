// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "profiler/plan/cupti_host.h"
#include "profiler/recording/capability_check.h"

namespace roofwalk::test {

/// CUPTI of this machine, or why a test has to do without.
struct CuptiHere {
    std::unique_ptr<CuptiHost> host;
    std::string reason;
    std::filesystem::path library{};
};

inline CuptiHere cupti_here() {
    if (!built_with_cupti()) return {nullptr, "built without the headers of CUPTI"};
    const CuptiChoice choice = choose_cupti(find_cupti_here());
    if (choice.library.empty()) return {nullptr, why_no_cupti(choice).what};
    auto loaded = CuptiHost::load(choice.library);
    if (!loaded) return {nullptr, loaded.error().what};
    return {*std::move(loaded), "", choice.library};
}

}  // namespace roofwalk::test
